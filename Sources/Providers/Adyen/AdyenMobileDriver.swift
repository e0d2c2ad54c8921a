public import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

/// Adyen on a phone: payments run in the kit on the phone, in a session that the back office opens.
public struct AdyenMobileDriver: AdyenTerminalDriver {
    public let core: AdyenCore
    let phone: any AdyenPhone

    /// How long a session is used, in milliseconds: as long as the phone's own check of its security holds.
    static let sessionMilliseconds: Int64 = 24 * 3_600_000

    init(_ core: AdyenCore, _ phone: any AdyenPhone) { (self.core, self.phone) = (core, phone) }

    /// The kit can't be asked what became of a payment; a webhook says it.
    public func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> LookupResult { .cannotTell }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan {
        LookupPlan(everyMilliseconds: 60_000, giveUpAfterMilliseconds: 0)
    }
}

extension AdyenMobileDriver: SessionDriver {
    public func access(after last: ProviderAccess?, _ context: SessionContext) async throws -> ProviderAccess {
        guard let sessions = core.configuration.sessions else {
            throw PaymentError.nothingMoved(.configuration, "where sessions are opened is not known")
        }
        let client = JSONClient(
            core.transport, sessions.origin, headers: [AdyenPost.keyHeader: core.configuration.apiKey.expose()])
        var body: JSONObject = [
            "merchantAccount": .string(core.configuration.merchant),
            "setupToken": .string(try await phone.setupToken().expose()),
        ]
        body.add("store", core.configuration.store)
        let reply = try await client.send("POST", sessions.target, body: .object(body))
        guard let data = reply["sdkData"]?.text, !data.isEmpty else {
            throw PaymentError.nothingMoved(.unreadableReply, "the answer holds no session")
        }
        try await phone.begin(Secret(data))
        return ProviderAccess(Secret(data), expires: context.now + Self.sessionMilliseconds)
    }
}

extension AdyenMobileDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility { ReaderCompatibility([]) }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        try await context.exchange { _ in try await phone.warmUp() }
        return ActivationStatus(.active)
    }

    public func prepare(_ context: ReaderContext) async throws {
        try await context.exchange { _ in try await phone.warmUp() }
    }

    /// The kit's own screen is what ends a payment.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelAnswer {
        core.slot.running == nil ? .nothingToCancel : .tooLate
    }

    public func lifecycle(_ change: AppLifecycle, _ context: ReaderContext) async {
        guard change == .becameActive else { return }
        // A failed warm-up costs only time: the next payment does it again.
        try? await context.exchange { _ in try await phone.warmUp() }
    }
}

extension AdyenMobileDriver: OfflineDriver {
    public func offlineQueue(_ context: LookupContext) async throws -> OfflineQueue {
        let (count, until) = try await context.exchange { _ in try await phone.stored() }
        return OfflineQueue(count: count, openUntil: until)
    }

    public func forward(_ context: LookupContext) async throws -> Int {
        try await context.exchange { _ in try await phone.forward() }
    }
}
