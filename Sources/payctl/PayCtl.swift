internal import PaymentCommand

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The program: everything that it does is in the library.
@main struct PayCtl {
    static func main() async {
        exit(await PaymentCommand.main(Array(CommandLine.arguments.dropFirst())))
    }
}
