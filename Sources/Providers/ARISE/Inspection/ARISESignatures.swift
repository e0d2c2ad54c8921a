internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

/// How webhooks are signed: over `id.timestamp.body`, where the first two come in header fields.
///
/// What is signed by hand is given in one of two forms: the signed text itself, as `wh-1.1767225600.{"type":…}`, or a
/// JSON object `{"id": "wh-1", "timestamp": "1767225600", "body": "{\"type\":…}"}` whose `body` is the text of the body
/// and which may have the `signature` in it.
struct ARISESignatures: SignatureScheme {
    /// What the signature begins with.
    static let version = "v1,"

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
        field.split(separator: " ").contains { part in
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
