/// What a sale or an authorisation asks for.
public struct SaleRequest: Hashable, Sendable {
    /// What is charged in all, the tip included.
    public let amount: Money
    /// Where it comes from.
    public let source: PaymentSource
    /// The application's reference and the part of it that is paid.
    public var order: OrderReference
    /// The price that it rests on, with the tender that was chosen; then the amount is that tender's total.
    public let quote: QuotedTender?
    /// How much of the amount is a tip.
    public var tip: Money?
    /// The customer's name at the merchant.
    public var customer: String?
    /// Who pays.
    public var contact: CustomerContact?
    /// The billing address.
    public var billing: PostalAddress?
    /// The shipping address.
    public var shipping: PostalAddress?
    /// What the customer reads.
    public var displayText: String?
    /// The number of an order.
    public var orderNumber: String?
    /// The language of the customer, as `en` or `en-GB`.
    public var language: String?
    /// Whether the provider shall keep the instrument for the customer.
    public var savesInstrument = false
    /// Registers the card for later charges without the customer.
    public var cardOnFile: CardOnFileTerms?
    /// Who receives the money, where rules of card schemes ask for it.
    public var recipient: CustomerContact?
    /// Whether an approval of less may be asked for; needs a handler for ``PartialApprovalOffer``.
    public var acceptsPartialApproval = false
    /// Nothing real happens; never in the journal or in totals.
    public var isDryRun = false
    /// A word for the routing rules.
    public var routingLabel: String?
    /// How the reader presents itself.
    public var presentation = ReaderPresentation()
    /// The same request as the merchant's back end made it, to be sent as it is.
    public var prepared: PreparedRequest?

    /// The longest reference that is accepted.
    public static let referenceCharactersMax = 64

    /// The application's own reference, such as the number of an order; the attempt's id if the payment has none.
    public var reference: String { order.text ?? ownReference }
    /// What the provider gets as a reference if the application gives none.
    package var ownReference = ""

    /// Asks for an amount.
    public init(_ amount: Money, from source: PaymentSource, reference: OrderReference) {
        (self.amount, self.source, order, quote) = (amount, source, reference, nil)
    }

    /// Asks for an amount under a whole reference.
    public init(_ amount: Money, from source: PaymentSource, reference: String) {
        self.init(amount, from: source, reference: OrderReference(reference))
    }

    /// Asks for exactly what was quoted for one tender.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the quote has no total for the tender.
    public init(
        _ quote: Quote, _ tender: Tender, from source: PaymentSource, reference: OrderReference
    ) throws(PaymentError) {
        guard let breakdown = quote.tenders[tender] else {
            let known = quote.tenders.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw PaymentError.notExecuted(
                .invalidRequest, "the quote has no total for \(tender.rawValue); it has \(known)")
        }
        (amount, self.source, order) = (breakdown.total, source, reference)
        self.quote = QuotedTender(quote: quote, tender: tender)
        tip = breakdown.tip
    }

    /// What it asks for beyond an amount from a source.
    public var features: Set<RequestFeature> {
        var features: Set<RequestFeature> = []
        if quote != nil { features.insert(.quote) }
        if tip != nil, quote == nil { features.insert(.tip) }
        if customer != nil { features.insert(.customer) }
        if contact != nil { features.insert(.contact) }
        if billing != nil { features.insert(.billing) }
        if shipping != nil { features.insert(.shipping) }
        if displayText != nil { features.insert(.displayText) }
        if orderNumber != nil { features.insert(.orderNumber) }
        if language != nil { features.insert(.language) }
        if savesInstrument { features.insert(.saveInstrument) }
        if cardOnFile != nil { features.insert(.cardOnFile) }
        if recipient != nil { features.insert(.recipient) }
        if acceptsPartialApproval { features.insert(.partialApproval) }
        if isDryRun { features.insert(.dryRun) }
        if presentation != ReaderPresentation() { features.insert(.presentation) }
        if prepared != nil { features.insert(.preparedRequest) }
        return features
    }
}
