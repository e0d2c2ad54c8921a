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
    var secrets: [Secret] {
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
