internal import PaymentBase
package import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit

/// One call that the till made in a scenario: what it asked, who answered, and what.
package struct ScenarioCall: Hashable, Sendable {
    /// What the till called, as in `sale` or `second void`.
    package let what: String
    /// What it was answered, and by whom.
    package let answer: String
    /// How many requests that may move money left in the call.
    package let requests: Int
    /// Why the client refused it, in the words that a program gets; empty if it did not.
    package let why: String
    /// Whether all that was asked is done, over the amount that was asked.
    package let isAsAsked: Bool
    /// Whether it ended with an error.
    let isError: Bool
}

/// What a till can call.
enum TillCall {
    /// What begins a payment over an amount.
    case begin
    /// What follows an approved payment.
    case followUp
    /// A question what became of a call.
    case question
}

/// The calls of one scenario, in their order, whichever process made them.
final class ScenarioCalls: Sendable {
    private let kept = Locked([ScenarioCall]())
    private let sent = Locked(0)

    /// Every call that has ended.
    var all: [ScenarioCall] { kept.withLock { $0 } }
    /// How many requests that may move money were opened so far.
    var requests: Int { sent.withLock { $0 } }

    /// Another request that may move money is about to leave.
    func countRequest() { sent.withLock { $0 += 1 } }

    /// Where a call begins: how many requests and exchanges there were before it.
    struct Mark {
        var requests = 0
        var exchanges = 0
    }

    func marked(_ log: WireLog) -> Mark { Mark(requests: requests, exchanges: log.count) }

    func keep(_ call: ScenarioCall) { kept.withLock { $0.append(call) } }
}

extension CheckContext {
    /// Makes a call of the till, and keeps what it was answered, by whom, and whether anything was sent for it.
    func call(
        _ what: String, _ kind: TillCall = .followUp, _ work: () async throws -> PaymentResult
    ) async throws -> PaymentResult {
        let before = calls.marked(log)
        do {
            let result = try await work()
            keep(what, kind, since: before, result)
            return result
        } catch let error as PaymentError {
            try await keep(what, kind, since: before, error)
            throw error
        }
    }

    /// Keeps a result that a call of the till ended with.
    func keep(_ what: String, _ kind: TillCall, since before: ScenarioCalls.Mark, _ result: PaymentResult) {
        let seen = traces(kind, since: before)
        calls.keep(
            ScenarioCall(
                what: what, answer: seen.words(result), requests: seen.requests, why: "",
                isAsAsked: Self.isAsAsked(result, kind), isError: false))
    }

    /// Keeps an error that a call of the till ended with.
    func keep(_ what: String, _ kind: TillCall, since before: ScenarioCalls.Mark, _ error: PaymentError) async throws {
        let seen = traces(kind, since: before)
        var state: Attempt.State?
        if let attempt = error.attempt { state = try await record(attempt)?.state }
        let blocking = try await self.blocking(error)
        calls.keep(
            ScenarioCall(
                what: what, answer: seen.words(error, state: state, blocking: blocking), requests: seen.requests,
                why: seen.isRefused(error) && blocking.isEmpty ? error.detail : "", isAsAsked: false, isError: true))
    }

    private func traces(_ kind: TillCall, since before: ScenarioCalls.Mark) -> CallTraces {
        let opened = calls.requests - before.requests
        // A browser pays where the client begins nothing itself.
        let isQuiet = declaration.startsWithoutRequest == nil || log.count == before.exchanges
        return CallTraces(kind: kind, requests: opened, isNothingSent: opened == 0 && isQuiet)
    }

    private static func isAsAsked(_ result: PaymentResult, _ kind: TillCall) -> Bool {
        guard case .approved(let payment) = result, !payment.isPartial else { return false }
        return kind != .begin || payment.approved == payment.requested
    }

    /// What is in the way of a call, such as `the void before it is pending`; empty if nothing is.
    private func blocking(_ error: PaymentError) async throws -> String {
        guard error.code == .inDoubt else { return "" }
        var open: [Attempt] = []
        for id in error.blocking { if let held = try await record(id), held.isOpen { open.append(held) } }
        if open.isEmpty {
            for origin in try await journal.records(.origins(scope: nil), limit: Self.auditMax) {
                open += try await journal.records(of: origin.intent.paymentID).filter(\.isOpen)
            }
        }
        guard let first = open.first(where: { $0.intent.attempt != error.attempt }) else { return "" }
        return "the \(first.intent.operation.shopWord) before it is \(first.state.shopWord)"
    }
}

/// The calls of a till, each kept with what it was answered.
extension CheckContext {
    /// Charges by a script.
    func tillSells(
        _ script: SimulatedOutcome = .approved, _ what: String = "sale", from source: PaymentSource.Kind? = nil,
        reference: String? = nil, attempt: AttemptID? = nil, _ change: (inout SaleRequest) -> Void = { _ in }
    ) async throws -> PaymentResult {
        try await call(what, .begin) {
            try await sale(script, from: source, reference: reference, attempt: attempt, change)
        }
    }

    /// Charges, in a call that has a name of its own.
    func tillSells(
        _ what: String, reference: String? = nil, attempt: AttemptID? = nil,
        _ change: (inout SaleRequest) -> Void = { _ in }
    ) async throws -> PaymentResult {
        try await tillSells(.approved, what, reference: reference, attempt: attempt, change)
    }

    /// Charges, and insists on the approval.
    func soldByTill() async throws -> Payment { try approved(try await tillSells()) }

    /// Holds by a script.
    func tillHolds(_ script: SimulatedOutcome = .approved) async throws -> PaymentResult {
        try await call("hold", .begin) { try await authorize(script) }
    }

