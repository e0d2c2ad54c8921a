internal import PaymentAbstraction
internal import PaymentSimulator
internal import PaymentTesting

/// What a customer would read on the simulated reader's screen, said on standard error.
enum ReaderPrompts {
    /// The reader, with what is on its screen said.
    static func shown(on reader: SimulatedReader, _ say: @escaping @Sendable (String) -> Void) -> any CardReader {
        ObservedCardReader(reader) { event in
            if let prompt = prompt(event) { say("reader: \(prompt)") }
        }
    }

    /// What a customer reads; nil for what only programs want to know.
    private static func prompt(_ event: ReaderEvent) -> String? {
        switch event {
        case .readyForTap: "present the card"
        case .cardDetected: "the card is there; hold it still"
        case .readRetry: "present the card again"
        case .pinEntryRequested: "enter the PIN"
        case .pinEntryCompleted: "the PIN is entered"
        case .removeCard: "take the card away"
        case .readNotCompleted: "the card could not be read"
        case .readCancelled: "cancelled"
        case .readCompleted, .updateProgress, .userInterfaceDismissed, .notReady: nil
        }
    }
}
