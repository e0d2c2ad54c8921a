package import PaymentBase
package import PaymentModel

/// A card reader to whose events another listener comes first; what it can beyond reading it still can.
package struct ObservedCardReader<Inner: CardReader>: CardReader {
    private let inner: Inner
    private let hear: @Sendable (ReaderEvent) -> Void

    /// Listens to a reader.
    package init(_ inner: Inner, _ hear: @escaping @Sendable (ReaderEvent) -> Void) {
        (self.inner, self.hear) = (inner, hear)
    }

    package func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        await inner.setEventHandler { [hear] event in
            hear(event)
            sink(event)
        }
    }

    package func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    package func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
    package func read(_ request: CardReadRequest) async throws -> CardReadResult { try await inner.read(request) }
    package func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }
    package func cancel() async throws -> CancelResult { try await inner.cancel() }
}

extension ObservedCardReader: AccountLinkingReader where Inner: AccountLinkingReader {
    package func isLinked(token: Secret) async throws -> Bool { try await inner.isLinked(token: token) }
    package func link(token: Secret, again: Bool) async throws { try await inner.link(token: token, again: again) }
}

extension ObservedCardReader: MerchantEducationReader where Inner: MerchantEducationReader {
    package func showEducation() async throws { try await inner.showEducation() }
}
