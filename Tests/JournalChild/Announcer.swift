import PaymentBase
import PaymentTestPipes
import PaymentTransport

/// Says what comes next, and waits until the parent lets it happen.
struct Announcer: Sendable {
    let channel: Channel
    let clock: any PaymentClock

    /// The parent is gone, or said something else.
    struct Lost: Error {}

    func step(_ name: String) throws {
        try channel.send(.step(name, at: clock.now))
        guard case .proceed = try channel.receive() else { throw Lost() }
    }

    /// Announces a body before and after.
    func around<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        try step("\(name), before")
        let value = try await body()
        try step("\(name), after")
        return value
    }
}
