internal import PaymentBase
internal import PaymentCore
internal import PaymentModel

/// A reader that an attempt may use.
struct UsedReader: Sendable {
    /// The reader's name: that of its provider.
    let name: String
    let reader: ProviderClient.Reader

    /// The reader of a provider; nil if it has none.
    init?(of provider: ProviderID, _ client: PaymentClient) {
        guard let reader = (try? client.provider(provider))?.reader else { return nil }
        (name, self.reader) = (provider.rawValue, reader)
    }
}

/// Keeps new attempts from a reader while a wait at it is being cancelled: a cancel at a shared reader must end no other
/// attempt's wait.
final class ReaderGate: Sendable {
    private let closed = Locked([String: [Promise<Bool>]]())

    /// Waits while a cancel is under way at a reader.
    func pass(_ name: String) async {
        while true {
            let opened = Promise<Bool>()
            let isClosed = closed.withLock { closed in
                guard closed[name] != nil else { return false }
                closed[name]?.append(opened)
                return true
            }
            guard isClosed else { return }
            _ = await opened.value()
        }
    }

    /// Closes a reader; false if another cancel has closed it.
    func close(_ name: String) -> Bool {
        closed.withLock { closed in
            guard closed[name] == nil else { return false }
            closed[name] = []
            return true
        }
    }

    /// Opens a reader again.
    func open(_ name: String) {
        for waiting in closed.withLock({ $0.removeValue(forKey: name) }) ?? [] { waiting.fulfill(true) }
    }
}
