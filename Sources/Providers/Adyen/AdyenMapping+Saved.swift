internal import PaymentAbstraction
internal import PaymentBase

extension AdyenMapping {
    /// An instrument's name together with its customer's, since the back office asks for both.
    static func instrument(_ token: String, _ customer: String?) -> SavedInstrument.ID {
        .init(rawValue: customer.map { "\(token)/\($0)" } ?? token)
    }

    /// What the back office is asked to charge an instrument that it keeps, without the customer being asked anything.
    static func charge(
        _ id: SavedInstrument.ID, _ request: SaleRequest, _ attempt: AttemptID, _ configuration: AdyenConfiguration
    ) throws(PaymentError) -> JSONObject {
        let parts = id.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
        guard let token = parts.first, let customer = request.customer ?? parts.dropFirst().first else {
            throw PaymentError.notExecuted(.invalidRequest, "a saved instrument is charged with its customer's name")
        }
        if request.acceptsPartialApproval || request.prepared != nil {
            throw PaymentError.notExecuted(.unsupported, "a saved instrument is charged in full, by our own request")
        }
        var body = try modification(request.amount, attempt, configuration)
        body["paymentMethod"] = ["type": "scheme", "storedPaymentMethodId": .string(token)]
        body["shopperReference"] = .string(customer)
        body["shopperInteraction"] = "ContAuth"
        // The description requires it of every payment, though nobody is sent anywhere without the shopper.
        body["returnUrl"] = .string(configuration.returnURL)
        body.add("recurringProcessingModel", recurring(request) ?? "CardOnFile")
        body.add("shopperEmail", request.contact?.email?.value)
        body.add("shopperStatement", request.displayText)
        body.add("store", configuration.store)
        var metadata: JSONObject = ["reference": .string(request.reference)]
        metadata.add("orderNumber", request.orderNumber)
        body["metadata"] = .object(metadata)
        return body
    }

    /// What the back office said about it; what asks for the customer, or is in no list, proves nothing.
    static func verdict(_ reply: SavedPaymentReply?, _ name: String?, asked: Money? = nil) throws -> Verdict {
        guard let reply else { throw AdyenFailure.unreadable("the answer does not say how it ended") }
        if let name, let echoed = reply.merchantReference, echoed != name { throw AdyenFailure.stranger }
        let names: PaymentReferences = reply.pspReference.isEmpty ? [:] : [Name.psp: reply.pspReference]
        switch reply.result {
        case "Authorised":
            guard !names.isEmpty else { throw AdyenFailure.unreadable("the approval has no name") }
            // The amount may be left out; the back office changes none.
            let said = try reply.minorUnits.flatMap { units in
                try reply.currency.map { try AdyenAmounts.money(units, $0) }
            }
            guard let approved = said ?? (reply.hasAmount ? nil : asked) else {
                throw AdyenFailure.unreadable("the approval names no amount, or half of one")
            }
            var approval = Approval(approved, references: names)
            approval.card = CardSummary(brand: reply.brand, last4: reply.additional["cardSummary"])
            return .approved(approval)
        case "Refused":
            let said = ProviderMessage(code: reply.refusalCode, message: reply.refusalReason)
            return .declined(
                Decline(AdyenDeclineCodes.office[reply.refusalCode] ?? .unmapped, provider: said, references: names))
        case "Cancelled":
            return .cancelled(
                Cancellation(cause: .provider, provider: ProviderMessage(code: reply.result), references: names))
        case "Received", "Pending":
            guard !names.isEmpty else { throw AdyenFailure.unreadable("it has no name to wait for") }
            return .pending(Pending(references: names, shouldPoll: false))
        default: throw AdyenFailure.unreadable("the result is in no table")
        }
    }
}
