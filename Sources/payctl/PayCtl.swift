internal import PaymentCLI

/// The program: everything that it does is in the library.
@main struct PayCtl {
    static func main() async { await Payctl.run() }
}
