internal import PaymentBase
internal import PaymentModel

/// One chargeback of a payment from before our time, as a line of an import has it.
struct ImportedChargeback: Sendable {
    let name: String
    let amount: Money
    let at: Int64

    private static let members: Set<String> = ["name", "minorUnits", "at"]
    /// How many a payment has at most.
    private static let countMax = 20

    /// Reads the member `chargebacks` of a line.
    ///
    /// - Throws: `ImportedPayment.Refused` where a chargeback has no name, no amount or no moment: without its name a
    ///   message about it would count it twice.
    static func all(
        _ json: JSON?, _ whole: Money, takenAt: Int64
    ) throws(ImportedPayment.Refused) -> [ImportedChargeback] {
        guard let json else { return [] }
        guard let list = json.array, list.count <= countMax else {
            throw .init(words: "chargebacks is no list of up to \(countMax) objects with name, minorUnits and at")
        }
        var names: Set<String> = []
        return try list.map { one throws(ImportedPayment.Refused) in
            for member in one.object?.members ?? [] where !members.contains(member.key) {
                throw .init(words: "a chargeback has name, minorUnits and at, and nothing else")
            }
            guard let name = one["name"]?.string, Transaction.isName(name), names.insert(name).inserted else {
                throw .init(words: "a chargeback has no name of its own; write what the provider calls it")
            }
            guard let units = one["minorUnits"]?.int64, (1...whole.minorUnits).contains(units) else {
                throw .init(words: "minorUnits of the chargeback \(name) is no whole number from 1 up to the payment's")
            }
            guard let at = try ImportedPayment.moment(one, "at"), at >= takenAt else {
                throw .init(words: "at of the chargeback \(name) is missing, or before takenAt")
            }
            return ImportedChargeback(name: name, amount: Money(minorUnits: units, whole.currency), at: at)
        }
    }

    /// The movement at a payment. Its id is the one that a message of the provider about it makes.
    func movement(
        of payment: PaymentID, _ account: ProviderIdentity, scope: String
    ) throws(ImportedPayment.Refused) -> ImportedMovement.Chargeback {
        guard let id = AttemptID.movement(account, .chargeback, name) else {
            throw .init(words: "the name of a chargeback can't be kept")
        }
        let intent = Attempt.Intent(id, .chargeback, amount, payment: payment, scope: scope)
        return ImportedMovement.Chargeback(intent: intent, name: name, at: at)
    }
}

extension Transaction {
    /// An attempt that has the name of a chargeback and is no movement of that name.
    func chargebackHolder(_ movement: ImportedMovement) -> AttemptID? {
        movement.chargebacks.lazy.compactMap { one in
            self.otherHolder([one.name], one.intent.attempt, movement.begin.account, givesWay: false)
        }.first
    }

    /// Records what a customer's bank took back: what a message of the provider did not bring already.
    mutating func addChargebacks(_ movement: ImportedMovement) {
        for one in movement.chargebacks where attempts[one.intent.attempt] == nil {
            let id = one.intent.attempt
            create(one.intent, at: movement.begin.account)
            var approval = Approval(one.intent.amount)
            approval.executedAt = one.at
            say(.approved(approval), .imported(saidAt: movement.saidAt), of: id)
            name([one.name], id, request: nil)
        }
    }
}
