import AcmeHarnesses
import AcmeProvider
import AcmeSandbox
import PaymentCommand
import PaymentSandbox

/// `payctl` with one provider more.
@main struct Main {
    static func main() async {
        let sandbox = SandboxRegistry.Entry(name: "acme") { SimulatedAcme(clock: $0) }
        let acme = CommandRegistry.Provider(.acme, sandbox: sandbox) { AcmeHarness($0) }
        await PaymentCommand.run(registry: .builtin + [acme])
    }
}
