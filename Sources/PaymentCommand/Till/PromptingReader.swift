internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentSandbox

/// The simulated reader, with what a customer would read on its screen said on standard error.
struct PromptingReader: CardReader, LinkingReader, TeachingReader {
    let inner: SimulatedReader
    let say: @Sendable (String) -> Void

    func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        await inner.observe { [say] event in
            if let prompt = Self.prompt(event) { say("reader: \(prompt)") }
            sink(event)
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

    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
    func read(_ request: CardRequest) async throws -> CardRead { try await inner.read(request) }
    func readPIN(token: Secret, after read: CardRead) async throws -> CardRead {
        try await inner.readPIN(token: token, after: read)
    }
    func cancel() async throws -> CancelAnswer { try await inner.cancel() }
    func isLinked(token: Secret) async throws -> Bool { try await inner.isLinked(token: token) }
    func link(token: Secret, again: Bool) async throws { try await inner.link(token: token, again: again) }
    func showEducation() async throws { try await inner.showEducation() }
}
