extension ARISEPhoneSDK {
    /// What happens in the reader and in a tapped payment.
    public enum TTPEvent: Hashable, Sendable {
        /// The card reader says something.
        case readerEvent(TTPReaderEvent)
        /// The SDK says something of the payment.
        case customEvent(TTPCustomEvent)
    }

    /// What the card reader says in a payment: Apple's twelve events.
    public enum TTPReaderEvent: Hashable, Sendable {
        /// The reader's preparation has come so far, in hundredths.
        case updateProgress(Int)
        /// The reader can't take a card yet.
        case notReady
        /// The reader waits for a card.
        case readyForTap
        /// The reader sees a card.
        case cardDetected
        /// The card can be taken away.
        case removeCard
        /// The card was read.
        case readCompleted
        /// The card has to be tapped again.
        case readRetry
        /// Reading the card was cancelled.
        case readCancelled
        /// The customer is asked for the PIN.
        case pinEntryRequested
        /// The customer has entered the PIN.
        case pinEntryCompleted
        /// The reader's screen was closed.
        case userInterfaceDismissed
        /// The reader's screen has ended without a card.
        case readNotCompleted
        /// An event of the reader that the document doesn't list, by its name.
        case other(String)
    }

    /// What the SDK says of a tapped payment.
    public enum TTPCustomEvent: Hashable, Sendable {
        /// The reader is being prepared.
        case preparing
        /// The reader is ready.
        case ready
        /// The reader is not ready, and why.
        case readerNotReady(String)
        /// The reader sees a card.
        case cardDetected
        /// The card was read.
        case cardReadSuccess
        /// The card was not read.
        case cardReadFailure
        /// The payment is being authorized.
        case authorizing
        /// The payment was approved.
        case approved
        /// The payment was declined.
        case declined
        /// Something went wrong in the payment.
        case errorOccurred
        /// The payment is under way.
        case inProgress
        /// The reader's preparation has come so far, in hundredths.
        case updateReaderProgress(Int)
        /// An event of a payment that the SDK itself doesn't know.
        case unknownEvent(String)
    }
}

extension SDKEvidence {
    /// Takes in an event of a tapped payment.
    ///
    /// From a card that was read on, the payment may be on its way; the document doesn't say when it is sent, nor at
    /// which moment a payment is "in progress". Events that it doesn't list say nothing.
    public mutating func see(_ event: ARISEPhoneSDK.TTPEvent) {
        switch event {
        case .readerEvent(.readCompleted), .readerEvent(.pinEntryCompleted): raise(to: .submitted)
        case .customEvent(.cardReadSuccess), .customEvent(.authorizing), .customEvent(.inProgress),
            .customEvent(.declined):
            raise(to: .submitted)
        case .customEvent(.approved): self = .approved
        case .readerEvent, .customEvent: break
        }
    }
}
