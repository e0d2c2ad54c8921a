internal import PaymentBase

/// What may be shown of a card as JSON and back; the holder's name stays out.
enum CardCodec {
    static func json(_ card: CardSummary) -> JSONObject {
        var object = JSONObject()
        object["brand"] = card.brand.map { .string($0) }
        object["last4"] = card.last4.map { .string($0) }
        object["expiry"] = card.expiry.map { .string($0) }
        object["entry"] = card.entry.map { .string($0) }
        object["funding"] = card.funding.map { .string($0) }
        object["country"] = card.issuerCountry.map { .string($0) }
        return object
    }

    static func card(_ json: JSON) -> CardSummary {
        var card = CardSummary(brand: json["brand"]?.string, last4: json["last4"]?.string)
        card.expiry = json["expiry"]?.string
        card.entry = json["entry"]?.string
        card.funding = json["funding"]?.string
        card.issuerCountry = json["country"]?.string
        return card
    }

    /// An instrument without its token.
    static func json(_ saved: SavedInstrument) -> JSONObject {
        var object: JSONObject = ["id": .string(saved.id.rawValue)]
        object["card"] = saved.card.map { .object(json($0)) }
        object["customer"] = saved.customer.map { .string($0) }
        return object
    }

    static func saved(_ json: JSON) -> SavedInstrument {
        let id = SavedInstrument.ID(rawValue: json["id"]?.string ?? "")
        var saved = SavedInstrument(id, card: json["card"].map { card($0) })
        saved.customer = json["customer"]?.string
        return saved
    }
}
