internal import PaymentBase
internal import PaymentModel

/// What an import line says of a refund or a capture that followed a payment of this journal, and that a restore lost.
struct ImportedFollowUp: Sendable {
    let operation: PaymentOperation
    let payment: PaymentID
    let reference: String?

    /// What says something about a payment as a whole.
    private static let membersOfPayments = ["refunded", "chargebacks", "part", "source", "last4"]

    /// Nil where the line is about a payment.
    ///
    /// - Throws: `ImportedPayment.Refused` where the line says only one of payment and operation, or what no follow-up has.
    init?(_ line: JSONObject) throws(ImportedPayment.Refused) {
        if line["payment"] == nil, line["operation"] == nil { return nil }
        guard let text = line["payment"]?.string, let payment = try? AttemptID(text) else {
            throw .init(words: "payment is no id of a payment; a line with operation says which payment it followed")
        }
        switch line["operation"]?.string {
        case "refund": operation = .refund
        case "capture": operation = .capture
        default: throw .init(words: "operation is neither refund nor capture; a line with payment is one of them")
        }
        if let member = Self.membersOfPayments.first(where: { line[$0] != nil }) {
            throw .init(words: "a line with payment has no \(member): that is about a payment as a whole")
        }
        if let member = line["reference"] {
            guard let text = member.string, !text.isEmpty else { throw .init(words: "reference is no text") }
            reference = text
        } else {
            reference = nil
        }
        self.payment = PaymentID(payment)
    }
}

extension Transaction {
    /// Why a follow-up that a list shows does not fit beside what its payment has; nil if it does.
    func misfit(_ movement: ImportedMovement) -> JournalRefusal? {
        let intent = movement.begin.intent
        let payment = record(intent.paymentID)
        guard let origin = payment.origin, origin.intent.scope == intent.scope else { return .noSuchPayment }
        if let upTo = origin.listedUpTo, movement.paidAt.map({ $0 <= upTo }) ?? true {
            return .notAllowed("The import of the payment \(payment.id) speaks for that time, and had counted it.")
        }
        // What has no name yet may be the same; so may what came after the statement, if that says only a sum.
        let same = payment.attempts.first { other in
            guard !other.intent.isOrigin, other.intent.operation.isLike(intent.operation) else { return false }
            if other.isOpen { return true }
            guard other.state == .approved, other.lastKnownAmount == intent.amount else { return false }
            let isNewer = (other.runs.first?.begunAt.wall ?? .max) > movement.saidAt
            return other.names.isEmpty || movement.names.isEmpty && isNewer
        }
        if let same { return .mayBe(same.intent.attempt) }
        return payment.refusal(of: movement.begin, isHoldOver: false)
    }
}
