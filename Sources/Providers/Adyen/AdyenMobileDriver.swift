public import PaymentAbstraction
internal import PaymentMobileSDKs

/// Adyen on a phone: payments run in the vendor's own kit, which opens and renews its session by itself.
///
/// The whole call of the kit is one send, ended by its answer: it can't be held back, and its screens are not shown again
/// by a repeat. No key is on the phone: the application's server opens sessions (``AdyenSessions``) and carries what the
/// back office is asked (``AdyenMerchantServer``).
public struct AdyenMobileDriver: AdyenTerminalDriver {
    public let core: AdyenCore
    let kit: any AdyenPhoneSDK.PaymentService

    init(_ core: AdyenCore, _ kit: any AdyenPhoneSDK.PaymentService) { (self.core, self.kit) = (core, kit) }

    /// The kit can't be asked what became of a payment; a webhook says it.
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        .cannotTell("The provider does not say.")
    }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { nil }
}

extension AdyenMobileDriver {
    /// The kit is asked for the reader, so that a payment doesn't fail for it.
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        do {
            try await kit.getPaymentInterface(with: core.paymentInterface)
            return ReaderCompatibility([])
        } catch {
            let fault = AdyenKitFailure(code: error, call: .getPaymentInterface).fault
            guard fault.code == .deviceUnsupported || fault.code == .deviceCompromised else { throw error }
            return ReaderCompatibility([
                .init(.model, passed: false, found: error.rawValue, required: core.paymentInterface.rawValue)
            ])
        }
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        try await warmUp(context)
        return ActivationStatus(.active)
    }

    /// Begins anew, as for another merchant: the kit forgets its session and asks the application's server for another.
    public func activate(_ context: ReaderContext) async throws {
        try await kit.resetSession()
        try await warmUp(context)
    }

    public func prepare(_ context: ReaderContext) async throws {
        try await context.exchange { _ in
            try await kit.warmUp()
            try await kit.getPaymentInterface(with: core.paymentInterface)
        }
    }

    /// The kit's own screen is what ends a payment.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        core.slot.running == nil ? .nothingToCancel : .tooLate
    }

    public func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async {
        guard change == .becameActive else { return }
        // A failed warm-up costs only time: the next payment does it again.
        try? await warmUp(context)
    }

    private func warmUp(_ context: ReaderContext) async throws {
        try await context.exchange { _ in try await kit.warmUp() }
    }
}
