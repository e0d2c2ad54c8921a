public import PaymentAbstraction

// What the office does in the place of a kit, protocol by protocol.

extension KitDriver where Self: AuthorizationDriver, Office: AuthorizationDriver {
    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.authorize(request, context)
    }

    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.capture(request, context)
    }
}

extension KitDriver where Self: AdjustmentDriver, Office: AdjustmentDriver {
    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.adjust(request, context)
    }
}

extension KitDriver where Self: VoidDriver, Office: VoidDriver {
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.void(request, context)
    }
}

extension KitDriver where Self: RefundDriver, Office: RefundDriver {
    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.refund(request, context)
    }
}

extension KitDriver where Self: UnlinkedRefundDriver, Office: UnlinkedRefundDriver {
    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.refundUnlinked(request, context)
    }
}

extension KitDriver where Self: TipAdjustmentDriver, Office: TipAdjustmentDriver {
    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.adjustTip(request, context)
    }
}

extension KitDriver where Self: CardOnFileDriver, Office: CardOnFileDriver {
    public func debit(_ request: DebitRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.debit(request, context)
    }
}

extension KitDriver where Self: DetailsDriver, Office: DetailsDriver {
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        try await office.details(references, context)
    }
}

extension KitDriver where Self: ListDriver, Office: ListDriver {
    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> DetailsPage {
        try await office.list(query, context)
    }
}

extension KitDriver where Self: PricingDriver, Office: PricingDriver {
    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        try await office.quote(request, context)
    }
}

extension KitDriver where Self: SettingsDriver, Office: SettingsDriver {
    public func settings(_ context: LookupContext) async throws -> MerchantSettings {
        try await office.settings(context)
    }

    public func permissions(_ context: LookupContext) async throws -> Set<String> {
        try await office.permissions(context)
    }
}

extension KitDriver where Self: DeviceDriver, Office: DeviceDriver {
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] { try await office.devices(context) }

    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await office.device(id, context)
    }

    public func unbind(terminal: String, _ context: LookupContext) async throws {
        try await office.unbind(terminal: terminal, context)
    }
}

extension KitDriver where Self: SavedInstrumentDriver, Office: SavedInstrumentDriver {
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        try await office.instruments(of: customer, context)
    }

    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        try await office.remove(instrument, of: customer, context)
    }
}

extension KitDriver where Self: SessionDriver, Office: SessionDriver {
    public var accessMarginMilliseconds: Int64 { office.accessMarginMilliseconds }

    public func access(after last: ProviderAccess?, _ context: SessionContext) async throws -> ProviderAccess {
        try await office.access(after: last, context)
    }

    public func signOut(_ access: ProviderAccess, _ context: SessionContext) async throws {
        try await office.signOut(access, context)
    }
}

extension KitDriver where Self: WebhookDriver, Office: WebhookDriver {
    public var acknowledgement: WebhookAcknowledgement { office.acknowledgement }

    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try office.notices(in: message) }
}
