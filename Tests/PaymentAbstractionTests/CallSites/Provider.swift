import PaymentAbstraction
import PaymentBase

/// A provider of a call site: answers from a function, and writes down what came.
struct Provider: Sendable {
    /// What comes and goes: names and texts, no bytes.
    typealias Message = [String: String]

    let calls = Locked([String]())
    private let play: @Sendable (String, Message, Int) throws -> Message

    /// Makes a provider; the function gets the path, the message, and how often the path was called before.
    init(_ play: @escaping @Sendable (String, Message, Int) throws -> Message) { self.play = play }

    /// Sends one message.
    func send(_ path: String, _ message: Message = [:]) async throws -> Message {
        let before = calls.withLock { calls in
            defer { calls.append(path) }
            return calls.filter { $0 == path }.count
        }
        return try play(path, message, before)
    }

    /// The paths that were called.
    var paths: [String] { calls.withLock { $0 } }
}

/// Lost on the way, or after it was done.
struct Lost: DeliveryEvidence {
    let delivery = Delivery.maybeSent
}

/// Proven not to have been executed; may be sent again.
struct NotDelivered: Error {}

/// What all stub drivers say alike.
protocol StubDriver: PaymentDriver {
    static var name: String { get }
    var provider: Provider { get }
}

extension StubDriver {
    var identity: ProviderIdentity {
        ProviderIdentity(
            ProviderID(rawValue: Self.name), adapter: Self.name, environment: "sandbox", merchant: "m-1")
    }

    func classify(_ error: any Error) -> RequestFailure {
        guard error is NotDelivered else { return RequestFailure(error) }
        var fault = RequestFailure(.providerUnavailable, .refused)
        fault.isRetryable = true
        return fault
    }

    /// The amount of a message, in the currency that was asked for.
    func money(_ message: Provider.Message, like asked: Money) throws -> Money {
        guard let units = message["amount"].flatMap({ Int64($0) }) else {
            throw PaymentError(.unreadableReply, outcome: .unknown, detail: "no amount")
        }
        return Money(minorUnits: units, asked.currency)
    }
}
