/// What a till shows: one value for one screen, the same at every provider.
///
/// ```swift
/// var screen = TillScreen.paying(.wait)
/// for await event in payments.events() where event.attempt == attempt { screen = screen.after(event) }
/// // … and when the sale ends:
/// screen = TillScreen(result, of: attempt)
/// ```
public enum TillScreen: Hashable, Sendable {
    /// The till starts.
    case starting
    /// The device can't take cards, and why.
    case unsuitable([String])
    /// The device's location must be known: the application asks for it, then starts the till again.
    case needsLocation
    /// The terms are to be accepted, by a person who may do that for the merchant.
    case terms
    /// The reader gets ready, in hundredths.
    case preparing(percent: Int)
    /// The next customer may come.
    case ready
    /// A payment is under way; the prompt says what the customer does now.
    case paying(TillScreen.Prompt)
    /// The money moved.
    case paid(Payment)
    /// Money was refunded.
    case refunded(Payment)
    /// The card or its issuer declined.
    case declined(Decline.Reason)
    /// It ended without a card: the customer or the cashier cancelled, or the time was over. No money moved.
    case cancelled
    /// It was accepted, and is decided later, as a refund for days: don't charge its order again. The next customer may come.
    case pending(AttemptID)
    /// It is not known whether money moved: charge nothing until it is.
    case unknown(AttemptID)
    /// It failed, and no money moved; ``CashierMessages`` has a sentence for the key, and a person may have to do something first.
    case failed(key: String, needsPerson: Bool)

    /// What the result of a call shows.
    ///
    /// - Parameters:
    ///   - result: What the call returned.
    ///   - attempt: The attempt that was made for the call.
    public init(_ result: PaymentResult, of attempt: AttemptID) {
        self =
            switch result {
            case .approved(let payment): Self.approved(payment)
            case .declined(let decline): .declined(decline.reason)
            case .cancelled: .cancelled
            case .pending(let pending): .pending(pending.attempt ?? attempt)
            }
    }

    /// What an approval shows: the money as it is now, so that what was undone since is no payment.
    private static func approved(_ payment: Payment) -> TillScreen {
        if payment.isDryRun { return .ready }
        let amounts = payment.amounts
        switch payment.operation {
        case .refund, .unlinkedRefund, .chargeback: return .refunded(payment)
        case .verify, .tokenize: return .ready
        case .void: return amounts.isVoided ? .cancelled : .ready
        case .sale, .authorize, .debit, .capture, .adjust, .tipAdjustment:
            if amounts.isVoided { return .cancelled }
            if payment.isGoingBack { return .pending(payment.attempt) }
            let isBack = !amounts.refunded.isZero && amounts.refunded.minorUnits >= amounts.captured.minorUnits
            return isBack ? .refunded(payment) : .paid(payment)
        }
    }

    /// What the error of a call shows. Only an error that proves that no money moved lets the next payment begin.
    ///
    /// - Parameters:
    ///   - error: What the call threw.
    ///   - attempt: The attempt that was made for the call; nil where none was.
    public init(_ error: PaymentError, of attempt: AttemptID?) {
        switch error.outcome {
        // What moved belongs to its attempt, whose id gets the result.
        case .executed, .unknown:
            let open = error.attempt ?? attempt
            self = open.map { .unknown($0) } ?? .failed(key: error.messageKey, needsPerson: true)
        case .notExecuted:
            self =
                switch error.code {
                case .termsNotAccepted, .accountNotLinked: .terms
                case .cancelled: .cancelled
                // No request was under way, so that it was the wait for the card that ended.
                case .timedOut where error.diagnosis == nil: .cancelled
                case _: .failed(key: error.messageKey, needsPerson: error.requiresUserAction)
                }
        }
    }

    /// The screen after an event of the payment on it; the same for an event that says nothing to people before a screen.
    public func after(_ event: PaymentEvent) -> TillScreen {
        guard case .paying(let before) = self, let prompt = TillScreen.Prompt(event.kind) else { return self }
        // A reader that asks again reports once more that it waits.
        return before == .presentAgain && prompt == .presentCard ? self : .paying(prompt)
    }

    /// Whether a payment may begin.
    public var takesPayments: Bool {
        switch self {
        case .ready, .paid, .refunded, .declined, .cancelled, .failed, .pending: true
        case .starting, .unsuitable, .needsLocation, .terms, .preparing, .paying, .unknown: false
        }
    }

    /// Under which key ``CashierMessages`` has the screen's sentence.
    public var messageKey: String {
        switch self {
        case .starting: "screen.starting"
        case .unsuitable: PaymentError.Code.deviceUnsupported.rawValue
        case .needsLocation: PaymentError.Code.locationRequired.rawValue
        case .terms: "screen.terms"
        case .preparing: "screen.preparing"
        case .ready: "screen.ready"
        case .paying(let prompt): prompt.messageKey
        case .paid: "screen.paid"
        case .refunded: "screen.refunded"
        case .declined: "screen.declined"
        case .cancelled: PaymentError.Code.cancelled.rawValue
        case .pending: "screen.pending"
        case .unknown: CashierMessages.unknownKey
        case .failed(let key, _): key
        }
    }
}

extension TillScreen {
    /// What the customer does at the reader, one for each thing to say.
    public enum Prompt: String, Hashable, Sendable, CaseIterable {
        /// Nothing yet: the payment begins.
        case wait
        /// Present a card.
        case presentCard
        /// The card was seen: hold it still. While it is there, a cancel is too late.
        case holdStill
        /// The card was taken away too early or could not be read: present it again.
        case presentAgain
        /// Enter the PIN.
        case enterPIN
        /// The card was read and can be taken away.
        case removeCard
        /// The provider decides.
        case deciding

        /// What an event asks of the customer; nil for the many events that ask nothing.
        public init?(_ kind: PaymentEvent.Kind) {
            switch kind {
            case .readyForCard, .reader(.readyForTap): self = .presentCard
            case .reader(.cardDetected): self = .holdStill
            case .reader(.readRetry): self = .presentAgain
            case .pinRequested, .reader(.pinEntryRequested): self = .enterPIN
            case .reader(.removeCard): self = .removeCard
            case .cardRead, .pinEntered, .reader(.readCompleted), .reader(.pinEntryCompleted): self = .deciding
            case _: return nil
            }
        }

        /// Under which key ``CashierMessages`` has its sentence.
        public var messageKey: String { "prompt.\(rawValue)" }
    }
}

extension CashierMessages {
    /// The sentence for a screen; ``english`` and ``german`` have one for each.
    public func sentence(for screen: TillScreen) -> String { sentence(of: screen.messageKey) }

    /// The sentence for a prompt.
    public func sentence(for prompt: TillScreen.Prompt) -> String { sentence(of: prompt.messageKey) }

    private func sentence(of key: String) -> String { sentences[key] ?? sentences[Self.otherKey] ?? key }
}
