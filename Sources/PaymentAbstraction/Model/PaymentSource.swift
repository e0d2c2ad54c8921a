public import PaymentBase

/// Where the money comes from.
public enum PaymentSource: Hashable, Sendable {
    /// A card that is presented to the reader.
    case reader
    /// A card whose number was typed.
    case card(KeyedCard)
    /// A card that a reader of the application's own has read.
    case external(ExternalCardData)
    /// A wallet's payment token.
    case wallet(WalletToken)
    /// An instrument that the provider keeps.
    case saved(SavedInstrument.ID, securityCode: Secret? = nil)
    /// A token that the provider gave out; it goes to no other than the one that is named.
    case token(Secret, last4: String? = nil, of: ProviderID? = nil, securityCode: Secret? = nil)
    /// A bank account.
    case bank(BankAccount)
    /// Whatever the customer pays with on a page of the provider's, to which a ``PaymentLink`` leads.
    case hostedPage

    /// Which kind it is.
    public var kind: PaymentSource.Kind {
        switch self {
        case .reader: .reader
        case .card: .card
        case .external: .external
        case .wallet: .wallet
        case .saved: .saved
        case .token: .token
        case .bank: .bank
        case .hostedPage: .page
        }
    }

    /// The last four digits, where they are known before anything is read.
    public var last4: String? {
        switch self {
        case .reader, .wallet, .saved, .external, .hostedPage: nil
        case .card(let card): card.last4
        case .token(_, let last4, _, _): last4
        case .bank(let account): account.last4
        }
    }

    /// The provider that made it, where only that one can take it and it is known.
    public var tokenProvider: ProviderID? {
        switch self {
        case .saved(let id, _): id.provider
        case .token(_, _, let provider, _): provider
        case .reader, .card, .external, .wallet, .bank, .hostedPage: nil
        }
    }

    /// Everything in it that must not be printed or kept.
    package var secrets: [Secret] {
        switch self {
        case .reader, .hostedPage: []
        case .card(let card): card.secrets
        case .external(let read): read.secrets
        case .wallet(let token): [token.payload]
        case .saved(_, let code): code.map { [$0] } ?? []
        case .token(let token, _, _, let code): [token] + (code.map { [$0] } ?? [])
        case .bank(let account): account.secrets
        }
    }
}

extension PaymentSource {
    /// The name of who pays, if it was typed with the source.
    var people: [PersonalData] {
        switch self {
        case .card(let card): card.holder.map { [$0] } ?? []
        case .bank(let account): account.name.map { [$0] } ?? []
        case .reader, .hostedPage, .external, .wallet, .saved, .token: []
        }
    }
}

extension PaymentSource {
    /// The kinds of source that there are.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A card that is presented to the reader.
        case reader
        /// A card whose number was typed.
        case card
        /// A card that a reader of the application's own has read.
        case external
        /// A wallet's payment token.
        case wallet
        /// An instrument that the provider keeps.
        case saved
        /// A token that the provider gave out.
        case token
        /// A bank account.
        case bank
        /// Whatever the customer pays with on a page of the provider's.
        case page
    }
}

/// A card whose number was typed.
public struct KeyedCard: Hashable, Sendable {
    /// The number, digits only.
    public let number: Secret
    /// The month in which it ends, 1 to 12.
    public let expiryMonth: Int
    /// The year in which it ends, four digits.
    public let expiryYear: Int
    /// The security code.
    public let securityCode: Secret?
    /// The holder's name.
    public let holder: PersonalData?

