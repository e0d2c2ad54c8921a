internal import PaymentProviderKit
internal import PaymentSimulator
internal import Payments

extension Command {
    /// Charges at once.
    static let sale = Command(
        name: "sale", summary: "charges an amount at once",
        example: "payctl sale 12.50 EUR --card visa --reference order-1", takes: SaleOptions.accepted
    ) { call in try await SaleOptions(call).run(.sale) }

    /// Holds an amount.
    static let authorize = Command(
        name: "authorize", summary: "holds an amount, to be captured later",
        example: "payctl authorize 300 EUR --reference room-7", takes: SaleOptions.accepted
    ) { call in try await SaleOptions(call).run(.authorize) }
}

/// A sale or an authorisation from the command line.
struct SaleOptions {
    static let accepted = AcceptedArguments.configured(
        "AMOUNT", "CURRENCY",
        with: [.provider] + SourceOptions.accepted + [
            .reference, .part, .holdsFor, .unreferenced, .attempt, .within,
            .value("tip", "AMOUNT", "how much of the amount is a tip"),
            .value("customer", "ID", "the customer's name at the merchant"),
            .value("email", "ADDRESS", "the customer's e-mail address"),
            .value("phone", "NUMBER", "the customer's telephone number"),
            .values(
                "field", "NAME=VALUE", "a further field of the customer, by the provider's name; may be given again"),
            .flag("save", "asks the provider to keep the card for the customer"),
            .value("display-text", "TEXT", "what the customer reads"),
            .value("routing-label", "WORD", "a word for the routing rules"),
            .flag("accept-partial", "takes an approval of less than asked for"),
            .flag("dry-run", "nothing real happens, where the provider has that"),
        ])

    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run(_ operation: PaymentOperation) async throws -> ExitStatus {
        let amount = try call.money(at: 0)
        let (named, order) = (try call.attempt(), try call.order())
        _ = try call.within()
        return try await CommandSession.use(call) { till in
            let attempt = try await till.client.orNew(named)
            _ = try await till.takeNews()
            let request = try await request(amount, operation, order, till)
            // A customer is asked for a card only if the journal lets it begin.
            if request.source.kind == .reader,
                try await till.client.mayBegin(operation, request, attempt: attempt, timeout: try call.left())
            {
                try await prepare(till, request)
            }
            let result =
                operation == .sale
                ? try await till.client.sale(request, attempt: attempt, timeout: try call.left())
                : try await till.client.authorize(request, attempt: attempt, timeout: try call.left())
            return try await till.tell(result, attempt)
        }
    }

    private func taker(_ request: SaleRequest, _ till: CommandSession) throws -> ProviderID {
        try till.client.route(for: request).first ?? till.active
    }

    private func request(
        _ amount: Money, _ operation: PaymentOperation, _ order: OrderReference, _ till: CommandSession
    ) async throws -> SaleRequest {
        let label = call.given["routing-label"]
        let options = SourceOptions(call, till)
        let first = try till.taker(of: amount, from: .reader, label: label)
        let capabilities = try till.client.provider(first).capabilities
        let possible = operation == .sale ? capabilities.sources : capabilities.authorizationSources
        // Where there is no such operation, the client says what there is instead.
        let kind = possible.isEmpty ? .reader : try options.kind(possible, first)
        let source =
            possible.isEmpty
            ? .reader : try await options.source(kind, try till.taker(of: amount, from: kind, label: label))
        var request = SaleRequest(amount, from: source, reference: order)
        if let tip = call.given["tip"] { request.tip = try call.money(tip, amount.currency, orNothing: true) }
        (request.customer, request.displayText, request.routingLabel) = (
            call.given["customer"], call.given["display-text"], label
        )
        (request.savesInstrument, request.acceptsPartialApproval) = (
            call.given.has("save"), call.given.has("accept-partial")
        )
        request.isDryRun = call.given.has("dry-run")
        request.contact = try call.contact()
        return request
    }

    /// Gets the reader ready, as an application does before its first customer comes.
    private func prepare(_ till: CommandSession, _ request: SaleRequest) async throws {
        let id = try taker(request, till)
        let view = try till.client.provider(id)
        // What will be refused anyway shall not keep a customer waiting for the reader.
        guard view.capabilityTable[call.words.first ?? ""],
            view.capabilities.currencies?.contains(request.amount.currency) ?? true
        else { return }
        if let reader = view.reader, !reader.isReady {
            call.note("preparing the reader of \(id) …")
            try await reader.prepare(timeout: try call.left() ?? .seconds(180))
        }
        SourceOptions(call, till).tellTerminal(id)
    }
}

extension Invocation {
    /// The customer, as far as `--email`, `--phone` and `--field` say.
    func contact() throws(UsageError) -> CustomerContact? {
        let fields = given.all("field")
        guard given["email"] != nil || given["phone"] != nil || !fields.isEmpty else { return nil }
        var contact = CustomerContact()
        for field in fields {
            guard let mark = field.firstIndex(of: "="), mark != field.startIndex else {
                throw UsageError(message: "--field takes NAME=VALUE, not \(field)")
            }
            contact.additional[String(field[..<mark])] = PersonalData(String(field[field.index(after: mark)...]))
        }
        (contact.email, contact.phone) = (
            given["email"].map { PersonalData($0) }, given["phone"].map { PersonalData($0) }
        )
        return contact
    }
}

/// Where the money comes from, as a command line says it.
struct SourceOptions: Sendable {
    /// The options of commands that take money from somewhere.
    static let accepted: [AcceptedArguments.Option] = [
        .value("source", "KIND", "reader, card, saved, wallet, token or page; by default what there is"),
        .value(
            "card", "NAME",
            "a test card of the simulated provider; - reads {number, month, year, code, holder} from standard input"),
        .value("saved", "ID", "the saved instrument, with --source saved"),
        .value("secret", "REFERENCE", "env:NAME or file:PATH of the token or wallet payload"),
    ]

