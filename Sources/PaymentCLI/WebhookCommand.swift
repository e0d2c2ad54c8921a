internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSimulator

extension Command {
    /// Verifies a webhook and reads it.
    static let webhook = Command(
        name: "webhook", summary: "verifies a provider's webhook and prints what it says; believes nothing unverified",
        example: "payctl webhook adyen --key env:ADYEN_HMAC_KEY notification.json",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "[FILE|-]"],
            options: [
                .value("key", "REFERENCE", "env:NAME or file:PATH of what proves it"),
                .values("header", "'NAME: VALUE'", "a header field it came with; may be given again"),
                .value("merchant", "ACCOUNT", "the merchant's account, where it must be named in it"),
            ])
    ) { call in
        let entry = try call.entry(0)
        let body = try call.message(1)
        do {
            // Only what the adapter proved is reported: an item beside it may come from any sender.
            let (notices, others) = try await WebhookCheck(call, entry).notices(body)
            call.say(
                ["verified": true, "events": .array(notices.map(\.event))],
                [call.paint.good("verified")] + notices.flatMap { $0.lines(call.paint) })
            for other in others {
                call.note("It is about the account \(other). A program that takes it records nothing of it.")
            }
            if notices.isEmpty, call.given["merchant"] == nil {
                call.note("The message has no event for the simulated account. Name yours with --merchant.")
            }
            return .fine
        } catch let error as PaymentError where error.code == .signatureInvalid {
            call.say(["verified": false, "events": []], [call.paint.bad("not verified")])
            call.note(error.detail)
            return .failed
        }
    }
}

/// The verification of one webhook by the adapter itself, with nothing but the key.
struct WebhookCheck {
    private let call: Invocation
    private let entry: ProviderDefinition

    init(_ call: Invocation, _ entry: ProviderDefinition) { (self.call, self.entry) = (call, entry) }

    /// What it says, once it is proven to come from the provider, and which other accounts it is about.
    func notices(_ body: [UInt8]) async throws -> (own: [ShownNotice], others: [String]) {
        guard let credential = entry.webhookCredential else {
            throw PaymentError.notExecuted(
                .signatureInvalid, "\(entry.name) proves its messages by nothing; take one as a hint to look again")
        }
        guard let driver = try await driver(credential) as? any WebhookDriver else {
            throw UsageError(message: "the adapter \(entry.adapter) reads no webhooks")
        }
        let message = WebhookMessage(headers: try headers(), body: body, at: SystemClock().now)
        do {
            let unique = driver.capabilities.uniqueNames
            let notices = try driver.notices(in: message)
            let own = notices.filter { $0.otherAccount == nil }
            return (
                Self.told(own).map { ShownNotice($0, unique) }, Set(notices.compactMap(\.otherAccount)).sorted()
            )
        } catch {
            // Whatever is wrong with it, nothing in it is believed.
            throw PaymentError.notExecuted(
                .signatureInvalid, (error as? PaymentError)?.detail ?? "it can't be read")
        }
    }

    /// What is reported of them: our own name for an attempt, under which an adapter may look as well, is not one of
    /// them.
    private static func told(_ notices: [ProviderNotice]) -> [ProviderNotice] {
        let own = notices.compactMap { notice in
            if case .attempt(let id) = notice.subject { id.text } else { nil as String? }
        }
        return notices.filter { notice in
            if case .reference(let value, _) = notice.subject { !own.contains(value) } else { true }
        }
    }

    private func headers() throws(UsageError) -> [String: String] {
        var headers: [String: String] = [:]
        for field in call.given.all("header") {
            guard let colon = field.firstIndex(of: ":") else {
                throw UsageError(message: "--header takes 'NAME: VALUE', not \(field)")
            }
            let value = field[field.index(after: colon)...].drop { $0 == " " }
            headers[String(field[..<colon])] = String(value)
        }
        return headers
    }

    /// The adapter, as the simulated provider's world has it, but for the key.
    private func driver(_ credential: String) async throws -> (any PaymentDriver)? {
        guard let key = call.given["key"] else {
            throw UsageError(
                message: "--key env:NAME is missing: the signature of a message of \(entry.adapter) is checked with it")
        }
        let secret = try await SecretOption.read(key)
        let simulated = entry.environments.first { $0.allowsPlainHTTP } ?? entry.environments.first
        let merchant = call.given["merchant"] ?? simulated?.publicMerchant ?? "any"
        let file: JSON = [
            "active": .string(entry.adapter), "journal": ["kind": "memory"],
            "providers": .object([
                entry.adapter: [
                    "adapter": .string(entry.adapter), "environment": .string(simulated?.name ?? ""),
                    "merchant": .string(merchant), "credentials": .object([credential: "env:WEBHOOK_KEY"]),
                ]
            ]),
        ]
        let read = try ConfigurationReader(call.registry.providers).read(file.bytes(), file: "this command")
        var tools = ProviderDependencies(transport: InProcessTransport([:]))
        tools.crypto = OpenSSLCrypto()
        return try await read.drivers(tools, secrets: OneSecret(secret)).first
    }
}

