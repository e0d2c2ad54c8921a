public import PaymentProviderKit

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

    /// Which operations an event may be about, and whether it says on its own that they failed.
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
        // The record changes in place: who else voids it, or lets a hold lapse, says so under the payment's own name.
        case "voided": return [([.void, .sale, .authorize, .unlinkedRefund], false)]
        // Both words are of bank transfers alone.
        case "charged_back": return [([.sale, .unlinkedRefund], false)]
        case "cancelled": return [([.sale, .unlinkedRefund, .void], false)]
        case "refunded": return [([.refund, .unlinkedRefund], false)]
        default: return []
        }
    }

    /// Whether an event reports a transaction.
    static func isListed(_ kind: String) -> Bool { !meanings(kind).isEmpty }

    private static func instant(_ created: JSON?) -> Int64? {
        if let seconds = created?.int64 { return Timestamp(seconds: seconds)?.milliseconds }
        return created?.string.flatMap { Timestamp($0, offsetMinutes: 0)?.milliseconds }
    }

    private static let notVerified = PaymentError.notExecuted(.signatureInvalid, "the webhook's signature does not fit")
}

/// How webhooks are signed: over `id.timestamp.body`, where the first two come in header fields.
///
/// What is signed by hand is given in one of two forms: the signed text itself, as `wh-1.1767225600.{"type":…}`, or a
/// JSON object `{"id": "wh-1", "timestamp": "1767225600", "body": "{\"type\":…}"}` whose `body` is the text of the body
/// and which may have the `signature` in it.
struct ARISESignatures: SignatureScheme {
    /// What the signature begins with.
    static let version = "v1,"
    /// How long a header field with signatures may be, in bytes: two of them stand there while a secret is replaced.
    static let fieldBytesMax = 1_024

    func sign(_ message: [UInt8], secret: Secret, crypto: any Crypto) throws(PaymentError) -> String {
        Self.version + Base64.standard.encode(try Self.code(try Self.signed(message).text, secret, crypto))
    }

    func verifies(
        _ message: [UInt8], signature: String?, secret: Secret, crypto: any Crypto
    ) throws(PaymentError) -> Bool {
        let (text, inside) = try Self.signed(message)
        guard let given = signature ?? inside else { throw Self.refused("the message has no signature inside") }
        return Self.fits(given, try Self.code(text, secret, crypto), crypto)
    }

    /// The signed text of a webhook.
    static func text(id: String, seconds: String, body: [UInt8]) -> [UInt8] { Array("\(id).\(seconds).".utf8) + body }

    /// Whether one of the signatures in a header field is the one that is due; compared in constant time.
    static func fits(_ field: String, _ due: [UInt8], _ crypto: any Crypto) -> Bool {
        guard field.utf8.count <= fieldBytesMax else { return false }
        return field.split(separator: " ").contains { part in
            guard part.hasPrefix(version), let given = Base64.standard.decode(String(part.dropFirst(version.count)))
            else { return false }
            return crypto.equal(given, due)
        }
    }

    private static func code(
        _ text: [UInt8], _ secret: Secret, _ crypto: any Crypto
    ) throws(PaymentError) -> [UInt8] {
        guard !secret.isEmpty else { throw refused("the secret is empty") }
        do { return try crypto.authenticate(.sha256, key: secret, text) } catch {
            throw PaymentError.notExecuted(.unsupported, "there is no cryptography: \(error)")
        }
    }

    private static func signed(_ message: [UInt8]) throws(PaymentError) -> (text: [UInt8], signature: String?) {
        if let json = try? JSONReader().read(message), json.object != nil {
            guard let id = json["id"]?.string, let body = json["body"]?.string,
                let seconds = json["timestamp"]?.string ?? json["timestamp"]?.int64.map({ String($0) })
            else { throw refused("a JSON object to sign has `id`, `timestamp` and the text of the `body`") }
            return (text(id: id, seconds: seconds, body: Array(body.utf8)), json["signature"]?.string)
        }
        // Whatever ends a file is not a part of the signed text.
        let text = message.last == 0x0A ? Array(message.dropLast()) : message
        let parts = text.split(separator: 0x2E, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, Int64(String(decoding: parts[1], as: UTF8.self)) != nil else {
            throw refused("what is signed is `id.timestamp.body`, or a JSON object of these three")
        }
        return (text, nil)
    }

    private static func refused(_ why: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, why)
    }
}
