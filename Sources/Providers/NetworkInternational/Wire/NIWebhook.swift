internal import PaymentBase

/// A message about an order; it carries the order as the online API writes it.
struct NIWebhook {
    let event: String
    let outlet: String?
    let order: String
    /// The names of the captures and refunds in it, newest last.
    let captures: [String]
    let refunds: [String]

    init?(_ json: JSON?) {
        guard let json, let event = json["eventName"]?.string, let order = json["order"]?["reference"]?.string
        else { return nil }
        (self.event, self.order, outlet) = (event, order, json["outletId"]?.string)
        let parts = (json["order"]?["_embedded"]?["payment"]?.array ?? []).compactMap { $0["_embedded"] }
        captures = parts.flatMap { $0["cnp:capture"]?.array ?? [] }.compactMap { $0["createdTime"]?.string }
        refunds = parts.flatMap { $0["cnp:refund"]?.array ?? [] }.compactMap { refund in
            refund["_links"]?["self"]?["href"]?.string?.split(separator: "/").last.map { String($0) }
        }
    }
}