    private static let kinds: [PaymentSource.Kind] = [.reader, .card, .saved, .wallet, .token, .page]
    private let call: Invocation
    private let till: CommandSession

    init(_ call: Invocation, _ till: CommandSession) { (self.call, self.till) = (call, till) }

    /// The kind that was asked for, else the first that is possible.
    func kind(_ possible: Set<PaymentSource.Kind>, _ id: ProviderID) throws -> PaymentSource.Kind {
        if let word = call.given["source"] {
            let kind = try Self.kinds.picked(word, "source", by: \.rawValue)
            let hasLink = till.configured(id)?.entry.settings.contains { $0.key == "link" } == true
            if kind == .page, !possible.contains(.page), hasLink {
                throw PaymentError.notExecuted(
                    .unsupported, "\(id) is configured without a page; its setting is \"link\": \"page\"")
            }
            return kind
        }
        if call.given["saved"] != nil { return .saved }
        if call.given["card"] == "-" { return .card }
        guard let kind = Self.kinds.first(where: possible.contains) else {
            throw PaymentError.notExecuted(
                .unsupported,
                "\(id) takes money for this from \(possible.map(\.rawValue).sorted().joined(separator: ", ")) alone, "
                    + "which payctl can't give it")
        }
        return kind
    }

    /// Says where the customer's card goes, once everything is ready for it; a reader of the application says so itself.
    func tellTerminal(_ id: ProviderID) {
        guard till.hasOwnTerminal(id) else { return }
        let terminal = till.configured(id)?.settings["terminal"].flatMap { value in
            if case .text(let name) = value { name } else { nil }
        }
        call.note("terminal \(terminal ?? "of \(id)"): \(ReaderPrompts.text(.presentCard))")
    }

    /// The source itself; a card is laid before the reader on the way.
    func source(_ kind: PaymentSource.Kind, _ id: ProviderID) async throws -> PaymentSource {
        switch kind {
        case .reader:
            guard till.isSimulated(id) || till.hasOwnTerminal(id) else {
                throw UsageError(message: "payctl has no card reader for \(id); use --source card with --card -")
            }
            if let card = try testCard(id) {
                if till.hasOwnTerminal(id), !till.isEmbedded(id) {
                    throw UsageError(message: "the terminal of \(id) has its own card; --card is for the built-in one")
                }
                till.present(card, to: id)
            }
            return .reader
        case .card:
            if call.given["card"] == "-" { return .card(try typedCard()) }
            guard let card = try testCard(id) ?? till.cards(id).first, !card.number.isEmpty else {
                throw UsageError(message: "\(id) is no simulated provider; --card - reads a card from standard input")
            }
            return .card(
                try KeyedCard(
                    number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: TestCard.securityCode,
                    holder: "Test Card"))
        case .saved:
            guard let saved = call.given["saved"] else { throw UsageError(message: "--source saved needs --saved ID") }
            var instrument = SavedInstrument.ID(saved, among: till.client.all.map(\.id))
            // Who names the provider says who keeps it.
            if call.given["provider"] != nil { instrument.provider = instrument.provider ?? id }
            return .saved(instrument)
        case .wallet: return .wallet(WalletToken(.applePay, payload: try await secret(id)))
        case .token: return .token(try await secret(id))
        case .page: return .hostedPage
        case .external, .bank: throw UsageError(message: "payctl can't give a source of the kind \(kind.rawValue)")
        }
    }

    private func testCard(_ id: ProviderID) throws(UsageError) -> TestCard? {
        guard let name = call.given["card"] else { return nil }
        let cards = till.cards(id)
        guard !cards.isEmpty else {
            throw UsageError(message: "\(id) is no simulated provider, so it has no test cards; --card - reads a card")
        }
        return try cards.picked(name, "card", by: \.name)
    }

    /// A typed or piped card, so that no number is in a list of processes.
    private func typedCard() throws -> KeyedCard {
        guard let json = try? JSONReader().read(call.console.input()), let number = json["number"]?.string,
            let month = json["month"]?.int64, let year = json["year"]?.int64
        else {
            throw UsageError(
                message: "standard input has to hold {\"number\": \"…\", \"month\": 12, \"year\": 30, \"code\": \"…\", "
                    + "\"holder\": \"…\"}; code and holder may be left out where the provider wants none")
        }
        return try KeyedCard(
            number: number, expiryMonth: Int(clamping: month), expiryYear: Int(clamping: year),
            securityCode: json["code"]?.string, holder: json["holder"]?.string)
    }

    private func secret(_ id: ProviderID) async throws -> Secret {
        guard let text = call.given["secret"] else {
            // What simulated providers take for good.
            if till.isSimulated(id) { return Secret("simulated-token") }
            throw UsageError(message: "--secret env:NAME or --secret file:PATH is missing")
        }
        return try await SecretOption.read(text)
    }
}

/// A secret as a command line names it: never itself, always where it is.
enum SecretOption {
    /// Follows `env:NAME` or `file:PATH`.
    static func read(_ text: String) async throws -> Secret {
        let secrets = SystemSecretResolver()
        do throws(SecretResolutionError) {
            if text.hasPrefix("env:") { return try await secrets.environment(String(text.dropFirst(4))) }
            if text.hasPrefix("file:") { return try await secrets.file(String(text.dropFirst(5))) }
        } catch {
            throw UsageError(message: "\(text) led to nothing: \(error.problem). \(error.advice)")
        }
        throw UsageError(message: "a secret is named as env:NAME or file:PATH, so that it is not seen among processes")
    }
}
