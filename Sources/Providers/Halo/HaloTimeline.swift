public import PaymentAbstraction

/// The fifteen steps of a payment as the provider's documents name them, out of our events.
public enum HaloTimeline {
    /// The step that an event is; nil for events that the documents don't have.
    public static func step(of event: PaymentEvent) -> String? {
        if event.kind == .failed, event.attributes["code"] == PaymentError.Code.cancelled.rawValue {
            return "paymentCancelled"
        }
        return steps[event.kind]
    }

    /// How far a preparation is, in parts per thousand; the documents write it from 0.0 to 1.0.
    public static func progress(_ event: ReaderEvent) -> Int? {
        if case .updateProgress(let percent) = event { return percent * 10 }
        return nil
    }

    private static let steps: [PaymentEvent.Kind: String] = [
        .accessRenewed: "sdkInitialized", .educationShown: "discoveryShown", .readerReady: "sdkReaderPrepared",
        .begun: "paymentStarted", .readyForCard: "paymentValidated", .reader(.readyForTap): "readyForTap",
        .reader(.cardDetected): "cardDetected", .transactionSubmissionStarted: "transactionSubmissionStarted",
        .transactionResponseReceived: "transactionResponseReceived", .pinRequested: "pinCaptureStarted",
        .pinEntered: "pinCaptureSucceeded", .approved: "paymentApproved", .declined: "paymentDeclined",
        .cancelled: "paymentCancelled", .failed: "paymentError", .inDoubt: "paymentError",
        .readerFailed: "paymentError",
    ]
}
