#if DEBUG
import AllProviders
import CCountedMemory
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport

@testable import AdyenProvider
@testable import EcommpayProvider

extension Axis {
    /// Webhooks of every provider, with a signature that fits and with one that does not.
    static var providers: [Axis] {
        WebhookSubject.all.flatMap { subject in
            WebhookSubject.shapes(subject.name).flatMap { name, make in
                [true, false].map { isProven in
                    Axis("webhook-\(subject.name)", "\(name)\(isProven ? "" : "-forged")", memory: 64) { count in
                        var (headers, body) = (["x": "y"], make(count))
                        WebhookSubject.sign(subject.name, &headers, &body, isProven: isProven)
                        return Work(body) { body in
                            let message = WebhookMessage(headers: headers, body: body, at: WebhookSubject.at)
                            _ = try? subject.driver.notices(in: message)
                        }
                    }
                }
            }
        } + signatures
    }

    /// Signatures that come in a header field, and keys in other forms.
    private static var signatures: [Axis] {
        func field(_ name: String, _ part: String) -> Axis {
            Axis("webhook-arise", name) { count in
                let field = String(repeating: part, count: max(count / part.utf8.count, 1))
                return Work(Array(field.utf8)) { bytes in
                    let message = WebhookMessage(
                        headers: [
                            "flute-webhook-id": "id",
                            "flute-webhook-timestamp": "\(WebhookSubject.at / 1_000)",
                            "flute-webhook-signature": String(decoding: bytes, as: UTF8.self),
                        ], body: Array("{}".utf8), at: WebhookSubject.at)
                    guard let subject = WebhookSubject.all.first(where: { $0.name == "arise" }) else { return }
                    _ = try? subject.driver.notices(in: message)
                }
            }
        }
        return [field("signatures", "v1,QUJD "), field("signatureLength", "v1,QUJDQUJDQUJDQUJD"), field("blanks", " ")]
    }
}

/// The driver of one provider that takes webhooks, with a key for everything.
struct WebhookSubject: Sendable {
    let name: String
    let driver: any WebhookDriver

    private static let made = Locked([WebhookSubject]())
    /// One for each provider, once they are made.
    static var all: [WebhookSubject] { made.withLock { $0 } }
    private static let key = "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"
    static let at: Int64 = 1_767_225_600_000

    /// Makes one adapter for each provider.
    static func prepare() async {
        for entry in ProviderRegistry.builtin.entries {
            let environment = entry.environments.first { $0.allowsPlainHTTP } ?? entry.environments.first
            var credentials = JSONObject()
            if let credential = entry.webhookCredential { credentials[credential] = "env:WEBHOOK_KEY" }
            let file: JSON = [
                "active": .string(entry.adapter), "journal": ["kind": "memory"],
                "providers": .object([
                    entry.adapter: [
                        "adapter": .string(entry.adapter), "environment": .string(environment?.name ?? ""),
                        "merchant": .string(environment?.publicMerchant ?? "any"),
                        "credentials": .object(credentials),
                    ]
                ]),
            ]
            var tools = ProviderDependencies(transport: InProcessTransport([:]))
            tools.crypto = OpenSSLCrypto()
            guard let read = try? ConfigurationReader(.builtin).read(file.bytes(), file: "f"),
                let driver = try? await read.drivers(tools, secrets: OneKey(key: key)).first as? any WebhookDriver
            else { continue }
            let subject = WebhookSubject(name: entry.adapter, driver: driver)
            made.withLock { $0.append(subject) }
        }
    }

