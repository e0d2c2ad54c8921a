internal import PaymentAbstraction
internal import PaymentBase

/// One line of the report of payments. Here, and nowhere else, amounts are decimal text in major units.
struct NIListItem {
    let reference: String
    let at: Int64?
    let action: String
    let status: String
    let amount: Money?
    let refunded: Money?
    let channel: String?
    let outletName: String?
    let scheme: String?
    let holder: String?
    let maskedNumber: String?
    let lastEvent: String?
    let retrievalReference: String?
    let authorizationCode: String?

    init?(_ json: JSON) {
        guard let reference = json["reference"]?.string, let action = json["action"]?.string,
            let status = json["status"]?.string
        else { return nil }
        (self.reference, self.action, self.status) = (reference, action, status)
        at = json["createdDateTime"]?.string.flatMap { Timestamp($0)?.milliseconds }
        let currency = json["currencyCode"]?.string.flatMap { Currency.known($0) }
        func money(_ name: String) -> Money? {
            guard let currency, let text = json[name]?.string ?? json[name]?.number?.text else { return nil }
            return try? Money(wireDecimal: text, currency).believable()
        }
        amount = money("amount")
        // The report writes null where nothing was given back; what can't be read stays unknown.
        refunded = json["refundedAmount"]?.isNull == true ? currency.map { .zero($0) } : money("refundedAmount")
        (channel, outletName, scheme) = (
            json["channel"]?.string, json["outletName"]?.string, json["cardScheme"]?.string
        )
        (holder, maskedNumber) = (json["cardholderName"]?.string, json["cardPan"]?.string)
        (lastEvent, retrievalReference) = (json["lastEvent"]?.string, json["rrn"]?.string)
        authorizationCode = json["authCode"]?.string
    }
}
