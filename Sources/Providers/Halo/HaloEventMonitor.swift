internal import PaymentAbstraction
internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// Listens to the kit: its events go on the payment's timeline, and what they show about the money is kept.
struct HaloEventMonitor {
    /// What the kit has shown of a payment so far.
    struct Seen: Sendable {
        var evidence = SDKEvidence.nothingSeen
        /// Whether a card was seen, after which nothing is cancelled.
        var hasCard = false
        /// Whether the last answer asked for the PIN.
        var wantsPIN = false
        /// How often something was submitted: the tap, and the PIN after it.
        var submissionCount = 0
        /// Whether the till wanted it cancelled.
        var wantsCancel = false
    }

    let calls = MobileSDKCalls<Seen>()

    /// Somebody wants the newest payment ended.
    func cancel() -> MobileSDKCalls<Seen>.Cancel {
        calls.cancel { seen in
            if !seen.hasCard { seen.wantsCancel = true }
            return !seen.hasCard
        }
    }

    /// The kit calls its delegate.
    func heard(_ event: HaloPhoneSDK.HaloEventDelegate) {
        switch event {
        case .didUpdatePreparationProgress(let thousandths):
            calls.tell(.updateProgress(max(1, min(100, thousandths / 10))))
        case .didFailPreparationWithError: calls.tell(.notReady)
        case .haloSDKDidBecomeReady: break
        case .didReceiveError(let said):
            calls.hear()?.emit(
                PaymentEvent.Kind(rawValue: "halo.error"), ["code": said.errorCode.rawValue, "source": said.source])
        case .didEmitAnalyticsEvent(let step):
            let context = calls.hear { $0.hear(step) }
            if step.type == .cardDetected { calls.tell(.cardDetected) }
            context?.emit(Self.kind(step.type), step.metadata)
        }
    }

    private static func kind(_ type: HaloPhoneSDK.EventType) -> PaymentEvent.Kind {
        switch type {
        case .readyForTap: .reader(.readyForTap)
        case .cardDetected: .reader(.cardDetected)
        case .pinCaptureStarted: .pinRequested
        case .pinCaptureSucceeded: .pinEntered
        case .transactionSubmissionStarted: .transactionSubmissionStarted
        case .transactionResponseReceived: .transactionResponseReceived
        default: PaymentEvent.Kind(rawValue: "halo.\(type.rawValue)")
        }
    }
}

extension HaloEventMonitor.Seen {
    /// Takes in a step of a payment.
    ///
    /// Only the tap's own answer can ask for the PIN. Whatever else than an approval comes for the PIN leaves its
    /// submission as it was seen, however it is labelled.
    mutating func hear(_ step: HaloPhoneSDK.HaloAnalyticsEvent) {
        let before = evidence
        evidence.see(step)
        switch step.type {
        case .cardDetected: hasCard = true
        case .transactionSubmissionStarted: (hasCard, submissionCount) = (true, submissionCount + 1)
        case .transactionResponseReceived:
            let isOfTap = submissionCount <= 1
            if !isOfTap { evidence.raise(to: before) }
            wantsPIN = isOfTap && step.isApproved != true && step.isSingleTapAndPin == true
        default: break
        }
    }
}
