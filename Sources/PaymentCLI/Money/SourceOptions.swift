internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentSimulator
internal import Payments

/// Where the money comes from, as a command line says it.
struct SourceOptions: Sendable {
    /// The options of commands that take money from somewhere.
    static let accepted: [AcceptedArguments.Option] = [
        .value("source", "KIND", "reader, card, saved, wallet, token or page; by default what there is"),
        .value(
            "card", "NAME",
            "a test card of the simulated provider; - reads {number, month, year, code} from standard input"),
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
        call.note("terminal \(terminal ?? "of \(id)"): present the card")
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
            return .saved(SavedInstrument.ID(rawValue: saved))
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

    /// A card that somebody types or pipes in, so that no number stands in a list of processes.
    private func typedCard() throws -> KeyedCard {
        guard let json = try? JSONReader().read(call.console.input()), let number = json["number"]?.string,
            let month = json["month"]?.int64, let year = json["year"]?.int64
        else {
            throw UsageError(
                message: "standard input has to hold {\"number\": \"…\", \"month\": 12, \"year\": 30, \"code\": \"…\"}")
        }
        return try KeyedCard(
            number: number, expiryMonth: Int(clamping: month), expiryYear: Int(clamping: year),
            securityCode: json["code"]?.string)
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
