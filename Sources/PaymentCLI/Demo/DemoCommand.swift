extension Command {
    /// Plays a payment day.
    static let demo = Command(
        name: "demo", summary: "plays a payment day at every provider, against providers on ports of this machine",
        example: "payctl demo", takes: AcceptedArguments(options: [.reading])
    ) { call in
        let day = try await DemoDay.open(call.registry, call.console, call.given.all("reading"))
        let status: ExitStatus
        do { status = try await day.play() } catch {
            await day.close()
            throw error
        }
        await day.close()
        return status
    }
}
