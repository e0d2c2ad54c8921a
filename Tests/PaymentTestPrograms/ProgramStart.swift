internal import CPrograms
internal import Glibc

/// The start of a program: what it is told, and where it reads and writes.
struct ProgramStart {
    let program: String
    let arguments: [String]
    let folder: String?
    let environment: [String: String]?

    func callAsFunction(
        _ input: ProgramPipe.End, _ output: ProgramPipe.End, _ errors: ProgramPipe.End?
    ) throws -> pid_t {
        var number: pid_t = 0
        let places = (input.descriptor, output.descriptor, errors?.descriptor ?? -1)
        let code = unsafe Self.withStrings([program] + arguments) { words in
            unsafe Self.withStrings(environment.map { $0.map { "\($0)=\($1)" } }) { environment in
                unsafe pay_test_start(
                    &number, program, words, environment, folder, places.0, places.1, places.2)
            }
        }
        guard code == 0 else { throw TestProgram.NotStarted(program: program, code: code) }
        return number
    }

    /// What C takes for a list of words.
    private static func withStrings(
        _ words: [String]?, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> Int32 {
        guard let words else { return body(nil) }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
    }
}
