internal import PaymentBase
internal import PaymentCore
internal import PaymentModel
internal import PaymentService

extension CommandSession {
    /// Reports what came of a money operation; gives the status that the program ends with.
    func tell(_ result: PaymentResult, _ attempt: AttemptID) async throws -> ExitStatus {
        guard let record = try await client.attempt(attempt) else {
            if case .cancelled = result {
                throw PaymentError(
                    .cancelled, outcome: .notExecuted, attempt: attempt, detail: "It was cancelled before it was sent.")
            }
            throw PaymentError(
                .journal, outcome: .unknown, attempt: attempt, retry: .afterStatusCheck,
                detail: "The provider answered, and the journal has no such attempt any more.")
        }
        let payment = try? await client.payment(record.intent.paymentID)
        switch result {
        case .approved, .pending: if call.takesAttempt { call.money.mayHaveMoved(attempt) }
        case .declined, .cancelled: break
        }
        let told = PrintedResult(result, attempt, record, payment)
        call.say(PrintedResult.shape, told, told.lines(call))
        return told.isBack ? .refused : ExitStatus(result)
    }
}

/// A result with what the journal has of its attempt, so that a decline shows as much as an approval.
struct PrintedResult: Sendable {
    let result: PaymentResult
    /// The id that was asked for.
    let attempt: AttemptID
    let record: Attempt
    /// All amounts of its payment; nil if they can't be read now.
    let amounts: PaymentAmounts?
    private let paymentStatus: String?

    init(_ result: PaymentResult, _ attempt: AttemptID, _ record: Attempt, _ payment: PaymentRecord?) {
        (self.result, self.attempt, self.record) = (result, attempt, record)
        (amounts, paymentStatus) = (result.payment?.amounts ?? payment?.amounts, payment?.statusForGoods)
    }

    /// What is said of a payment of which nothing is left, or may be; what the journal could not take is open there.
    private static let back: Set = ["refunded", "voided", "chargedBack", "refunding", "voiding", "reversed"]

    /// Whether the money of an approved sale went back, or may: a script that goes by the exit status hands over nothing.
    var isBack: Bool {
        guard let payment = result.payment, payment.operation.isOrigin, let paymentStatus, !payment.isDryRun else {
            return false
        }
        return Self.back.contains(paymentStatus)
    }

    /// The attempt, and whether the journal has what came of it: what it could not take is shown as it was returned.
    private var view: AttemptView {
        let unwritten = record.isOpen ? result.verdict : nil
        var view = AttemptView(unwritten.map { record.ended(with: $0) } ?? record, askedFor: attempt)
        view.isResultRecorded = unwritten == nil && result.payment?.isRecorded ?? true
        view.paymentStatus = paymentStatus
        return view
    }

    /// The attempt as the API shows it, and the amounts of its payment.
    static let shape = Shape<PrintedResult>(
        "Result", uses: AttemptView.shape.uses + [PaymentView.amounts],
        AttemptView.shape.members(of: \.view) + [
            .init(
                "amounts", ["anyOf": [PaymentView.amounts.reference, ["type": "null"]]],
                "All amounts of its payment; null if they can't be read."
            ) { $0.amounts.map(PaymentView.json) ?? .null }
        ])

    /// What people read.
    func lines(_ call: Invocation) -> [String] {
        let paint = call.paint
        switch result {
        case .approved(let payment):
            let since = "since then: \(paymentStatus ?? ""). Hand over nothing for it."
            return payment.lines(paint) + (isBack ? [paint.doubt(since)] : [])
        case .declined(let decline):
            return [
                "\(paint.bad("declined")): \(decline.reason) (the provider says \(decline.provider))",
                back ?? (isOfCard ? "Nothing moved. Take another card or another way to pay." : "Nothing moved."),
            ] + common
        case .cancelled(let cancellation):
            return ["\(paint.bad("cancelled")) by \(cancellation.cause.rawValue)", back ?? "Nothing moved."] + common
        case .pending:
            return ["\(paint.doubt("pending")): it was received and is decided later"] + common
                + ["next       \(call.command("status --attempt \(attempt)"))"]
        }
    }

    /// What is said of money that moved and is where it was before; nil if none moved.
    private var back: String? { record.state == .reversed ? "It was executed, and the money came back since." : nil }

    /// Whether another card could bring about something else; what follows a payment has none.
    private var isOfCard: Bool {
        switch record.intent.operation {
        case .capture, .void, .refund, .adjust, .tipAdjustment, .chargeback: false
        case .sale, .authorize, .verify, .tokenize, .debit, .unlinkedRefund: true
        }
    }

    /// What is reported of everything that is no approval.
    private var common: [String] {
        var lines = ["attempt    \(attempt)"]
        if record.intent.paymentID.attempt != attempt { lines.append("payment    \(record.intent.paymentID)") }
        lines += [
            "asked      \(record.intent.operation.rawValue) of \(record.intent.amount)",
            "provider   \(record.account.id)", "reference  \(record.intent.reference ?? "none")",
        ]
        return lines
    }
}

extension CommandSession {
    /// An attempt with where its payment stands.
    func view(of record: Attempt) async -> AttemptView {
        var view = AttemptView(record)
        view.paymentStatus = (try? await client.payment(record.intent.paymentID))?.statusForGoods
        return view
    }
}

extension PaymentResult {
    /// What was returned, as a journal has it; nil where nothing is decided.
    fileprivate var verdict: Verdict? {
        switch self {
        case .approved(let payment):
            var approval = Approval(
                payment.approved, references: payment.references, card: payment.card, receipt: payment.receipt)
            (approval.saved, approval.isPartial) = (payment.saved, payment.isPartial)
            (approval.isOffline, approval.isDryRun) = (payment.isOffline, payment.isDryRun)
            return .approved(approval)
        case .declined(let decline): return .declined(decline)
        case .cancelled(let cancellation): return .cancelled(cancellation)
        case .pending: return nil
        }
    }
}

extension Attempt {
    /// It with a verdict that the journal could not take.
    fileprivate func ended(with verdict: Verdict) -> Attempt {
        guard let run = newest else { return self }
        var after = self
        // A run that has ended returns no part.
        after.apply(.ended(run: run.number, .owner, at: run.begunAt))
        let request = requests.last { $0.run == run.number }?.number
        after.apply(
            .report(
                .init(.verdict(verdict), .reply, run: run.number, request: request, entry: .max, at: run.begunAt)))
        return after
    }
}
