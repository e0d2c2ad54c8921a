internal import PaymentBase
internal import PaymentCore
internal import PaymentModel

extension CommandSession {
    /// Reports what came of a money operation; gives the status that the program ends with.
    func tell(_ result: PaymentResult, _ attempt: AttemptID) async throws -> ExitStatus {
        let record = try await client.attempt(attempt)
        let payment =
            if let record { try? await client.payment(record.intent.paymentID) } else { nil as PaymentRecord? }
        switch result {
        case .approved, .pending: if call.takesAttempt { call.money.mayHaveMoved(attempt) }
        case .declined, .cancelled: break
        }
        let told = PrintedResult(result: result, attempt: attempt, record: record, payment: payment)
        call.say(.object(told.json), told.lines(call))
        return ExitStatus(result)
    }
}

/// A result with what the journal has of its attempt, so that a decline shows as much as an approval.
struct PrintedResult {
    let result: PaymentResult
    let attempt: AttemptID
    let record: Attempt?
    let payment: PaymentRecord?

    /// Everything that a program may want to know; always the same members.
    var json: JSONObject {
        let approved = result.payment
        var members: JSONObject = [
            "status": .string(result.word), "attempt": .string(attempt.text),
            "payment": .text((approved?.id ?? record?.intent.paymentID)?.attempt.text),
            "operation": .text((approved?.operation ?? record?.intent.operation)?.rawValue),
            "provider": .text((approved?.provider ?? record?.account)?.id.rawValue),
            "environment": .text((approved?.provider ?? record?.account)?.environment),
            "reference": .text(record.map(\.intent.reference) ?? approved?.reference),
            "requested": (approved?.requested ?? record?.intent.amount)?.json ?? .null,
            "approved": approved?.approved.json ?? .null,
            "amounts": (approved?.amounts ?? payment?.amounts)?.json ?? .null,
            "card": approved?.card?.json ?? .null, "saved": .text(approved?.saved?.id.text),
            "isRecorded": .bool(approved?.isRecorded ?? (record != nil)), "references": result.references.json,
            "decline": .null, "cancelledBy": .null,
        ]
        switch result {
        case .approved, .pending: break
        case .declined(let decline):
            members["card"] = decline.card?.json ?? .null
            members["decline"] = decline.json
        case .cancelled(let cancellation): members["cancelledBy"] = .string(cancellation.cause.rawValue)
        }
        return members
    }

    /// What people read.
    func lines(_ call: Invocation) -> [String] {
        let paint = call.paint
        switch result {
        case .approved(let payment): return payment.lines(paint)
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
    private var back: String? { record?.state == .reversed ? "It was executed, and the money came back since." : nil }

    /// Whether another card could bring about something else; what follows a payment has none.
    private var isOfCard: Bool {
        switch record?.intent.operation {
        case .capture, .void, .refund, .adjust, .tipAdjustment, .chargeback: false
        case .sale, .authorize, .verify, .tokenize, .debit, .unlinkedRefund, nil: true
        }
    }

    /// What is reported of everything that is no approval.
    private var common: [String] {
        var lines = ["attempt    \(attempt)"]
        guard let record else { return lines }
        if record.intent.paymentID.attempt != attempt { lines.append("payment    \(record.intent.paymentID)") }
        lines += [
            "asked      \(record.intent.operation.rawValue) of \(record.intent.amount)",
            "provider   \(record.account.id)", "reference  \(record.intent.reference ?? "none")",
        ]
        return lines
    }
}

extension PaymentResult {
    /// What became of it, in one word.
    var word: String {
        switch self {
        case .approved: "approved"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .pending: "pending"
        }
    }

    /// What the provider calls it.
    fileprivate var references: PaymentReferences {
        switch self {
        case .approved(let payment): payment.references
        case .declined(let decline): decline.references
        case .cancelled(let cancellation): cancellation.references
        case .pending(let pending): pending.references
        }
    }
}
