internal import PaymentAbstraction
internal import PaymentSandbox

extension Command {
    /// Plays a payment day.
    static let demo = Command(
        name: "demo", summary: "plays a payment day at every provider, against companies on ports of this machine",
        example: "payctl demo", takes: AcceptedArguments()
    ) { _, registry, console in
        do {
            let day = try await DemoDay.open(registry, console)
            let status = try await day.play()
            await day.close()
            return status
        } catch let error as PaymentError {
            console.error("payctl demo: \(error.explanation)")
            return error.outcome == .unknown ? .unknown : .failed
        } catch {
            console.error("payctl demo: \(SandboxRun.words(error))")
            return .failed
        }
    }
}