    /// Holds, and insists on the approval.
    func heldByTill() async throws -> Payment { try approved(try await tillHolds()) }

    /// Charges what is held, or a part of it.
    func tillCaptures(
        _ payment: Payment, _ what: String = "capture", of amount: Money? = nil
    ) async throws -> PaymentResult {
        try await call(what) { try await client.capture(payment.id, of: amount, attempt: try attempt()) }
    }

    /// Undoes a payment, under an attempt id of its own.
    func tillVoids(_ payment: Payment, _ what: String = "void") async throws -> PaymentResult {
        try await call(what) { try await client.void(payment.id, attempt: try attempt()) }
    }

    /// Refunds what was charged, or a part of it, once it is settled where a provider insists on that.
    func tillRefunds(
        _ payment: Payment, _ what: String = "refund", of amount: Money? = nil, reference: String? = nil,
        attempt: AttemptID? = nil
    ) async throws -> PaymentResult {
        try await call(what) {
            try await refund(payment.id, of: amount, reference: reference, attempt: try attempt ?? self.attempt())
        }
    }

    /// Asks what became of a call.
    func tillAsks(_ attempt: AttemptID, _ when: String) async throws -> PaymentResult {
        try await call("status, asked \(when)", .question) { try await client.status(attempt) }
    }
}

/// What one call left behind on the line and in the journal.
private struct CallTraces {
    let kind: TillCall
    let requests: Int
    let isNothingSent: Bool

    /// What a call came to that ended with a result.
    func words(_ result: PaymentResult) -> String {
        let said = ComparedWords.words(result)
        return isNothingSent && kind != .question ? "\(said), from the record: nothing was sent" : said
    }

    /// What a call came to that ended with an error: who refused or failed, why, and what that says of the money.
    func words(_ error: PaymentError, state: Attempt.State?, blocking: String) -> String {
        let why = ComparedWords.reason(error.code)
        switch error.outcome {
        case .unknown:
            let open = state.flatMap { $0 == .running || $0 == .pending ? $0.shopWord : nil } ?? "in doubt"
            let cause = error.code == .inDoubt ? "" : "\(why); "
            return "\(open): \(cause)not known whether money moved"
        case .notExecuted where isRefused(error):
            // The code names a doubt, also where what is in the way is pending: the words say which of the two it is.
            let why = blocking.isEmpty ? " (\(error.code.rawValue))" : ": \(blocking)"
            return "refused by the client, nothing sent\(why); no money moved"
        case .notExecuted where kind == .question: return "not done: \(why); no money moved"
        case .notExecuted: return "\(who(error)): \(why); no money moved"
        case .executed where isRefused(error):
            return "refused by the client, nothing sent (\(error.code.rawValue)); an earlier call moved money"
        case .executed:
            let when = isNothingSent ? "an earlier call moved money" : "money moved"
            return "\(who(error)): \(why); \(when)"
        }
    }

    /// Whether the client refused the call before anything was sent.
    func isRefused(_ error: PaymentError) -> Bool {
        isNothingSent && error.outcome != .unknown && ComparedWords.isDecidedByTheClient(error.code)
    }

    private func who(_ error: PaymentError) -> String {
        if isNothingSent { return "failed before anything was sent" }
        if error.code == .notReceived { return "lost on the way" }
        return error.code == .network || error.code == .timedOut ? "failed on the line" : "refused by the provider"
    }
}

/// The words in which a comparison says what a call came to.
enum ComparedWords {
    /// What a result is, and who decided it.
    static func words(_ result: PaymentResult) -> String {
        switch result {
        case .approved(let payment): payment.isPartial ? "approved in part" : "approved"
        case .declined(let decline): "declined by the provider: \(decline.reason)"
        case .cancelled(let cancellation): "cancelled by \(cancellation.cause.rawValue)"
        case .pending: "pending"
        }
    }

    /// Why a call ended with an error, with the code that a program gets.
    static func reason(_ code: PaymentError.Code) -> String {
        reasons[code].map { "\($0) (\(code.rawValue))" } ?? code.rawValue
    }

    /// Whether the client decides it from what it has recorded and what the provider declares.
    static func isDecidedByTheClient(_ code: PaymentError.Code) -> Bool {
        switch code {
        case .invalidRequest, .unsupported, .configuration, .conflict, .referenceInUse, .notFound, .amountTooHigh,
            .inDoubt, .journal:
            true
        default: false
        }
    }

    private static let reasons: [PaymentError.Code: String] = [
        .authentication: "it refuses the access", .permission: "it doesn't permit this",
        .inDoubt: "what was sent before is in doubt", .notReceived: "the request never arrived",
        .cancelled: "it was cancelled", .timedOut: "no answer came in time", .network: "the line failed",
        .providerUnavailable: "the provider is down", .rateLimited: "too many requests",
        .unreadableReply: "the answer can't be read", .providerFailed: "the provider failed",
        .mismatch: "the answer names something else", .readerBusy: "the reader is busy",
        .conflict: "the state there doesn't allow it",
    ]
}

extension PaymentOperation {
    /// The operation as a shop says it.
    package var shopWord: String {
        switch self {
        case .unlinkedRefund: "refund without a sale"
        case .tipAdjustment: "tip"
        case .authorize: "hold"
        case .adjust: "change of the hold"
        case .debit: "later charge"
        case .sale, .capture, .void, .refund, .verify, .tokenize, .chargeback: rawValue
        }
    }
}

extension Attempt.State {
    /// The state as a shop says it.
    package var shopWord: String {
        switch self {
        case .running: "still running"
        case .inDoubt: "in doubt"
        case .notExecuted: "not done"
        case .pending, .declined, .approved, .reversed: rawValue
        }
    }
}
