internal import PaymentAbstraction
internal import PaymentBase

/// What ARISE answers about one transaction: an answer to a request, its receipt, its details, or an item of a list.
///
/// The four shapes share their names; what an answer lacks is taken from the receipt inside it.
struct ARISETransaction: Sendable {
    let body: JSON
    let receipt: JSON?
    /// Where it stands; nil when nothing says it, or when a word is no word and a number no number.
    let status: ARISEStatus?

    /// One member of `availableOperations`.
    struct Available: Sendable {
        let operation: ARISEOperation
        let name: String
        let amount: Money?
        let suggestedTips: [Money]
    }

    init(_ body: JSON) {
        (self.body, receipt, status) = (body, body["transactionReceipt"], Self.status(body))
    }

    private static func status(_ body: JSON) -> ARISEStatus? {
        let (word, number) = (body["status"] ?? .null, body["statusId"] ?? .null)
        guard word.isNull || word.string != nil, number.isNull || number.int64 != nil else { return nil }
        return ARISEStatus(word: word.string, number: number.int64)
    }

    subscript(name: String) -> JSON? {
        if let value = body[name], !value.isNull { return value }
        if let value = receipt?[name], !value.isNull { return value }
        return nil
    }

    func text(_ name: String) -> String? { self[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    var id: String? { text("transactionId") ?? text("id") }
    var type: ARISEOperation? {
        (body["typeId"]?.int64 ?? body["operationTypeId"]?.int64).map { ARISEOperation(rawValue: $0) }
    }
    var at: Int64? {
        (text("transactionDateTime") ?? text("date")).flatMap { Timestamp($0, offsetMinutes: 0)?.milliseconds }
    }
    var orderNumber: String? { text("orderNumber") }
    var details: JSON? { body["details"] }
    var maskedPan: String? { details?["maskedPan"]?.string ?? text("customerPan") }

    /// The currency that it names; nil when it names none.
    ///
    /// - Throws: `unreadableReply` for one that is in no list, or for two different ones.
    func currency() throws(PaymentError) -> Currency? {
        let code = text("currencyCode") ?? text("currency")
        let number = self["currencyId"]?.int64
        let named = code.map { Currency.known($0) }
        let numbered = number.map { ARISEMapping.currencies[$0] ?? ARISEMapping.isoCurrencies[$0] }
        if let named, named == nil { throw ARISEMapping.unreadable("the currency is in no list") }
        if let numbered, numbered == nil { throw ARISEMapping.unreadable("the number of the currency is in no list") }
        if let one = named ?? nil, let two = numbered ?? nil, one != two {
            throw ARISEMapping.unreadable("the answer names two currencies")
        }
        return named ?? numbered ?? nil
    }

    /// What was moved in all, in the currency that the answer names, else in the one that was asked for.
    ///
    /// - Throws: `unreadableReply` when there is none, or when two places say different things.
    func total(_ asked: Currency) throws(PaymentError) -> Money? {
        let currency = try currency() ?? asked
        let places = [
            body["processedAmount"], body["totalAmount"], receipt?["amount"]?["totalAmount"],
            body["amount"]?["totalAmount"],
        ]
        var seen: Set<Money> = []
        for case let value? in places where !value.isNull { seen.insert(try ARISEMapping.money(value, currency)) }
        if seen.count > 1 { throw ARISEMapping.unreadable("the answer names two amounts") }
        return seen.first
    }

    /// How much of the total is a tip; zero when the answer names none.
    func tip(_ asked: Currency) throws(PaymentError) -> Money {
        let currency = try currency() ?? asked
        guard let tip = self["amount"]?["tipAmount"], !tip.isNull else { return .zero(currency) }
        return try ARISEMapping.money(tip, currency)
    }

    /// What can be done with it now, as the server names it; nil when it doesn't say.
    func available(_ asked: Currency) throws(PaymentError) -> [Available]? {
        guard let items = self["availableOperations"]?.array else { return nil }
        let currency = try currency() ?? asked
        var found: [Available] = []
        for item in items {
            guard let number = item["typeId"]?.int64 else { continue }
            var tips: [Money] = []
            for tip in item["suggestedTips"]?.array ?? [] {
                if let amount = tip["tipAmount"] { tips.append(try ARISEMapping.money(amount, currency)) }
            }
            let amount = try item["availableAmount"].map { value throws(PaymentError) in
                value.isNull ? nil : try ARISEMapping.money(value, currency)
            }
            let name = item["type"]?.string ?? ARISEOperation.names[number] ?? String(number)
            found.append(
                Available(
                    operation: ARISEOperation(rawValue: number), name: name, amount: amount ?? nil,
                    suggestedTips: tips))
        }
        return found
    }

    /// What is left of one operation; zero when the server names it no more, nil when that can't be told.
    func left(_ operation: ARISEOperation, _ asked: Currency) throws(PaymentError) -> Money? {
        guard let operations = try available(asked) else { return nil }
        guard let found = operations.first(where: { $0.operation == operation }) else {
            return status == .refunded ? .zero(asked) : nil
        }
        return found.amount
    }
}
