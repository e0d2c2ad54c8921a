public import PaymentAbstraction

// What the office does in the place of a kit, protocol by protocol.

extension MobileSDKDriver where Self: AuthorizationDriver, Office: AuthorizationDriver {
    /// By the office.
    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.authorize(request, context)
    }

    /// By the office.
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.capture(request, context)
    }
}

extension MobileSDKDriver where Self: AdjustmentDriver, Office: AdjustmentDriver {
    /// By the office.
    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.adjust(request, context)
    }
}

extension MobileSDKDriver where Self: VoidDriver, Office: VoidDriver {
    /// By the office.
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.void(request, context)
    }
}

extension MobileSDKDriver where Self: RefundDriver, Office: RefundDriver {
    /// By the office.
    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.refund(request, context)
    }
}

extension MobileSDKDriver where Self: UnlinkedRefundDriver, Office: UnlinkedRefundDriver {
    /// By the office.
    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.refundUnlinked(request, context)
    }
}

extension MobileSDKDriver where Self: TipAdjustmentDriver, Office: TipAdjustmentDriver {
    /// By the office.
    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.adjustTip(request, context)
    }
}

extension MobileSDKDriver where Self: CardOnFileDriver, Office: CardOnFileDriver {
    /// By the office.
    public func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await apiDriver.chargeCardOnFile(request, context)
    }
}

extension MobileSDKDriver where Self: DetailsDriver, Office: DetailsDriver {
    /// By the office.
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        try await apiDriver.details(references, context)
    }
}

extension MobileSDKDriver where Self: ListDriver, Office: ListDriver {
    /// By the office.
    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        try await apiDriver.list(query, context)
    }
}

extension MobileSDKDriver where Self: PricingDriver, Office: PricingDriver {
    /// By the office.
    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        try await apiDriver.quote(request, context)
    }
}

extension MobileSDKDriver where Self: SettingsDriver, Office: SettingsDriver {
    /// By the office.
    public func settings(_ context: LookupContext) async throws -> MerchantSettings {
        try await apiDriver.settings(context)
    }

    /// By the office.
    public func permissions(_ context: LookupContext) async throws -> Set<String> {
        try await apiDriver.permissions(context)
    }
}

extension MobileSDKDriver where Self: DeviceDriver, Office: DeviceDriver {
    /// By the office.
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        try await apiDriver.devices(context)
    }

    /// By the office.
    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await apiDriver.device(id, context)
    }

    /// By the office.
    public func unbind(terminal: String, _ context: LookupContext) async throws {
        try await apiDriver.unbind(terminal: terminal, context)
    }
}

extension MobileSDKDriver where Self: SavedInstrumentDriver, Office: SavedInstrumentDriver {
    /// By the office.
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        try await apiDriver.instruments(of: customer, context)
    }

    /// By the office.
    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        try await apiDriver.remove(instrument, of: customer, context)
    }
}

extension MobileSDKDriver where Self: SessionDriver, Office: SessionDriver {
    /// By the office.
    public var renewalMarginMilliseconds: Int64 { apiDriver.renewalMarginMilliseconds }

    /// By the office.
    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await apiDriver.accessToken(replacing: last, context)
    }

    /// By the office.
    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {
        try await apiDriver.signOut(access, context)
    }
}

extension MobileSDKDriver where Self: WebhookDriver, Office: WebhookDriver {
    /// By the office.
    public var acknowledgement: WebhookAcknowledgement { apiDriver.acknowledgement }

    /// By the office.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try apiDriver.notices(in: message) }
}
