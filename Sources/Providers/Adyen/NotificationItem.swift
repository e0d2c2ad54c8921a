internal import PaymentProviderKit

/// The HMAC of an item's signed text, and whether one fits a key.
enum AdyenHMAC {
    /// The signature of bytes under a key in hexadecimal; nil where the key is none.
    static func signature(_ bytes: [UInt8], _ key: Secret, _ crypto: any Crypto) -> [UInt8]? {
        guard let key = Hex.decode(key.expose()), !key.isEmpty else { return nil }
        return try? crypto.authenticate(.sha256, key: Secret(bytes: key), bytes)
    }

    /// Whether a signature fits one of the keys; without keys nothing does.
    static func isGenuine(_ bytes: [UInt8], _ signature: String, _ keys: [Secret], _ crypto: any Crypto) -> Bool {
        guard let given = Base64.standard.decode(signature) else { return false }
        return keys.reduce(false) { isGenuine, key in
            guard let due = self.signature(bytes, key, crypto) else { return isGenuine }
            return crypto.equal(given, due) || isGenuine
        }
    }
}

/// One item of a webhook.
struct NotificationItem: Sendable {
    let eventCode: String
    let pspReference: String
    let originalReference: String
    let merchantAccount: String
    let merchantReference: String
    /// As it was written, to be signed again.
    let amountValue: String
    let currency: String
    let success: String
    let reason: String
    let eventDate: String
    let signature: String?
    let additional: JSON?

    /// Reads an item; nil when it does not say what happened to what.
    init?(_ json: JSON) {
        let item = json.member("NotificationRequestItem") ?? json
        guard let code = item.member("eventCode")?.text, let name = item.member("pspReference")?.text else {
            return nil
        }
        (eventCode, pspReference) = (code, name)
        originalReference = item.member("originalReference")?.text ?? ""
        merchantAccount = item.member("merchantAccountCode")?.text ?? ""
        merchantReference = item.member("merchantReference")?.text ?? ""
        amountValue = item.member("amount", "value")?.text ?? ""
        currency = item.member("amount", "currency")?.text ?? ""
        success = item.member("success")?.text?.lowercased() ?? ""
        reason = item.member("reason")?.text ?? ""
        eventDate = item.member("eventDate")?.text ?? ""
        additional = item.member("additionalData")
        signature = additional?.member("hmacSignature")?.text
    }

    // MARK: - Not signed: docs/webhooks.md says what each may decide

    /// The terminal's own name of the payment.
    var tender: String? { additional?.member("tenderReference")?.text }

    /// Whether it is about a charge of a saved card, without a shopper at a terminal.
    var isOfSaved: Bool { additional?.member("shopperInteraction")?.text == "ContAuth" }

    /// Whether the provider charges a refused card again on its own, so that the refusal is not the last one.
    var isTriedAgain: Bool { additional?.member("retry.rescueScheduled")?.truth == true }

    /// Whether the provider repeated a capture that had failed at the card scheme, and succeeded.
    var isRecapture: Bool {
        let reasons = ["transaction recaptured", "transaction auto-recaptured"]
        return eventCode == "CAPTURE" && success == "true" && reasons.contains(reason.lowercased())
    }

    // MARK: - Signed

    /// Whether a dispute that the merchant had won is lost after all. It follows that message, whichever comes first.
    var isSecondChargeback: Bool { eventCode == "SECOND_CHARGEBACK" }

    /// Whether the merchant has won a dispute after its second chargeback. It follows that message, whichever comes first.
    var isWonAtLast: Bool { ["PREARBITRATION_WON", "SCHEME_ARBITRATION_WON"].contains(eventCode) }

    /// Whether it is about a reversal that a terminal or a phone asked for, which carries no key.
    var isOfReversal: Bool { eventCode == "CANCEL_OR_REFUND" }

    /// Every item of a message; nil when it is none.
    static func items(_ body: JSON?) -> [JSON]? { body?.member("notificationItems")?.items }

    /// Whether what is signed could be another item's, too: the mark between two values is in one that never has it.
    /// In the merchant's reference alone it leaves no doubt.
    var isAmbiguous: Bool {
        [pspReference, originalReference, merchantAccount, amountValue, currency, eventCode, success].contains {
            $0.utf8.contains(UInt8(ascii: ":"))
        }
    }

    /// What is signed.
    var signedText: String {
        [
            pspReference, originalReference, merchantAccount, merchantReference, amountValue, currency, eventCode,
            success,
        ].joined(separator: ":")
    }
}