    /// Takes a card as typed; spaces and hyphens in the number are dropped, a year of two digits is widened.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the number or the expiry can't be right.
    public init(
        number: String, expiryMonth: Int, expiryYear: Int, securityCode: String? = nil, holder: String? = nil
    ) throws(PaymentError) {
        let digits = number.filter { $0 != " " && $0 != "-" }
        guard Masking.cardDigits.contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw PaymentError.notExecuted(.invalidRequest, "a card number has 12 to 19 digits and nothing else")
        }
        guard (1...12).contains(expiryMonth) else {
            throw PaymentError.notExecuted(.invalidRequest, "an expiry month is 1 to 12, not \(expiryMonth)")
        }
        let year = (0...99).contains(expiryYear) ? 2_000 + expiryYear : expiryYear
        guard (2_000...3_000).contains(year) else {
            throw PaymentError.notExecuted(.invalidRequest, "an expiry year is 2000 to 3000, not \(expiryYear)")
        }
        self.number = Secret(digits)
        (self.expiryMonth, self.expiryYear) = (expiryMonth, year)
        self.securityCode = securityCode.map { Secret($0) }
        self.holder = holder.map { PersonalData($0) }
    }

    /// The last four digits.
    public var last4: String { String(number.expose().suffix(4)) }

    var secrets: [Secret] { [number] + (securityCode.map { [$0] } ?? []) }
}

/// A payment token that a wallet made for this one payment.
public struct WalletToken: Hashable, Sendable {
    /// Which wallet; an open set.
    public struct Wallet: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Apple Pay.
        public static let applePay = Wallet(rawValue: "applePay")
        /// Google Pay.
        public static let googlePay = Wallet(rawValue: "googlePay")
    }

    /// Which wallet made it.
    public let wallet: Wallet
    /// What the wallet handed over, as it came.
    public let payload: Secret

    /// Makes a token.
    public init(_ wallet: Wallet, payload: Secret) { (self.wallet, self.payload) = (wallet, payload) }
}

/// A bank account to be debited or credited.
public struct BankAccount: Hashable, Sendable {
    /// The two kinds of account.
    public enum AccountType: String, Hashable, Sendable {
        /// A current account.
        case checking
        /// A savings account.
        case savings
    }
    /// The two kinds of holder.
    public enum HolderType: String, Hashable, Sendable {
        /// A person.
        case person
        /// A business.
        case business
    }

    /// The account's number.
    public let number: Secret
    /// The bank's routing number.
    public let routing: Secret
    /// What kind of account it is.
    public let kind: AccountType
    /// What kind of holder it has.
    public let holder: HolderType
    /// The holder's tax number.
    public var taxID: Secret?
    /// The holder's name.
    public var name: PersonalData?

    /// Makes an account of its two numbers.
    public init(number: Secret, routing: Secret, kind: AccountType = .checking, holder: HolderType = .person) {
        (self.number, self.routing, self.kind, self.holder) = (number, routing, kind, holder)
    }

    /// The last four digits of the account's number.
    public var last4: String { String(number.expose().suffix(4)) }

    var secrets: [Secret] { [number, routing] + (taxID.map { [$0] } ?? []) }
}

/// What a reader of the application's own took off a card.
public struct ExternalCardData: Hashable, Sendable {
    /// How it was read.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        /// The magnetic stripe.
        case swipe
        /// A contactless stripe.
        case nearField
        /// The chip.
        case chip
        /// The chip without contact.
        case contactlessChip
        /// The stripe, because the chip failed.
        case fallbackSwipe
    }

    /// How the card was read.
    public let entry: Entry
    /// The first track.
    public var track1: Secret?
    /// The second track.
    public var track2: Secret?
    /// The tags of the chip, each as hexadecimal text.
    public var tags: [Secret] = []
    /// The version of the payment application on the reader.
    public var applicationVersion: String?
    /// The encrypted PIN.
    public var pinBlock: Secret?
    /// The serial number of the key that encrypted it.
    public var pinKeySerial: Secret?
    /// Why the stripe was read although there is a chip.
    public var fallbackReason: String?
    /// How the last attempt to read the chip ended.
    public var lastChipRead: String?

    /// Makes a read of one kind.
    public init(_ entry: Entry) { self.entry = entry }

    var secrets: [Secret] { [track1, track2, pinBlock, pinKeySerial].compactMap { $0 } + tags }
}
