import PaymentModel

/// What a caller learned from one call.
enum Told: Sendable, CustomStringConvertible {
    case result(PaymentResult)
    case error(PaymentError)
    case other(String)

    /// Makes a call and keeps its result or its error.
    init(_ body: () async throws -> PaymentResult) async {
        do { self = .result(try await body()) } catch let error as PaymentError { self = .error(error) } catch {
            self = .other("\(error)")
        }
    }

    /// The error; nil when there was a result.
    var error: PaymentError? {
        if case .error(let error) = self { return error }
        return nil
    }

    /// Whether the payment was approved.
    var isApproved: Bool {
        if case .result(.approved) = self { return true }
        return false
    }

    /// Whether the payment was declined.
    var isDeclined: Bool {
        if case .result(.declined) = self { return true }
        return false
    }

    /// Whether the caller must believe that no money moved, and may therefore charge again.
    var saysNothingMoved: Bool {
        switch self {
        case .result(.approved), .result(.pending), .other: false
        case .result(.declined), .result(.cancelled): true
        case .error(let error): error.outcome == .notExecuted
        }
    }

    /// Whether the caller learned that the outcome is unknown.
    var saysUnknown: Bool { error?.outcome == .unknown }

    var description: String {
        switch self {
        case .result(.approved(let payment)): "approved \(payment.approved) [attempt \(payment.attempt)]"
        case .result(.declined(let decline)): "declined \(decline.reason)"
        case .result(.cancelled): "cancelled"
        case .result(.pending(let pending)): "pending [attempt \(pending.attempt?.text ?? "none")]"
        case .error(let error): error.debugDescription
        case .other(let text): text
        }
    }
}
