internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

/// One operation of the API, declared once: routing, checks of input, the OpenAPI document and tools follow from it.
struct Operation: Sendable {
    /// What an operation does with money.
    enum Effect: String, Sendable {
        /// It changes nothing.
        case reads
        /// It may move money: it needs an attempt id and never executes twice under one.
        case moves
        /// It changes what is recorded or ends a wait, and moves nothing.
        case decides
    }

    /// What it does when it is called.
    enum Work: Sendable {
        /// Gives an answer.
        case answers(@Sendable (ServiceCall) async throws -> Answer)
        /// Prepares an attempt, which the service carries.
        case carries(@Sendable (ServiceCall) async throws -> MoneyWork)
        /// Gives events until the client leaves.
        case follows(@Sendable (ServiceCall) async throws -> AsyncStream<[UInt8]>)
        /// Takes bytes of any type, and answers in its own words.
        case receives(@Sendable (ServiceCall, [UInt8]) async throws -> ServerResponse)
    }

    /// What an operation answers.
    struct Answer: Sendable {
        var status = 200
        let body: JSON
        var fields: [HTTPField] = []
    }

    /// The id, in camel case; the same in the OpenAPI document.
    let id: String
    /// What it does, in a few words.
    let summary: String
    let method: String
    /// The path; a segment in braces is a parameter.
    let path: String
    let effect: Effect
    /// The least role; nil if no key is needed.
    let role: ServiceRole?
    let parameters: [AnyParameter]
    let result: AnyShape
    /// The problems with which it may be refused, beside those that follow from the rest.
    let refusals: [Problem.Code]
    let work: Work
    /// Whether the OpenAPI document has it.
    var isDescribed = true
    /// Whether a request may say how long it waits, beside those about money.
    var mayWait = false
    /// What the members of a body are to each other, as schemas of the whole.
    var rules: [JSON] = []

    /// The same, and a request may say how long it waits.
    func waiting() -> Operation {
        var copy = self
        copy.mayWait = true
        return copy
    }

    /// The same with what its members are to each other.
    func ruled(_ rules: JSON...) -> Operation {
        var copy = self
        copy.rules += rules
        return copy
    }

    /// Whether its body is JSON with the members that it declares.
    var takesJSON: Bool {
        if case .receives = work { return false }
        return method == "POST"
    }

    /// Whether a request waits for an outcome unless it says otherwise.
    var waits: Bool { effect == .moves || mayWait && method == "POST" }

    /// The path in parts.
    var segments: [Substring] { path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) }

    /// Whether a parameter stands in the path.
    func isInPath(_ parameter: AnyParameter) -> Bool { path.contains("{\(parameter.name)}") }

    /// An operation that reads.
    static func get(
        _ id: String, _ path: String, _ summary: String, by role: ServiceRole? = .viewer, _ takes: Takes = Takes(),
        gives result: AnyShape, refuses refusals: [Problem.Code] = [.journal],
        _ run: @escaping @Sendable (ServiceCall) async throws -> Answer
    ) -> Operation {
        Operation(
            id: id, summary: summary, method: "GET", path: path, effect: .reads, role: role,
            parameters: takes.parameters, result: result, refusals: refusals, work: .answers(run))
    }

    /// An operation that changes what is recorded.
    static func post(
        _ id: String, _ path: String, _ summary: String, by role: ServiceRole, _ takes: Takes,
        gives result: AnyShape, refuses refusals: [Problem.Code] = [.journal],
        _ run: @escaping @Sendable (ServiceCall) async throws -> Answer
    ) -> Operation {
        Operation(
            id: id, summary: summary, method: "POST", path: path, effect: .decides, role: role,
            parameters: takes.parameters, result: result, refusals: refusals, work: .answers(run))
    }

    /// The refusals of every money operation.
    private static let moneyRefusals: [Problem.Code] = [
        .keyMissing, .unsupported, .notFound, .conflict, .inDoubt, .referenceInUse, .amountTooHigh, .readerBusy,
        .accountNeeded, .mayBeLost, .pruned,
        .keyReused, .journal, .configuration, .authentication, .permission, .network, .providerUnavailable,
        .rateLimited, .readerUnavailable, .stopping,
    ]

    /// An operation that may move money.
    static func money(
        _ id: String, _ path: String, _ summary: String, by role: ServiceRole = .till, _ takes: Takes,
        _ prepare: @escaping @Sendable (ServiceCall) async throws -> MoneyWork
    ) -> Operation {
        Operation(
            id: id, summary: summary, method: "POST", path: path, effect: .moves, role: role,
            parameters: takes.may(.metadata).may(.timeout).parameters, result: AttemptView.shape.any,
            refusals: moneyRefusals,
            work: .carries { call in
                var work = try await prepare(call)
                work.intent.metadata = call.input[.metadata] ?? [:]
                (work.intent.requestedBy, work.intent.reader) = (call.key?.name, work.reader?.name)
                work.until = call.service.clock.now.addingSaturating(call.limitSeconds * 1_000)
                return work
            })
    }
}

/// An attempt that the service is to carry.
struct MoneyWork: Sendable {
    /// What is asked for, as far as it is known before the payment is read.
    var intent: Attempt.Intent
    /// Whether a recorded intent asks for the same, as far as it can be seen.
    let isSame: @Sendable (Attempt.Intent) -> Bool
    /// Compares the rest of the content with what is recorded and was not executed; throws `conflict` if it differs.
    let compare: (@Sendable (PaymentClient) async throws(PaymentError) -> Void)?
    /// Until when the attempt may take, and so until when an answer to a question is of use.
    var until = Int64.max
    /// Does it.
    let perform: @Sendable (PaymentClient) async throws(PaymentError) -> PaymentResult
    /// The reader that may wait for a card; nil for other sources.
    var reader: UsedReader?
    /// What the caller's key allows of it.
    var check: KeyCheck?
    /// Why it can't begin whatever the journal says; a repeat of a recorded attempt is answered all the same.
    var obstacle: Problem?
    /// Whether its reader was named, or is one of those that the key may use: it is taken to no other one.
    var staysAtReader = false
}

extension Parameter where Value == Int64 {
    /// How long an attempt may take.
    static let timeout = Parameter(
        "timeout", .integer(1...600), "How long the attempt may take, in seconds; 180 by default.", example: 180)
}