/// Every reference leads to the one secret.
private struct OneSecret: SecretResolver {
    let secret: Secret
    init(_ secret: Secret) { self.secret = secret }
    func environment(_ name: String) async throws(SecretResolutionError) -> Secret { secret }
    func file(_ path: String) async throws(SecretResolutionError) -> Secret { secret }
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret { secret }
}

/// A notice as a person and a program read it.
struct ShownNotice {
    private let notice: ProviderNotice
    /// The provider's own name for what it is about.
    private let name: String?
    private let attempt: AttemptID?

    /// - Parameter unique: Which of a verdict's references name one operation alone; nil for all of them.
    init(_ notice: ProviderNotice, _ unique: Set<String>?) {
        self.notice = notice
        switch notice.subject {
        case .reference(let value, _): (name, attempt) = (value, nil)
        case .attempt(let id):
            let names = notice.verdict?.references.filter { unique?.contains($0.key) ?? true } ?? [:]
            (name, attempt) = (names.min { $0.key < $1.key }?.value, id)
        }
    }

    /// What people read.
    fileprivate func lines(_ paint: Paint) -> [String] {
        var lines = ["\(notice.kind): \(paint.strong(status.rawValue))"]
        if case .approved(let approval) = notice.verdict { lines.append("amount     \(approval.amount)") }
        if case .declined(let decline) = notice.verdict {
            lines.append("declined   \(decline.reason) (\(decline.provider))")
        }
        if let attempt { lines.append("attempt    \(attempt)") }
        if let name { lines.append("named      \(name)") }
        return lines
    }

    private var status: Inspection.Status {
        switch notice.verdict {
        case .approved: .approved
        case .declined: .declined
        case .cancelled: .cancelled
        case .pending: .pending
        case nil: .none
        }
    }

    /// As an event.
    fileprivate var event: JSON {
        var amount: Money?
        if case .approved(let approval) = notice.verdict { amount = approval.amount }
        return [
            "kind": .string(notice.kind), "status": .string(status.rawValue), "providerReference": .text(name),
            "attempt": .text(attempt?.text), "amount": amount?.json ?? .null,
        ]
    }
}

extension Command {
    /// Prints a signature.
    static let sign = Command(
        name: "sign", summary: "prints the signature of a message, as the provider's wire has it",
        example: "payctl sign ecommpay --secret env:ECOMMPAY_SECRET request.json",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "[FILE|-]"],
            options: [.value("secret", "REFERENCE", "env:NAME or file:PATH of the key")])
    ) { call in
        let (scheme, secret, message) = try await signing(call)
        let signature = try scheme.sign(message, secret: secret, crypto: OpenSSLCrypto())
        call.say(["signature": .string(signature)], [signature])
        return .fine
    }

    /// Checks a signature.
    static let verifySignature = Command(
        name: "verify-signature", summary: "checks the signature inside a message, or one that you name",
        example: "payctl verify-signature ecommpay --secret env:ECOMMPAY_SECRET callback.json",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "[FILE|-]"],
            options: [
                .value("secret", "REFERENCE", "env:NAME or file:PATH of the key"),
                .value("signature", "TEXT", "the signature, where it isn't inside the message"),
            ])
    ) { call in
        let (scheme, secret, message) = try await signing(call)
        let fits = try scheme.verifies(
            message, signature: call.given["signature"], secret: secret, crypto: OpenSSLCrypto())
        call.say(
            ["verified": .bool(fits)], [fits ? call.paint.good("it fits") : call.paint.bad("it does not fit")])
        return fits ? .fine : .failed
    }

    private static func signing(
        _ call: Invocation
    ) async throws -> (scheme: any SignatureScheme, secret: Secret, message: [UInt8]) {
        let entry = try call.entry(0)
        guard let scheme = entry.signatures else {
            let names = call.registry.providers.entries.filter { $0.signatures != nil }.map(\.adapter).sorted()
            throw UsageError(
                message: "\(entry.name) signs no messages; providers that do: \(names.joined(separator: ", "))")
        }
        guard let reference = call.given["secret"] else { throw UsageError(message: "--secret env:NAME is missing") }
        return (scheme, try await SecretOption.read(reference), try call.message(1))
    }
}
