public import PaymentProviderKit

extension AdyenTerminalDriver {
    /// The customer's stored payment methods, as Checkout lists them.
    ///
    /// - Throws: An error if an entry has no id or the list is another customer's: a list counts as a whole.
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        try await context.exchange { _ in
            let reply = try await core.stored("GET", CheckoutPath.stored, of: customer)
            return try AdyenMapping.instruments(reply.body, of: customer)
        }
    }

    /// Removes a stored payment method. If no answer comes, the list says whether it is gone.
    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        let parts = instrument.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
        guard let token = parts.first, let path = CheckoutPath.stored(token), parts.count < 2 || parts[1] == customer
        else {
            throw PaymentError.notExecuted(
                .invalidRequest, "The instrument is not one of this customer's. Take its id from the customer's list.")
        }
        let isLost = try await context.exchange { _ -> Bool in
            do {
                _ = try await core.stored("DELETE", path, of: customer)
                return false
            } catch  where !(error is CancellationError) && classify(error).delivery == .maybeSent { return true }
        }
        guard isLost else { return }
        let kept = try await instruments(of: customer, context)
        guard kept.contains(where: { $0.id == AdyenMapping.instrument(token, customer) }) else { return }
        throw PaymentError(
            .inDoubt, outcome: .notExecuted, retry: .afterStatusCheck,
            detail:
                "No answer came, and Adyen still lists the instrument. List the customer's instruments again before you "
                + "remove it again.")
    }
}

extension AdyenMapping {
    /// The instruments of a list.
    static func instruments(_ json: JSON?, of customer: String) throws(AdyenFailure) -> [SavedInstrument] {
        guard let json, json.object != nil else { throw .unreadable("the list of stored payment methods is no object") }
        if let named = json["shopperReference"]?.string, named != customer { throw .stranger }
        guard let items = json["storedPaymentMethods"] else { return [] }
        guard let items = items.array else { throw .unreadable("the stored payment methods are no list") }
        var found: [SavedInstrument] = []
        for item in items {
            guard let id = item["id"]?.string, !id.isEmpty else {
                throw .unreadable("a stored payment method has no id")
            }
            if let named = item["shopperReference"]?.string, named != customer { throw .stranger }
            var instrument = SavedInstrument(Self.instrument(id, customer), card: card(item))
            instrument.customer = customer
            instrument.additional = additional(item)
            found.append(instrument)
        }
        return found
    }

    /// The card of an entry; nil for a bank account and the like.
    private static func card(_ item: JSON) -> CardSummary? {
        guard let last4 = item["lastFour"]?.string, !last4.isEmpty else { return nil }
        var card = CardSummary(brand: item["brand"]?.string, last4: last4)
        if let month = item["expiryMonth"]?.string, let year = item["expiryYear"]?.string, year.count >= 2 {
            card.expiry = (month.count == 1 ? "0" + month : month) + "/" + year.suffix(2)
        }
        card.holder = item["holderName"]?.string.flatMap { $0.isEmpty ? nil : PersonalData($0) }
        return card
    }

    /// What an entry has beside its id and card, under Adyen's own names.
    private static func additional(_ item: JSON) -> [String: PersonalData] {
        let names = [
            "type", "name", "createdAt", "firstPspReference", "issuerName", "cardBin", "alias", "aliasType",
            "shopperEmail",
            "iban", "ownerName", "networkTxReference", "externalTokenReference", "externalResponseCode",
        ]
        var found: [String: PersonalData] = [:]
        for name in names {
            found[name] = item[name]?.string.flatMap { $0.isEmpty ? nil : PersonalData($0) }
        }
        let models = (item["supportedRecurringProcessingModels"]?.array ?? []).compactMap(\.string)
        if !models.isEmpty {
            found["supportedRecurringProcessingModels"] = PersonalData(models.joined(separator: ", "))
        }
        return found
    }
}
