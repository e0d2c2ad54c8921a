internal import PaymentBase

/// What the memory provider answers about a payment or an operation on one.
struct MemoryReply {
    let id: String
    let state: String
    let attempt: String
    let minorUnits: Int64?
    let currency: String?
    let code: String
    let message: String
    let authorization: String?
    let movement: String?
    let pinToken: String?
    let address: String?
    let fields: [String]
    let saved: String?
    let isPartial: Bool
    let card: JSON?
    let at: Int64?
    let reference: String?
    let event: String?

    /// Reads a body; everything but the state may be missing.
    init?(_ body: JSON?) {
        guard let body, let state = body["state"]?.string else { return nil }
        self.state = state
        id = body["id"]?.string ?? ""
        attempt = body["attempt"]?.string ?? ""
        minorUnits = body["amount"]?["minorUnits"]?.int64
        currency = body["amount"]?["currency"]?.string
        (code, message) = (body["code"]?.string ?? "", body["message"]?.string ?? "")
        authorization = body["authorization"]?.string
        movement = body["movement"]?.string
        pinToken = body["pinToken"]?.string
        address = body["address"]?.string
        fields = body["fields"]?.array?.compactMap(\.string) ?? []
        saved = body["saved"]?.string
        isPartial = body["partial"]?.bool ?? false
        card = body["card"]
        at = body["at"]?.int64
        reference = body["reference"]?.string
        event = body["event"]?.string
    }
}
