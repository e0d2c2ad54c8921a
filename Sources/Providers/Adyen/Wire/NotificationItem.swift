internal import PaymentBase

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

    /// The terminal's own name of the payment. No signature covers it.
    var tender: String? { additional?.member("tenderReference")?.text }

    /// Whether it is about a charge of a saved card, with nobody at a terminal.
    var isOfSaved: Bool { additional?.member("shopperInteraction")?.text == "ContAuth" }

    /// Whether it is about a reversal that a terminal or a phone asked for, which carries no key.
    var isOfReversal: Bool { eventCode == "CANCEL_OR_REFUND" }

    /// Every item of a message; nil when it is none.
    static func items(_ body: JSON?) -> [JSON]? { body?.member("notificationItems")?.items }

    /// Whether what is signed could be another item's, too: the mark between two values stands in one that never has it.
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
