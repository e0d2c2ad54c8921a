public import PaymentBase

/// What the customer agreed to when a card was put on file.
public struct CardOnFileTerms: Hashable, Sendable {
    /// The three kinds that card schemes tell apart.
    public enum Kind: String, Hashable, Sendable {
        /// Regular amounts at regular times.
        case recurring
        /// The customer asks each time.
        case customerInitiated
        /// The merchant asks when something is due.
        case unscheduled
    }

    /// What kind of charges the customer agreed to.
    public let kind: Kind
    /// When the agreement ends, as `YYYY-MM-DD`.
    public var until: String?
    /// How often, for regular ones, as the provider names it.
    public var period: String?
    /// The amount of each charge, for regular ones.
    public var amount: Money?

    /// Makes terms of one kind.
    public init(_ kind: Kind) { self.kind = kind }
}

/// A later charge of a card on file, without the customer.
public struct CardOnFileRequest: Hashable, Sendable {
    /// How much is charged.
    public let amount: Money
    /// The instrument that was put on file.
    public let instrument: SavedInstrument.ID
    /// The application's own reference.
    public let reference: String
    /// What the customer reads.
    public var displayText: String?
    /// The customer's name at the merchant.
    public var customer: String?

    /// Asks for a charge of an instrument on file.
    public init(_ amount: Money, of instrument: SavedInstrument.ID, reference: String) {
        (self.amount, self.instrument, self.reference) = (amount, instrument, reference)
    }
}

/// Checks an instrument, or turns it into a token, without charging it.
public struct VerificationRequest: Hashable, Sendable {
    /// The currency of a later charge.
    public let currency: Currency
    /// What is checked.
    public let source: PaymentSource
    /// The application's own reference.
    public let reference: String
    /// The customer's name at the merchant.
    public var customer: String?
    /// Whose it is.
    public var contact: CustomerContact?
    /// The billing address.
    public var billing: PostalAddress?
    /// Whether the provider shall keep it for the customer.
    public var savesInstrument = false
    /// Registers it for later charges without the customer.
    public var cardOnFile: CardOnFileTerms?

    /// Asks for a check of a source.
    public init(_ source: PaymentSource, in currency: Currency, reference: String) {
        (self.source, self.currency, self.reference) = (source, currency, reference)
    }
}

/// An instrument that the provider keeps for a customer.
public struct SavedInstrument: Hashable, Sendable {
    /// What the provider calls it; not a secret.
    public struct ID: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        /// The provider that keeps it; it is shown to no other.
        public var provider: ProviderID?
        /// The adapter, the environment and the merchant of the account that keeps it; nil if that is not known.
        private var account: [String]?
        public init(rawValue: String) { self.rawValue = rawValue }

        /// What a provider calls it.
        public init(_ rawValue: String, of provider: ProviderID) {
            (self.rawValue, self.provider) = (rawValue, provider)
        }

        /// What a provider calls it, with the account that keeps it: the name may mean another account later.
        public init(_ rawValue: String, at account: ProviderIdentity) {
            self.init(rawValue, of: account.id)
            self.account = Self.parts(of: account)
        }

        /// Whether an account keeps it, as far as the id says: under the same name another account keeps other cards.
        public func isKept(at here: ProviderIdentity) -> Bool {
            if let provider, provider != here.id { return false }
            return account.map { $0 == Self.parts(of: here) } ?? true
        }

        private static func parts(of account: ProviderIdentity) -> [String] {
            [account.adapter, account.environment, account.merchant]
        }

        /// The account that keeps it and what that calls it, as one text: `till@ecommpay/production/1234:4711`, or
        /// `till:4711` if the account is not known.
        package var text: String {
            guard let provider else { return rawValue }
            guard let account else { return keptName }
            let place = account.map(Self.escaped).joined(separator: "/")
            return "\(Self.escaped(provider.rawValue))@\(place):\(rawValue)"
        }

        /// The provider's name and what that calls it: the content of requests. It is the same for each text of one
        /// instrument, also if the provider is not configured any more, so that a repeat finds its record.
        package var keptName: String { provider.map { "\($0.rawValue):\(rawValue)" } ?? rawValue }

        /// Reads such a text. What is before a colon and is neither an account nor a provider belongs to the name.
        package init(_ text: String, among providers: [ProviderID]) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let keeper = providers.first(where: { $0.rawValue == parts[0] }) {
                self.init(String(parts[1]), of: keeper)
            } else if parts.count == 2, let kept = Self.kept(parts[0], String(parts[1])), kept.text == text {
                self = kept
            } else {
                self.init(rawValue: text)
            }
        }

        /// Reads `till@ecommpay/production/1234`; nil if it names no account. The provider need not be configured.
        private static func kept(_ place: Substring, _ rawValue: String) -> Self? {
            let halves = place.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            let account = halves[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard account.count == 3 else { return nil }
            var id = Self(rawValue, of: ProviderID(rawValue: unescaped(String(halves[0]))))
            id.account = account.map(unescaped)
            return id
        }

        /// The marks of the text, each with its spelling within a name; the percent sign comes first.
        private static let marks = [("%", "%25"), (":", "%3A"), ("/", "%2F"), ("@", "%40")]

        private static func escaped(_ name: String) -> String {
            marks.reduce(name) { text, mark in text.replacing(mark.0, with: mark.1) }
        }

        private static func unescaped(_ text: String) -> String {
            marks.reversed().reduce(text) { name, mark in name.replacing(mark.1, with: mark.0) }
        }
    }

    /// What the provider calls it.
    public package(set) var id: ID
    /// The token that charges it, where the provider gives one out; never journalled.
    public var token: Secret?
    /// The card behind it.
    public var card: CardSummary?
    /// Whose it is.
    public var customer: String?
    /// What else the provider says about it, under its own names; never journalled.
    public var additional: [String: PersonalData] = [:]

    /// Makes an instrument.
    public init(_ id: ID, token: Secret? = nil, card: CardSummary? = nil) {
        (self.id, self.token, self.card) = (id, token, card)
    }

    var recordable: SavedInstrument {
        var copy = self
        copy.token = nil
        copy.additional = [:]
        copy.card?.holder = nil
        return copy
    }
}