    /// Bodies of about so many bytes: what every provider can be sent, and what this one's items are.
    static func shapes(_ provider: String) -> [(name: String, body: @Sendable (Int) -> [UInt8])] {
        let common = JSONShape.allCases.map { shape in
            let body: @Sendable (Int) -> [UInt8] = { Array(shape.text($0).utf8) }
            return (name: shape.rawValue, body: body)
        }
        guard provider == "adyen" else { return common }
        @Sendable func items(_ count: Int, _ item: (Int) -> String) -> [UInt8] {
            let list = (0..<max(count / 400, 1)).map(item).joined(separator: ",")
            return Array("{\"live\":\"false\",\"notificationItems\":[\(list)]}".utf8)
        }
        let own: [(name: String, body: @Sendable (Int) -> [UInt8])] = [
            ("notices", { items($0) { item("p\($0)", 0) } }), ("sameNotice", { items($0) { _ in item("p", 0) } }),
            ("longNotice", { Array("{\"notificationItems\":[\(item("p", $0))]}".utf8) }),
        ]
        return common + own
    }

    private static func item(_ name: String, _ reasonBytes: Int) -> String {
        let crypto = OpenSSLCrypto()
        let fields: JSON = [
            "eventCode": "CAPTURE", "pspReference": .string(name), "originalReference": "o", "success": "true",
            "merchantAccountCode": "any", "merchantReference": "a-1", "eventDate": "2026-01-01T00:00:00Z",
            "amount": ["value": 100, "currency": "EUR"],
            "reason": .string(String(repeating: "r", count: reasonBytes)),
        ]
        let text = NotificationItem(fields).map { Array($0.signedText.utf8) } ?? []
        let signature = AdyenHMAC.signature(text, Secret(key), crypto).map { Base64.standard.encode($0) } ?? ""
        let whole = fields.adding("additionalData", ["hmacSignature": .string(signature)])
        let wrapped: JSON = ["NotificationRequestItem": whole]
        return String(decoding: wrapped.bytes(), as: UTF8.self)
    }

    /// Adds a signature of the right form, which fits or doesn't.
    static func sign(_ provider: String, _ headers: inout [String: String], _ body: inout [UInt8], isProven: Bool) {
        let crypto = OpenSSLCrypto()
        let key = isProven ? Secret(key) : Secret(String(key.reversed()))
        switch provider {
        case "ni": headers["x-ngenius-webhook-signature"] = key.expose()
        case "memory": headers["x-memory-secret"] = key.expose()
        case "arise":
            let seconds = "\(at / 1_000)"
            (headers["flute-webhook-id"], headers["flute-webhook-timestamp"]) = ("id", seconds)
            let code = try? crypto.authenticate(.sha256, key: key, Array("id.\(seconds).".utf8) + body)
            headers["flute-webhook-signature"] = "v1," + Base64.standard.encode(code ?? [])
        case "ecommpay":
            guard body.first == UInt8(ascii: "{"), let json = try? JSONReader().read(body) else { return }
            let text = (try? EcommpaySigning.text(json)) ?? ""
            let fitting = (try? EcommpaySigning.signature(text, key, crypto)) ?? ""
            let member = "{\"signature\":\"\(fitting)\"" + (body == Array("{}".utf8) ? "" : ",")
            body = Array(member.utf8) + body.dropFirst()
        default: break
        }
    }

    // MARK: - Memory

    /// How much memory unsigned messages of so many bytes take at most, by their shape; nil if there is no such provider.
    static func memory(of provider: String, bytes: Int) -> [(shape: String, bytes: Int)]? {
        guard let subject = all.first(where: { $0.name == provider }) else { return nil }
        return shapes(provider).map { name, make in
            var (headers, body) = (["x": "y"], make(bytes))
            sign(provider, &headers, &body, isProven: false)
            let message = WebhookMessage(headers: headers, body: body, at: at)
            // Once before, for what is made once in a process.
            _ = try? subject.driver.notices(in: message)
            return (name, Growth.memory(Work(body) { _ in _ = try? subject.driver.notices(in: message) }))
        }
    }
}

/// Every reference leads to the one key.
private struct OneKey: SecretResolver {
    let key: String
    func environment(_ name: String) async throws(SecretResolutionError) -> Secret { Secret(key) }
    func file(_ path: String) async throws(SecretResolutionError) -> Secret { Secret(key) }
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret { Secret(key) }
}
#endif
