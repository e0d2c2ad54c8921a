internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// What Adyen's drivers share: the way to the terminal, the way to the back office, and what is under way.
public struct AdyenCore: Sendable {
    let configuration: AdyenConfiguration
    let transport: any HTTPTransport
    let crypto: any Crypto
    let checkout: JSONClient
    let link: any AdyenLink
    /// The kit of a phone; nil for a terminal.
    let kit: (any AdyenPhoneSDK.PaymentService)?
    /// Whether a server carries requests to the back office under a key.
    private let hasOffice: Bool
    let slot = ActiveTerminalTransaction()
    /// How a phone shows the payment that is under way.
    let screen: Locked<AdyenPhoneScreen>

    /// How long after the mark what a terminal has not seen never arrived, in milliseconds.
    static let quietTimeMilliseconds: Int64 = 150_000
    /// How long the back office keeps a key at least, in milliseconds: seven days (docs.adyen.com, API idempotency; older
    /// copies of the page say 31).
    static let keyLifetimeMilliseconds: Int64 = 7 * 86_400_000
    /// How long the back office may take from a request's last byte to its execution, in milliseconds: an hour. No document
    /// says it; this is our belief.
    static let transitMilliseconds: Int64 = 3_600_000

    init(
        _ configuration: AdyenConfiguration, _ transport: any HTTPTransport, _ crypto: any Crypto,
        kit: (any AdyenPhoneSDK.PaymentService)? = nil, server: (any AdyenMerchantServer)? = nil
    ) throws(PaymentError) {
        (self.configuration, self.transport, self.crypto) = (configuration, transport, crypto)
        if configuration.apiKey == nil, kit == nil {
            throw Self.missing("apiKey is missing: terminals and the back office ask for it")
        }
        (self.kit, hasOffice) = (kit, configuration.apiKey != nil || server != nil)
        checkout = JSONClient(
            server ?? transport, configuration.checkout.origin,
            headers: AdyenRequestSender.headers(server == nil ? configuration.apiKey : nil))
        screen = Locked(AdyenPhoneScreen(interface: configuration.interface))
        link = try Self.link(configuration, transport, crypto, kit, screen)
    }

    private static func link(
        _ configuration: AdyenConfiguration, _ transport: any HTTPTransport, _ crypto: any Crypto,
        _ kit: (any AdyenPhoneSDK.PaymentService)?, _ screen: Locked<AdyenPhoneScreen>
    ) throws(PaymentError) -> any AdyenLink {
        let post = AdyenRequestSender(
            transport: transport, origin: configuration.endpoint, connectTo: configuration.connectTo)
        switch configuration.link {
        case .cloudSync, .cloudAsync:
            return CloudLink(
                post: post, merchant: configuration.merchant, isSync: configuration.link == .cloudSync,
                nexo: configuration.encryptsCloud ? try nexo(configuration, crypto) : nil)
        case .local:
            var post = post
            if let roots = configuration.terminalRoots {
                post.trust = TerminalCertificate.trust(roots: roots, environment: configuration.world)
            }
            return LocalLink(post: post, nexo: try nexo(configuration, crypto))
        case .mobile:
            guard let kit else { throw missing("a phone's kit is missing") }
            return MobileLink(kit: kit, screen: screen)
        }
    }

    /// The encryption of messages to terminals.
    private static func nexo(
        _ configuration: AdyenConfiguration, _ crypto: any Crypto
    ) throws(PaymentError) -> NexoCrypto {
        guard let passphrase = configuration.passphrase, let keys = try? NexoCrypto.Keys(passphrase, crypto) else {
            throw missing("messages to the terminal are encrypted: give a passphrase and a cryptography")
        }
        var nexo = NexoCrypto(
            keys: keys, crypto: crypto, identifier: configuration.keyIdentifier, version: configuration.keyVersion)
        if let next = configuration.nextPassphrase, let version = configuration.nextKeyVersion {
            nexo.next = (try? NexoCrypto.Keys(next, crypto)).map { ($0, version) }
        }
        return nexo
    }

    static func missing(_ what: String) -> PaymentError {
        PaymentError.notExecuted(.configuration, what)
    }

