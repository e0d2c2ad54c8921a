import AllProviders
import PaymentLinux
import PaymentProviderKit

@testable import AdyenProvider
@testable import EcommpayProvider
@testable import PaymentSimulator

extension FuzzTarget {
    /// What providers send, what their simulations keep, and what a person configures.
    static let providers: [FuzzTarget] =
        ProviderRegistry.builtin.entries.compactMap { entry in
            entry.inspector.map { inspector in
                FuzzTarget("inspect-\(entry.adapter)") { bytes in inspect(bytes, inspector) }
            }
        }
        + [
            FuzzTarget("webhooks") { bytes in WebhookTrial.run(bytes) },
            FuzzTarget("adyen-notices") { bytes in notices(bytes) },
            FuzzTarget("nexo-seal") { bytes in seal(bytes) },
            FuzzTarget("ecommpay-signing") { bytes in signing(bytes) },
            FuzzTarget("configuration") { bytes in configuration(bytes) },
            FuzzTarget("provider-state") { bytes in state(bytes) },
        ]

    private static let crypto = OpenSSLCrypto()
    private static let key = Secret("00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF")

    private static func inspect(_ bytes: [UInt8], _ inspector: any Inspector) {
        var choices = Choices(bytes)
        let (operation, status) = (choices.below(16), choices.byte())
        var message = InspectedMessage(choices.all())
        let operations = PaymentOperation.allCases
        if operation < operations.count { message.operation = operations[operation] }
        if status > 0 { message.httpStatus = 100 + Int(status) * 2 }
        let inspections = inspector.inspect(message)
        hold(!inspections.isEmpty, "a message says nothing at all")
        hold(inspections == inspector.inspect(message), "a message says something else when it is read again")
        for inspection in inspections {
            let isMoney = inspection.status == .approved && inspection.money == .notExecuted
            hold(!isMoney, "what was approved has moved nothing")
            let isKept = inspection.status == .declined && inspection.money == .executed
            hold(!isKept, "what was declined has moved money")
        }
    }

    private static func told(_ item: NotificationItem) -> [ProviderNotice] {
        AdyenNotices.notices(item, at: 1_700_000_000_000, canAsk: true)
    }

    /// One item of a batch, as if it were proven.
    private static func notices(_ bytes: [UInt8]) {
        guard let json = try? JSONReader().read(bytes) else { return }
        for item in (NotificationItem.items(json) ?? [json]).compactMap({ NotificationItem($0) }) {
            let notices = told(item)
            hold(notices == told(item), "an item says two things")
        }
    }

    private static let nexo = try? AdyenNexoEncryption(passphrase: Secret("made-up"), crypto)
    private static let plain = Array(
        #"{"SaleToPOIRequest":{"MessageHeader":{"SaleID":"t","ServiceID":"1"},"PaymentRequest":{}}}"#.utf8)
    private static let sealed = (try? nexo?.encrypt(plain, nonce: [UInt8](repeating: 7, count: 16))) ?? []

    /// One of our messages with some of its bytes changed, or any bytes: nothing but what was sealed comes out.
    private static func seal(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        var message = sealed
        if choices.below(4) == 0 {
            message = choices.all()
        } else {
            while !choices.isEmpty, !message.isEmpty {
                let place = (Int(choices.byte()) << 8 | Int(choices.byte())) % message.count
                message[place] = choices.byte()
            }
        }
        guard let opened = try? nexo?.decrypt(message) else { return }
        hold(opened == plain, "something came out that nobody sealed")
    }

    private static func signing(_ bytes: [UInt8]) {
        guard let json = try? JSONReader().read(bytes), let object = json.object else { return }
        for order in EcommpaySigning.Order.allCases {
            let texts = (1...2).map { _ in try? EcommpaySigning.text(json, order) }
            hold(texts[0] == texts[1], "one message has two texts")
        }
        var signed = object
        signed[EcommpaySigning.member] = nil
        guard let signature = try? EcommpaySigning.signature(EcommpaySigning.text(.object(signed)), key, crypto) else {
            return
        }
        signed[EcommpaySigning.member] = .string(signature)
        hold(EcommpaySigning.isGenuine(.object(signed), key, crypto), "our own signature does not fit")
        signed["added-by-somebody"] = "x"
        hold(!EcommpaySigning.isGenuine(.object(signed), key, crypto), "a signature fits another message")
    }

    private static func configuration(_ bytes: [UInt8]) {
        let reader = ConfigurationReader(.builtin)
        do throws(PaymentError) {
            let read = try reader.read(bytes, file: "f")
            hold(!read.providers.isEmpty, "a configuration names nobody")
            hold((try? reader.read(bytes, file: "g")) != nil, "a configuration is good once")
        } catch {
            hold(error.code == .configuration && error.outcome == .notExecuted, "a mistake is something else")
            hold(!error.detail.isEmpty, "a mistake has no words")
        }
    }

    /// A state that another program changed: it is refused whole, or it is the state of a provider that works.
    private static func state(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let entry = SimulatorRegistry.entries[choices.below(SimulatorRegistry.entries.count)]
        guard let json = try? JSONReader().read(choices.all()) else { return }
        let clock = SimulatorClock(Standing())
        guard let provider = entry.open(clock) as? any StatefulProvider else { return }
        let before = provider.snapshot()
        // Over the state of an empty one, so that a few members are enough to be read.
        guard var object = before.object else { return }
        for member in json.object?.members ?? [] { object[member.key] = member.value }
        guard provider.restore(.object(object)) else {
            return hold(provider.snapshot() == before, "a state was taken over in part")
        }
        let kept = provider.snapshot()
        hold(provider.restore(kept) && provider.snapshot() == kept, "what was kept can't be read")
    }
}

/// A clock that stands.
private struct Standing: PaymentClock {
    var now: Int64 { 1_700_000_000_000 }
    func sleep(until instant: Int64) async throws {}
}

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
