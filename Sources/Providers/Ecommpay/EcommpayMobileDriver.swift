public import PaymentAbstraction
internal import PaymentBase
public import PaymentMobileSDKs
public import PaymentProviderKit

/// ecommpay on a phone: the vendor's kit holds the session and makes the payment; its delegate's calls are questions
/// to the customer.
///
/// The whole call of the kit is one send: written down before it, ended by its answer. It carries a name of ours under
/// which the provider makes one payment, so that it is taken up again where its answer is lost. What became of a payment
/// is asked of the Gate, through which everything afterwards goes too; the application's server signs all of it.
public struct EcommpayMobileDriver: MobileSDKDriver {
    /// The same project by its Gate.
    public let apiDriver: EcommpayDriver
    let kit: any EcommpayPhoneSDK.SDK

    /// How long a kit may be silent until the Gate is asked, in milliseconds.
    static let silenceMilliseconds: Int64 = 30_000
    /// How long a kit's session lives without a word, in milliseconds.
    static let callMilliseconds: Int64 = 30 * 60_000
    /// How many events of the kit one payment may have.
    static let eventsMax = 512

    /// Makes a driver that pays with a kit, and does the rest through another's Gate.
    ///
    /// - Throws: `configuration`, nothing moved, when the project's secret would be on a phone in production.
    public init(_ driver: EcommpayDriver, _ kit: any EcommpayPhoneSDK.SDK) throws(PaymentError) {
        let configuration = driver.configuration
        if configuration.secret != nil, configuration.environment == "production" {
            throw PaymentError.notExecuted(
                .configuration,
                "link kit of \(configuration.name) has the project's secret on a phone: leave `secret` out, and hand over "
                    + "an EcommpaySigner or a signer that asks the application's server")
        }
        (apiDriver, self.kit) = (driver, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.sources = [.card, .saved, .token, .wallet]
        takes.authorizationSources = takes.sources
        takes.verificationSources = [.card]
        // The kit takes its language from the phone, and a recipient with one of its requests only.
        takes.features.subtract([.language, .recipient])
        return takes
    }

}

extension EcommpayMobileDriver: SaleDriver, AuthorizationDriver, VerificationDriver, TokenizationDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.taking(try await pay(.sale, EcommpayMapping.Order(request), context), request, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await pay(.authorize, EcommpayMapping.Order(request), context)
    }

    public func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try apiDriver.needsCustomer(request)
        return try await pay(.verify, EcommpayMapping.Order(request), context)
    }

    public func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try apiDriver.needsCustomer(request)
        if let verdict = try await apiDriver.tokenizedAtGate(request, context) { return verdict }
        return try await pay(.tokenize, EcommpayMapping.Order(request), context)
    }

    /// The order of a payment: open a session, pay in it, and complete what the kit leaves out.
    private func pay(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        var order = order
        order.extras = await apiDriver.extras(operation, order, context)
        try apiDriver.visaRule(order)
        _ = try EcommpayKitMapping.request(operation, order)
        let first = try await context.exchange(.readOnly) { _ in try await open(order, context.attempt) }
        switch first {
        case .begun:
            return try await apiDriver.found(
                operation, try await apiDriver.claimBeforeSending(order.amount, context), context)
        case .restored: _ = try await apiDriver.claimBeforeSending(order.amount, context)
        case .open: break
        }
        if case .open(_, let offer) = first {
            order.source = try await apiDriver.chosen(operation, order, offer, context, forget: forget(order, context))
            try apiDriver.visaRule(order)
        }
        let request = try EcommpayKitMapping.request(operation, order)
        if case .wallet = order.source { try context.note(EcommpayDriver.methodNote, "applepay") }
        let end = try await context.exchange(.idempotent) { current in
            // One session makes one payment: whoever asks again opens another, which finds what the first left.
            let door = current.number == 1 ? first : try await open(order, context.attempt)
            return try await through(door, request, context)
        }
        return try await completed(end, operation, order, context)
    }

    /// Takes a saved instrument out of what a session offers, for good; the kit has no call for it, and the Gate has.
    private func forget(
        _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) -> @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void {
        { id throws(PaymentError) in
            guard let customer = order.customer else {
                throw PaymentError.notExecuted(.notFound, "the session is nobody's, and offers no instrument")
            }
            do { try await apiDriver.remove(id, of: customer, context.query) } catch let error as PaymentError {
                throw error
            } catch {
                throw PaymentError.notExecuted(.invalidRequest, "the instrument can't be removed: \(error)")
            }
        }
    }
}

extension EcommpayMobileDriver: AdjustmentDriver, VoidDriver, RefundDriver, CardOnFileDriver {}

extension EcommpayMobileDriver: SavedInstrumentDriver, DetailsDriver, WebhookDriver {}