    var identity: ProviderIdentity {
        ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "adyen", environment: configuration.world,
            merchant: configuration.merchant)
    }

    var capabilities: Capabilities {
        // What happens on a phone has no limit that a document names.
        let limit = kit == nil ? transport.sendLimitMilliseconds : nil
        var takes = Capabilities(sources: [.reader, .saved], sendLimit: limit)
        // Neither the terminal's name nor the message's names one operation alone.
        (takes.uniqueNames, takes.manualName) = (AdyenMapping.Name.naming, AdyenMapping.Name.psp)
        takes.authorizationSources = [.reader]
        takes.unlinkedRefundSources = [.reader]
        takes.features = [
            .tip, .customer, .contact, .displayText, .orderNumber, .language, .saveInstrument, .cardOnFile,
            .partialApproval,
            .preparedRequest,
        ]
        if configuration.link == .mobile { takes.features.insert(.presentation) }
        // A part can be offered only while the payment's own call continues, and distinguished from a mistake only by
        // the terminal.
        if configuration.link == .cloudAsync || configuration.link == .mobile {
            takes.features.remove(.partialApproval)
        }
        takes.captureRule = configuration.allowsMultipleCaptures ? .multiple : .single
        takes.usesProviderTerminal = true
        takes.currencies = configuration.currencies
        (takes.keyLifetime, takes.transit) = (Self.keyLifetimeMilliseconds, Self.transitMilliseconds)
        return takes
    }

    // MARK: - Terminal

    /// The terminal that messages go to: the one that is configured, or the phone.
    func terminal() async throws -> String {
        guard let kit else { return configuration.terminal }
        do { return try await kit.installationId } catch {
            // There is no session so far, and a warm-up opens one.
            try await kit.warmUp()
            return try await kit.installationId
        }
    }

    /// What a phone reads cards with.
    var paymentInterface: AdyenPhoneSDK.PaymentInterface { .init(rawValue: configuration.interface.rawValue) }

    /// How long a kit's call may take until others get the phone's reader, in milliseconds: a card is waited for as long
    /// as at a terminal.
    static let callMilliseconds: Int64 = 155_000

    /// A head with an unused name.
    func header(_ category: NexoHeader.Category, _ number: Int64, at now: Int64) async throws -> NexoHeader {
        NexoHeader(
            category, id: ServiceID.text(number, at: now), saleID: configuration.saleID, poiID: try await terminal())
    }

    /// A message that may move money, ready to leave, with what finds it again.
    struct Prepared {
        let header: NexoHeader
        let bytes: [UInt8]
        var notes: [String: String]
        var names: [String] = []
    }

    /// Prepares a message that may move money: its name is recorded before it leaves, so that its fate can be asked for.
    ///
    /// A finished one goes out as it is, and only once under its name.
    func prepare(
        _ category: NexoHeader.Category, _ body: JSON, _ finished: AdyenPreparedRequest?, _ context: PaymentContext
    ) async throws -> Prepared {
        guard let finished else {
            let header = try await header(category, context.number(), at: context.now)
            return prepared(header, NexoMessage.request(header, body).bytes())
        }
        var prepared = prepared(finished.header, finished.prepared.bytes)
        if let name = finished.transaction {
            prepared.notes[AdyenMapping.Name.sale] = name
            // Where a terminal can be asked, a message that carries the back end's name makes the client ask it.
            if kit == nil { prepared.names = [name] }
        }
        return prepared
    }

    private func prepared(_ header: NexoHeader, _ bytes: [UInt8]) -> Prepared {
        var notes = [AdyenMapping.Name.message: AdyenMapping.note(header)]
        if kit != nil { notes[AdyenMapping.Name.phone] = header.poiID }
        return Prepared(header: header, bytes: bytes, notes: notes)
    }

    /// Sends a prepared message.
    func send(
        _ message: Prepared, _ finished: AdyenPreparedRequest?, _ context: PaymentContext
    ) async throws -> NexoMessage? {
        let answer = try await transmit(message, context)
        if let answer, let finished { finished.prepared.storeReply(answer.json.bytes()) }
        return answer
    }

    private func transmit(_ message: Prepared, _ context: PaymentContext) async throws -> NexoMessage? {
        // A refund needs no card; it must not take the place of the payment that can be ended.
        if message.header.category == .payment { slot.sent(message.header) }
        guard kit != nil else { return try await link.send(message.header, message.bytes, configuration.apiKey) }
        let result: Result<NexoMessage?, any Error> = await context.outlasting(Self.callMilliseconds) {
            do { return .success(try await link.send(message.header, message.bytes, nil)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Sends a message that only asks, and gives the answer.
    func ask(
        _ category: NexoHeader.Category, _ body: JSON, _ context: LookupContext, at terminal: String? = nil
    ) async throws -> NexoMessage {
        try await context.exchange { _ in
            var header = try await header(category, context.number(), at: context.now)
            if let terminal {
                header = NexoHeader(category, id: header.id, saleID: header.saleID, poiID: terminal)
            }
            guard let answer = try await link.send(header, body, configuration.apiKey) else {
                throw AdyenFailure.unreadable("there is no answer")
            }
            return answer
        }
    }

    // MARK: - Back office

    /// Asks the back office for a modification, under our own key for it.
    func modify(
        _ path: String?, _ body: JSONObject, _ context: PaymentContext
    ) async throws -> Verdict {
        guard let path else {
            throw PaymentError.notExecuted(.conflict, "the payment has no name in the back office to refer to")
        }
        try needsOffice()
        return try await context.send(.idempotent) { _ in
            // The back office can't be asked; its message says what became of it.
            Outgoing(canLookUp: false) {
                let reply = try await checkout.send(
                    "POST", configuration.checkout.target + path, body: .object(body),
                    more: [Self.idempotencyHeader: context.attempt.text])
                let received = ModificationReply(reply.body)
                if let named = received?.paymentReference, !path.contains(named) { throw AdyenFailure.stranger }
                return try AdyenMapping.verdict(received, reference: context.attempt, asked: body["amount"])
            }
        }
    }

    /// Charges an instrument that the provider keeps; no terminal has anything to do with it.
    func charge(_ body: JSONObject, _ asked: Money, _ context: PaymentContext) async throws -> Verdict {
        try needsOffice()
        let notes = [AdyenMapping.Name.office: "back office"]
        return try await context.send(.idempotent) { _ in
            Outgoing(notes: notes, canLookUp: false) {
                let reply = try await checkout.send(
                    "POST", configuration.checkout.target + CheckoutPath.payments, body: .object(body),
                    more: [Self.idempotencyHeader: context.attempt.text])
                return try AdyenMapping.verdict(SavedPaymentReply(reply.body), context.attempt.text, asked: asked)
            }
        }
    }

    /// Sends what the back office is asked about the instruments of a customer.
    func stored(_ method: String, _ path: String, of customer: String) async throws -> JSONReply {
        try needsOffice()
        return try await checkout.send(
            method, configuration.checkout.target + path,
            query: [("merchantAccount", configuration.merchant), ("shopperReference", customer)])
    }

    /// Throws if no process carries requests to the back office.
    private func needsOffice() throws(PaymentError) {
        if hasOffice { return }
        throw PaymentError.notExecuted(
            .configuration,
            "the back office wants a key, which no phone has: hand over an AdyenServer in `delegates[\"\(identity.id)\"]`, "
                + "or do this on the application's server")
    }

    /// The header under which the back office does everything once.
    static let idempotencyHeader = "Idempotency-Key"
}

extension AdyenCore: CustomStringConvertible, CustomReflectable {
    /// Which account it speaks with; never a key.
    public var description: String { "AdyenCore(\(identity))" }
    public var customMirror: Mirror { Mirror(self, children: ["identity": "\(identity)"]) }
}

/// The names of messages: ten characters, never the same twice within the 48 hours that a terminal looks back.
///
/// The last six hold a number that the journal gives out once, over restarts and processes; it comes round after two
/// thousand million messages. The first four hold the time, so that tills with journals of their own differ too.
enum ServiceID {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    /// How many characters hold the number.
    static let numberCharacters = 6
    /// How many characters hold the time, in seconds.
    static let timeCharacters = 4

    /// The name of a number that was drawn at a moment.
    static func text(_ number: Int64, at now: Int64) -> String {
        let bytes = digits(now / 1_000, timeCharacters) + digits(number, numberCharacters)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digits(_ value: Int64, _ count: Int) -> [UInt8] {
        var rest = value.magnitude
        var bytes: [UInt8] = []
        for _ in 0..<count {
            bytes.append(digits[Int(rest % 36)])
            rest /= 36
        }
        return bytes.reversed()
    }
}
