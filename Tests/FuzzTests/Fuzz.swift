import Glibc

/// Runs one target on inputs that libFuzzer makes: `fuzz TARGET [options and corpora of libFuzzer]`; without one, lists
/// them.
@main struct Fuzz {
    static func main() async {
        await WebhookTrial.prepare()
        guard let name = target else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        guard chosen != nil else {
            print("There is no target \(name); without an argument they are listed.")
            exit(2)
        }
        // libFuzzer calls this program again to merge, with arguments of its own.
        unsafe setenv(variable, name, 1)
        var (count, arguments) = unsafe (CommandLine.argc, CommandLine.unsafeArgv)
        if CommandLine.arguments.dropFirst().first == name {
            unsafe arguments[1] = unsafe arguments[0]
            unsafe arguments += 1
            count -= 1
        }
        exit(unsafe runDriver(&count, &arguments) { bytes, count in unsafe Fuzz.run(bytes, count) })
    }

    /// What says which target is meant where the command line is libFuzzer's.
    private static let variable = "PAYMENTS_FUZZ_TARGET"

    /// What the command line names, or the program that called this one.
    private static let target: String? = {
        let first = CommandLine.arguments.dropFirst().first
        if let first, !first.hasPrefix("-") { return first }
        return unsafe getenv(variable).map { unsafe String(cString: $0) } ?? first
    }()

    private static let chosen = FuzzTarget.all.first { $0.name == target }

    private static func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        chosen?.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

/// Ends the process where two ways of reading don't agree, so that the input is kept.
func hold(_ isSo: Bool, _ what: @autoclosure () -> String) {
    if isSo { return }
    print("finding: \(what())")
    // What is printed would be lost with the process.
    fflush(nil)
    abort()
}

/// libFuzzer's own loop, which calls back with each input.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
