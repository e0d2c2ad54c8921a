import PaymentAbstraction

/// What a caller was told in the end, so that it can be compared with what the provider did.
enum Told: Hashable, Sendable, CustomStringConvertible {
    case result(PaymentResult)
    case error(PaymentError)
    case other(String)

    /// Makes a call and listens.
    init(_ body: () async throws -> PaymentResult) async {
        do { self = .result(try await body()) } catch let error as PaymentError { self = .error(error) } catch {
            self = .other("\(error)")
        }
    }

    /// The payment, when it was approved.
    var payment: Payment? {
        if case .result(let result) = self { return result.payment }
        return nil
    }
    /// The error, when there was one.
    var error: PaymentError? {
        if case .error(let error) = self { return error }
        return nil
    }
    /// Whether it was approved.
    var isApproved: Bool { payment != nil }
    /// Whether it was declined.
    var isDeclined: Bool {
        if case .result(.declined) = self { return true }
        return false
    }
    /// Whether the caller must believe that no money moved.
    var saysNothingMoved: Bool {
        switch self {
        case .result(.approved), .result(.pending), .other: false
        case .result(.declined), .result(.cancelled): true
        case .error(let error): error.outcome == .notExecuted
        }
    }
    /// Whether the caller must believe that nobody knows yet.
    var saysUnknown: Bool { error?.outcome == .unknown }

    var description: String {
        switch self {
        case .result(.approved(let payment)):
            "approved \(payment.approved) [attempt \(payment.attempt)], dry \(payment.isDryRun), "
                + "offline \(payment.isOffline)"
        case .result(.declined(let decline)): "declined \(decline.reason)"
        case .result(.cancelled): "cancelled"
        case .result(.pending): "pending"
        case .error(let error): error.message
        case .other(let words): words
        }
    }
}
