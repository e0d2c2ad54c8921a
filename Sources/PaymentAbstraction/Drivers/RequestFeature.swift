public import PaymentModel

/// Something that a request may carry and not every provider takes.
public enum RequestFeature: String, Hashable, Sendable, CaseIterable {
    /// An amount that rests on a quote.
    case quote
    /// A tip as a part of the amount.
    case tip
    /// The customer's name at the merchant.
    case customer
    /// Who pays.
    case contact
    /// The billing address.
    case billing
    /// The shipping address.
    case shipping
    /// What the customer reads.
    case displayText = "text"
    /// The number of an order.
    case orderNumber
    /// The customer's language.
    case language
    /// Keeping the instrument for the customer.
    case saveInstrument
    /// Registering the card for later charges.
    case cardOnFile
    /// Who receives the money.
    case recipient
    /// An approval of less than asked for.
    case partialApproval
    /// A rehearsal in which nothing real happens.
    case dryRun
    /// How the reader presents itself.
    case presentation
    /// A finished request in the provider's own words.
    case preparedRequest = "prepared"
}

extension SaleRequest {
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
