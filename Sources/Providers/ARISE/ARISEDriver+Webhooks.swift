public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ARISEDriver: WebhookDriver {
    /// How old a message may be, and how far its clock may be ahead, in milliseconds.
    static let toleranceMilliseconds: Int64 = 300_000

    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        guard let secret = configuration.webhookSecret, let id = message.headers["flute-webhook-id"],
            let seconds = message.headers["flute-webhook-timestamp"], let signed = Int64(seconds),
            signed > 0, signed < Int64.max / 1_000, abs(message.at - signed * 1_000) <= Self.toleranceMilliseconds
        else { throw Self.notVerified }
        let text = ARISESignatures.text(id: id, seconds: seconds, body: message.body)
        let due = try crypto.authenticate(.sha256, key: secret, text)
        guard ARISESignatures.fits(message.headers["flute-webhook-signature"] ?? "", due, crypto) else {
            throw Self.notVerified
        }
        guard let body = try? JSONReader().read(message.body), let kind = body["type"]?.string else {
            throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read")
        }
        guard let name = body["data"]?["object"]?["id"]?.string else { return [] }
        let at = Self.instant(body["created"])
        let failed = Verdict.declined(Decline(.failedAfterApproval, provider: ProviderMessage(code: kind)))
        return Self.meanings(kind).map { operations, isFailure in
            // Without the moment of the failure it is not known whether it came before what is known: a hint to ask.
            let verdict = isFailure && at != nil ? failed : nil
            var notice = ProviderNotice(.reference(name, operations), verdict, at: at, kind: kind)
            notice.id = id
            return notice
        }
    }

    /// Which operations an event may be about, and whether it says by itself that they failed.
    ///
    /// An event names a transaction and no amount, so that success is looked up; so is the failure of a payment, whose
    /// name an operation on it shares. Only a refund has a name of its own.
    private static func meanings(_ kind: String) -> [(Set<PaymentOperation>, isFailure: Bool)] {
        guard kind.hasPrefix("transaction.card.") || kind.hasPrefix("transaction.ach.") else { return [] }
        switch kind.split(separator: ".").last {
        case "authorized": return [([.authorize], false)]
        case "captured", "settled", "cleared": return [([.sale, .capture], false)]
        case "declined", "failed":
            return [([.sale, .authorize, .capture], false), ([.refund, .unlinkedRefund], true)]
        case "voided": return [([.void], false)]
        case "refunded": return [([.refund, .unlinkedRefund], false)]
        default: return []
        }
    }

    /// Whether an event tells of a transaction.
    static func isListed(_ kind: String) -> Bool { !meanings(kind).isEmpty }

    private static func instant(_ created: JSON?) -> Int64? {
        if let seconds = created?.int64 { return Timestamp(seconds: seconds)?.milliseconds }
        return created?.string.flatMap { Timestamp($0, offsetMinutes: 0)?.milliseconds }
    }

    private static let notVerified = PaymentError.notExecuted(.signatureInvalid, "the webhook's signature does not fit")
}
