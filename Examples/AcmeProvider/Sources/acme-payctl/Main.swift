import Acme
import AcmeSandbox
import PaymentCommand
import PaymentSandbox
import PaymentsBuiltin

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `payctl` with one provider more.
@main struct Main {
    static func main() async {
        let sandbox = SandboxRegistry.Entry(name: "acme") { SimulatedAcme(clock: $0) }
        let acme = CommandRegistry.Provider(.acme, sandbox: sandbox) { AcmeHarness($0) }
        exit(await PaymentCommand.main(Array(CommandLine.arguments.dropFirst()), registry: .builtin + [acme]))
    }
}
