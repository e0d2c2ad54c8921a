import AllProviders
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport

@testable import EcommpayProvider

/// Webhooks of all providers to their own adapters: with the proof that belongs to them, and without.
enum WebhookTrial {
    private static let drivers = Locked([(name: String, driver: any WebhookDriver)]())
    private static let key = "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"
    private static let at: Int64 = 1_767_225_600_000

    /// Makes one adapter for each provider, which knows a key for everything.
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
                        "merchant": .string(environment?.publicMerchant ?? "any"), "credentials": .object(credentials),
                    ]
                ]),
            ]
            var tools = ProviderDependencies(transport: InProcessTransport([:]))
            tools.crypto = OpenSSLCrypto()
            guard let read = try? ConfigurationReader(.builtin).read(file.bytes(), file: "f"),
                let driver = try? await read.drivers(tools, secrets: OneKey(key: key)).first as? any WebhookDriver
            else { continue }
            drivers.withLock { $0.append((entry.adapter, driver)) }
        }
    }

    static func run(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let drivers = drivers.withLock { $0 }
        guard !drivers.isEmpty else { return hold(false, "there is no adapter") }
        let (name, driver) = drivers[choices.below(drivers.count)]
        let isProven = choices.below(2) == 1
        var (headers, body) = (["x": "y"], choices.all())
        if isProven { prove(name, &headers, &body) }
        let message = WebhookMessage(headers: headers, body: body, at: at)
        guard let notices = try? driver.notices(in: message) else { return }
        // Without proof there are at most hints to look again.
        hold(isProven || notices.allSatisfy { $0.verdict == nil }, "\(name) believes what nobody proved")
        hold((try? driver.notices(in: message)) == notices, "\(name) reads one message in two ways")
    }

    /// Adds what the provider would prove the message with.
    private static func prove(_ name: String, _ headers: inout [String: String], _ body: inout [UInt8]) {
        let crypto = OpenSSLCrypto()
        switch name {
        case "ni": headers["X-NGENIUS-Webhook-Signature"] = key
        case "memory": headers["X-Memory-Secret"] = key
        case "arise":
            let seconds = "\(at / 1_000)"
            (headers["flute-webhook-id"], headers["flute-webhook-timestamp"]) = ("id", seconds)
            let text = Array("id.\(seconds).".utf8) + body
            let code = try? crypto.authenticate(.sha256, key: Secret(key), text)
            headers["flute-webhook-signature"] = "v1," + Base64.standard.encode(code ?? [])
        case "ecommpay":
            guard var object = (try? JSONReader().read(body))?.object else { return }
            object[EcommpaySigning.member] = nil
            let signature = try? EcommpaySigning.signature(
                EcommpaySigning.text(.object(object)), Secret(key), crypto)
            object[EcommpaySigning.member] = signature.map { .string($0) }
            body = JSON.object(object).bytes()
        default: break
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
