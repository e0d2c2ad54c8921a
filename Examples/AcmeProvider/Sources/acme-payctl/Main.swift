import AcmeHarnesses
import AcmeProvider
import AcmeSandbox
import PaymentCLI
import PaymentSimulator

/// `payctl` with one provider more.
@main struct Main {
    static func main() async {
        let sandbox = SimulatorRegistry.Entry(name: "acme") { SimulatedAcme(clock: $0) }
        let acme = CommandRegistry.AddedProvider(.acme, sandbox: sandbox) { AcmeHarness($0) }
        await Payctl.run(registry: .builtin + [acme])
    }
}
