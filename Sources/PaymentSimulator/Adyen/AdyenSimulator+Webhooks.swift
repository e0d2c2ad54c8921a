internal import PaymentBase
internal import PaymentTransport

extension AdyenSimulator {
    /// One item of a webhook, before it is signed.
    struct Item {
        let code: String
        let psp: String
        var original = ""
        let reference: String
        let units: Int64
        let currency: String
        var succeeds = true
        var reason = ""
        let at: Int64

        init(
            _ code: String, psp: String, original: String = "", reference: String, units: Int64, currency: String,
            succeeds: Bool = true, reason: String = "", at instant: Int64
        ) {
            (self.code, self.psp, self.original, self.reference) = (code, psp, original, reference)
            (self.units, self.currency, self.succeeds, self.reason) = (units, currency, succeeds, reason)
            at = instant
        }

        func json(_ additional: JSONObject) -> JSON {
            var item: JSONObject = [
                "additionalData": .object(additional),
                "amount": ["currency": .string(currency), "value": .number(JSONNumber(units))],
                "eventCode": .string(code), "eventDate": .string(stamp(at)), "merchantAccountCode": "TestMerchant",
                "merchantReference": .string(reference),
            ]
            if !original.isEmpty { item["originalReference"] = .string(original) }
            for (name, value) in [("pspReference", psp), ("reason", reason), ("success", succeeds ? "true" : "false")] {
                item[name] = .string(value)
            }
            return .object(item)
        }
    }

    /// Says one item in a webhook of its own.
    static func announce(_ item: Item, _ additional: JSONObject, _ state: inout State) {
        guard let told = state.reading.item(item.json(additional)) else { return }
        for items in state.reading.items([told]) {
            let body = state.signer.webhook(items)
            state.outbox.add(OutgoingWebhook(body: body, at: item.at, attempt: item.reference))
        }
    }
}

/// Signs webhooks as the documents say.
struct AdyenSigner: Sendable {
    /// The key as hexadecimal text.
    let key: Secret
    let crypto: any Crypto

    /// A webhook with its items signed.
    func webhook(_ items: [JSON]) -> [UInt8] {
        let signed: [JSON] = items.map { ["NotificationRequestItem": sign($0)] }
        return JSON.object(["live": "false", "notificationItems": .array(signed)]).bytes()
    }

    /// Signs eight values with colons between.
    private func sign(_ item: JSON) -> JSON {
        let parts: [String] = [
            item["pspReference"]?.string ?? "", item["originalReference"]?.string ?? "",
            item["merchantAccountCode"]?.string ?? "", item["merchantReference"]?.string ?? "",
            item["amount"]?["value"]?.number?.text ?? "", item["amount"]?["currency"]?.string ?? "",
            item["eventCode"]?.string ?? "", item["success"]?.string ?? (item["success"]?.bool).map { "\($0)" } ?? "",
        ]
        guard let bytes = Hex.decode(key.expose()),
            let code = try? crypto.authenticate(
                .sha256, key: Secret(bytes: bytes), Array(parts.joined(separator: ":").utf8)),
            var object = item.object
        else { return item }
        var additional = object["additionalData"]?.object ?? [:]
        additional["hmacSignature"] = .string(Base64.standard.encode(code))
        object["additionalData"] = .object(additional)
        return .object(object)
    }
}
