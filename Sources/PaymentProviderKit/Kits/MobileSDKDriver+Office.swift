public import PaymentAbstraction

// What the office does in the place of a kit, protocol by protocol.

extension MobileSDKDriver where Self: AuthorizationDriver, Office: AuthorizationDriver {
    /// By the office.
    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.authorize(request, context)
    }

    /// By the office.
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.capture(request, context)
    }
}

extension MobileSDKDriver where Self: AdjustmentDriver, Office: AdjustmentDriver {
    /// By the office.
    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.adjust(request, context)
    }
}

extension MobileSDKDriver where Self: VoidDriver, Office: VoidDriver {
    /// By the office.
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.void(request, context)
    }
}

extension MobileSDKDriver where Self: RefundDriver, Office: RefundDriver {
    /// By the office.
    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.refund(request, context)
    }
}

extension MobileSDKDriver where Self: UnlinkedRefundDriver, Office: UnlinkedRefundDriver {
    /// By the office.
    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.refundUnlinked(request, context)
    }
}

extension MobileSDKDriver where Self: TipAdjustmentDriver, Office: TipAdjustmentDriver {
    /// By the office.
    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.adjustTip(request, context)
    }
}

extension MobileSDKDriver where Self: CardOnFileDriver, Office: CardOnFileDriver {
    /// By the office.
    public func debit(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await office.debit(request, context)
    }
}

extension MobileSDKDriver where Self: DetailsDriver, Office: DetailsDriver {
    /// By the office.
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        try await office.details(references, context)
    }
}

extension MobileSDKDriver where Self: ListDriver, Office: ListDriver {
    /// By the office.
    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        try await office.list(query, context)
    }
}

extension MobileSDKDriver where Self: PricingDriver, Office: PricingDriver {
    /// By the office.
    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        try await office.quote(request, context)
    }
}

extension MobileSDKDriver where Self: SettingsDriver, Office: SettingsDriver {
    /// By the office.
    public func settings(_ context: LookupContext) async throws -> MerchantSettings {
        try await office.settings(context)
    }

    /// By the office.
    public func permissions(_ context: LookupContext) async throws -> Set<String> {
        try await office.permissions(context)
    }
}

extension MobileSDKDriver where Self: DeviceDriver, Office: DeviceDriver {
    /// By the office.
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] { try await office.devices(context) }

    /// By the office.
    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await office.device(id, context)
    }

    /// By the office.
    public func unbind(terminal: String, _ context: LookupContext) async throws {
        try await office.unbind(terminal: terminal, context)
    }
}

extension MobileSDKDriver where Self: SavedInstrumentDriver, Office: SavedInstrumentDriver {
    /// By the office.
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        try await office.instruments(of: customer, context)
    }

    /// By the office.
    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        try await office.remove(instrument, of: customer, context)
    }
}

extension MobileSDKDriver where Self: SessionDriver, Office: SessionDriver {
    /// By the office.
    public var accessMarginMilliseconds: Int64 { office.accessMarginMilliseconds }

    /// By the office.
    public func access(after last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await office.access(after: last, context)
    }

    /// By the office.
    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {
        try await office.signOut(access, context)
    }
}

extension MobileSDKDriver where Self: WebhookDriver, Office: WebhookDriver {
    /// By the office.
    public var acknowledgement: WebhookAcknowledgement { office.acknowledgement }

    /// By the office.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try office.notices(in: message) }
}
