public import PaymentAbstraction
internal import PaymentBase
public import PaymentMobileSDKs
public import PaymentProviderKit

/// Halo on a phone: the vendor's kit reads the card, asks for the PIN and submits, all in one call.
///
/// A submission can't be held back, so that the whole call is one send: written down before it, ended by its answer.
/// What became of a payment is asked of the provider's server, where originals are refunded as well.
public struct HaloMobileDriver: MobileSDKDriver {
    /// The same account by its server.
    public let apiDriver: HaloDriver
    let kit: any HaloPhoneSDK.SDK
    let watch = HaloEventMonitor()

    /// How long a customer may take to present a card, in milliseconds; no document names a limit.
    static let untilTapMilliseconds: Int64 = 120_000
    /// How long the kit's call takes at most: card data and PIN that are older are refused by the server.
    static let callMilliseconds =
        untilTapMilliseconds + HaloDriver.pinMilliseconds + HaloDriver.tapMilliseconds
        + HaloDriver.clockSkewMilliseconds

    /// Makes a driver that pays with a kit, and asks and gives back through another's server.
    public init(_ driver: HaloDriver, _ kit: any HaloPhoneSDK.SDK) {
        var office = driver
        office.untilTapMilliseconds = Self.untilTapMilliseconds
        (self.apiDriver, self.kit) = (office, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.usesProviderTerminal = true
        return takes
    }

    public func classify(_ error: any Error) -> RequestFailure {
        guard let error = error as? HaloPhoneSDK.HaloError else { return apiDriver.classify(error) }
        return RequestFailure(Self.failure(error))
    }
}

extension HaloMobileDriver: SaleDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await tap(request.amount, .purchase, context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await tap(request.amount, .refund, context)
    }

    private func tap(
        _ amount: Money, _ type: HaloPhoneSDK.HaloTransactionType, _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.atTerminal {
            let call = watch.calls.begin(context, .init())
            var isCancelled = false
            defer { watch.calls.end(call, isCancelled: isCancelled) }
            let said: Verdict
            do throws(PaymentError) {
                said = try await context.exchange(.visible) { _ in
                    let result = await context.outlasting(Self.callMilliseconds) {
                        await kit.startContactlessPayment(
                            amountMinor: amount.minorUnits, currency: amount.currency.code,
                            merchantReference: context.attempt.text,
                            passthroughFields: .init(json: apiDriver.configuration.passthroughFields ?? "{}"),
                            type: type)
                    }
                    return try judged(result, watch.calls.seen(call) ?? .init(), context.attempt)
                }
            } catch {
                guard error.outcome == .unknown, let verdict = await recorded(context) else { throw error }
                return verdict
            }
            if case .cancelled = said { isCancelled = true }
            return try await completed(said, amount, context)
        }
    }

    /// What the kit leaves out, from the record: the issuer's reason for a decline, and an amount beyond doubt.
    private func completed(
        _ said: Verdict, _ asked: Money, _ context: PaymentContext
    ) async throws(PaymentError) -> Verdict {
        switch said {
        case .approved(let approval):
            context.emit(.cardRead)
            if approval.amount != asked { try await apiDriver.expect(approval, called: "transaction", context) }
        case .declined:
            guard let record = try? await apiDriver.finished(context.attempt, context.query),
                let verdict = try? HaloMapping.verdict(record, .sale, apiDriver.configuration.recordAmounts)
            else { return said }
            if case .declined = verdict { return verdict }
            throw PaymentError.unknown(.mismatch, "the kit says declined, and the record says \(record.disposition)")
        case .cancelled, .pending: break
        }
        return said
    }

    /// What the record says where the kit's end says nothing: that money moved, or that the provider decides later. That
    /// nothing moved is for the lookups to prove, after silence.
    private func recorded(_ context: PaymentContext) async -> Verdict? {
        guard let record = try? await apiDriver.finished(context.attempt, context.query),
            let verdict = try? HaloMapping.verdict(record, .sale, apiDriver.configuration.recordAmounts)
        else { return nil }
        switch verdict {
        case .approved, .pending: return verdict
        case .declined, .cancelled: return nil
        }
    }

    /// What the kit's answer says, by the outcome table of the kit.
    private func judged(
        _ result: HaloPhoneSDK.HaloPaymentResult, _ seen: HaloEventMonitor.Seen, _ attempt: AttemptID
    ) throws(PaymentError) -> Verdict {
        switch result {
        case .approved(let receipt): return .approved(try Self.approval(receipt, attempt))
        case .declined(let code, let message):
            let said = ProviderMessage(code: code?.rawValue ?? "", message: message ?? "")
            let rule = code.flatMap {
                HaloPhoneSDK.table.rule(for: $0.rawValue, in: HaloPhoneSDK.Call.startContactlessPayment)
            }
            if code == .notInitialized || code?.rawValue == "notInitialized" { watch.calls.tell(.notReady) }
            switch HaloPhoneSDK.outcome(of: code, seen: seen.evidence) {
            case .declined:
                return .declined(Decline(seen.wantsPIN ? .pinRequired : .declinedByProvider, provider: said))
            case .nothingMoved where rule?.cause == .cancelled:
                return .cancelled(Cancellation(cause: seen.wantsCancel ? .merchant : .customer, provider: said))
            case .nothingMoved:
                throw PaymentError(rule, .notExecuted, said)
            case .unknown:
                throw PaymentError(rule, .unknown, said)
            }
        }
    }

    private static func approval(_ receipt: HaloPhoneSDK.HaloReceipt, _ attempt: AttemptID) throws(PaymentError)
        -> Approval
    {
        guard receipt.reference == attempt.text else {
            throw PaymentError.unknown(.mismatch, "the receipt is about another reference")
        }
        guard let currency = Currency.known(receipt.currency) else {
            throw PaymentError.unknown(.unreadableReply, "the receipt names no currency that is known")
        }
        var paper = Receipt()
        (paper.authorizationCode, paper.at) = (receipt.authCode, receipt.approvedAt)
        var card = CardSummary(brand: receipt.cardBrand, last4: receipt.last4)
        card.entry = "contactless"
        let amount = try Money(minorUnits: receipt.amountMinor, currency).believable()
        return Approval(
            amount, references: ["transaction": receipt.transactionId], card: card, receipt: paper)
    }

    /// An error of the kit's life, outside payments: no money is in it.
    static func failure(_ error: HaloPhoneSDK.HaloError) -> PaymentError {
        let rule = HaloPhoneSDK.table.rule(for: error.name, in: HaloPhoneSDK.Call.initialize)
        return PaymentError(rule, .notExecuted, ProviderMessage(code: error.name))
    }
}
