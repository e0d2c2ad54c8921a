internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentClient {
    static func check(_ request: SaleRequest) throws(PaymentError) {
        try check(request.order)
        try check(amount: request.amount)
        if let tip = request.tip {
            guard tip.currency == request.amount.currency, !tip.isNegative,
                tip.minorUnits <= request.amount.minorUnits
            else {
                throw PaymentError(
                    .invalidRequest, outcome: .notExecuted,
                    detail: "The tip must be a part of the amount, in its currency and not below zero.")
            }
        }
        if let quoted = request.quote, let price = quoted.quote.tenders[quoted.tender] {
            let (quotes, says) = (price.tip ?? .zero(price.total.currency), request.tip ?? .zero(price.total.currency))
            guard quotes == says else {
                throw PaymentError(
                    .invalidRequest, outcome: .notExecuted,
                    detail: "The tip must be the quote's, \(quotes) (got \(says)). Get a quote with the other tip.")
            }
        }
        if let logo = request.presentation.logo, logo.count > ReaderPresentation.logoBytesMax {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted,
                detail: "a logo has at most \(ReaderPresentation.logoBytesMax) bytes, this one has \(logo.count)")
        }
    }

    static func check(_ order: OrderReference) throws(PaymentError) {
        if let text = order.text { try check(reference: text) }
        guard order.part.count <= OrderReference.partCharactersMax else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "A part has at most \(OrderReference.partCharactersMax) characters (got \(order.part.count)).")
        }
        if !order.part.isEmpty { try check(reference: order.part) }
        if let time = order.holdsFor, time.wholeMilliseconds < JournalRules.holdsForMin {
            throw PaymentError.notExecuted(
                .invalidRequest, "A payment keeps its reference for at least 10 minutes (got \(time)).")
        }
    }

    static func check(reference: String) throws(PaymentError) {
        guard !reference.isEmpty, reference.count <= SaleRequest.referenceCharactersMax else {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted,
                detail: "a reference has 1 to \(SaleRequest.referenceCharactersMax) characters, this one has "
                    + "\(reference.count)")
        }
        guard reference.utf8.count <= SaleRequest.referenceBytesMax else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "A reference has at most \(SaleRequest.referenceBytesMax) bytes (got \(reference.utf8.count)).")
        }
        guard reference.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted, detail: "a reference has no control characters")
        }
        guard !Masking.findsCardNumber(in: reference) else {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted,
                detail: "the reference looks like a card number, and references are kept in the clear; use another")
        }
    }

    static func check(amount: Money) throws(PaymentError) {
        guard amount.minorUnits > 0 else {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted, detail: "The amount must be greater than zero (got \(amount)).")
        }
        try check(most: amount)
    }

    /// The client believes no reply over a larger amount, so it sends none.
    static func check(most amount: Money) throws(PaymentError) {
        guard amount.minorUnits <= Money.believableMinorUnitsMax else {
            let most = Money(minorUnits: Money.believableMinorUnitsMax, amount.currency)
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted,
                // What was typed may be a card number in the wrong place.
                detail: "The amount must be at most \(most). An answer over more is not believed.")
        }
    }

    func check(_ request: SaleRequest, _ provider: ProviderRuntime, sources: Set<PaymentSource.Kind>)
        throws(PaymentError)
    {
        let capabilities = provider.capabilities
        try check(source: request.source.kind, provider, sources, "payment")
        if let currencies = capabilities.currencies, !currencies.contains(request.amount.currency) {
            let known = currencies.map(\.code).sorted().joined(separator: ", ")
            throw PaymentError(
                .unsupported, outcome: .notExecuted,
                detail: "\(provider.id) takes no \(request.amount.currency.code); it takes \(known)")
        }
        let missing = request.features.subtracting(capabilities.features)
        guard missing.isEmpty else {
            let names = missing.map(\.rawValue).sorted().joined(separator: ", ")
            throw PaymentError(
                .unsupported, outcome: .notExecuted,
                detail: "\(provider.id) does not take \(names); leave it out or use another provider")
        }
        if request.source.kind == .reader, services.reader == nil, provider.needsHardware {
            throw ReaderContext.noReader
        }
    }

    /// A token or a saved instrument goes to the provider that made it, and to no other.
    func checkMaker(of source: PaymentSource, _ provider: ProviderRuntime) throws(PaymentError) {
        if let maker = source.tokenProvider {
            guard maker != provider.id else {
                if case .saved(let instrument, _) = source { try checkKeeper(of: instrument, provider) }
                return
            }
            let advice =
                routing.draining.contains(maker)
                ? "\(maker) is draining and takes nothing new." : "Charge it there."
            throw PaymentError.notExecuted(
                .unsupported, "It was made by \(maker) and means nothing to \(provider.id). \(advice)")
        }
        if source.kind == .saved { try checkKeeperIsClear() }
    }

    /// Another account under the same name may keep another customer's instrument under the same id.
    func checkKeeper(of instrument: SavedInstrument.ID, _ provider: ProviderRuntime) throws(PaymentError) {
        if instrument.isKept(at: provider.identity) { return }
        throw PaymentError(
            .configuration, outcome: .notExecuted,
            detail: "Another account keeps the instrument, and now this name means \(provider.identity).",
            diagnosis: FailureDiagnosis(.request, host: "\(provider.identity)", .wrongAccount))
    }

    /// An instrument whose provider is not named may be a stranger's where several keep some.
    func checkKeeperIsClear() throws(PaymentError) {
        let keepers = providers.values.filter { $0.capabilities.sources.contains(.saved) || $0.cardOnFile != nil }
        guard Set(keepers.map(\.identity)).count > 1 else { return }
        let names = keepers.map(\.id.rawValue).sorted().joined(separator: ", ")
        throw PaymentError.notExecuted(
            .invalidRequest,
            "Each of \(names) keeps instruments. Name the one that keeps this one, as the answer did that saved it.")
    }

    /// Where shops share an account, an instrument may be that of another shop's customer: only with the customer's name the
    /// provider refuses it.
    func checkCustomer(
        _ customer: String?, of source: PaymentSource.Kind, _ provider: ProviderRuntime
    ) throws(PaymentError) {
        guard source == .saved, customer == nil, services.shop(at: provider) != nil,
            provider.capabilities.features.contains(.customer)
        else { return }
        throw PaymentError.notExecuted(.invalidRequest, "Name the customer whose instrument it is.")
    }

    func check(_ prepared: PreparedRequest?, _ provider: ProviderRuntime) throws(PaymentError) {
        guard prepared != nil, !provider.capabilities.features.contains(.preparedRequest) else { return }
        throw PaymentError(
            .unsupported, outcome: .notExecuted, detail: "\(provider.id) takes no request that another system has made")
    }

    func check(
        source: PaymentSource.Kind, _ provider: ProviderRuntime, _ sources: Set<PaymentSource.Kind>, _ what: String
    ) throws(PaymentError) {
        if sources.contains(source) { return }
        let known = sources.map(\.rawValue).sorted().joined(separator: ", ")
        throw PaymentError(
            .unsupported, outcome: .notExecuted,
            detail:
                "\(provider.id) takes no \(what) from \(source.rawValue); it takes \(known.isEmpty ? "none" : known)")
    }
}

extension ProviderRuntime {
    /// Whether reads go to the hardware that the application gave, rather than to a terminal of the provider's.
    var needsHardware: Bool { !capabilities.usesProviderTerminal }
}
