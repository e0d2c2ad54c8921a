internal import PaymentAbstraction
internal import PaymentBase

/// A session that was opened.
struct EcommpayOpening: Sendable {
    let session: Secret
    let offer: EcommpayMethodList

    init?(_ json: JSON?) {
        guard let json, json["status"]?.string == "success", let session = json["sid"]?.string, !session.isEmpty
        else { return nil }
        self.session = Secret(session)
        // A payment of this name is there already, and is not final.
        var offer = EcommpayMethodList(isRestored: json["payment"]?.object != nil)
        offer.methods = (json["payment_methods"]?.array ?? []).compactMap { Self.method($0) }
        offer.saved = (json["accounts"]?.array ?? []).compactMap { EcommpayMapping.instrument($0, of: nil) }
        (offer.titles, offer.logos) = (Self.texts(json["strings"]), Self.texts(json["logos"]))
        self.offer = offer
    }

    private static func method(_ json: JSON) -> EcommpayMethodList.Method? {
        guard let code = json["code"]?.string else { return nil }
        var method = EcommpayMethodList.Method(code: code)
        (method.title, method.kind) = (json["name"]?.string, json["type"]?.string)
        (method.saving, method.logo) = (json["save_mode"]?.string, json["icon_url"]?.string)
        method.cards = (json["card_types"]?.array ?? []).compactMap(\.string)
        method.fields = (json["customer_fields"]?.array ?? []).compactMap { EcommpayCustomerPrompt.field($0) }
        return method
    }

    private static func texts(_ json: JSON?) -> [String: String] {
        var texts: [String: String] = [:]
        for member in json?.object?.members ?? [] { texts[member.key] = member.value.string }
        return texts
    }
}
