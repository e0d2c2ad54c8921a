internal import PaymentAbstraction
internal import PaymentBase

/// A card reader whose events are written onto a cassette; of what it reads nothing is.
enum RecordingReader {
    /// Wraps a reader; what it can beyond reading it still can.
    static func over(_ reader: any CardReader, _ tape: RecordingTape) -> any CardReader {
        if let whole = reader as? any CardReader & LinkingReader & TeachingReader {
            return Whole(inner: whole, tape: tape)
        }
        if reader is any LinkingReader || reader is any TeachingReader { return reader }
        return Plain(inner: reader, tape: tape)
    }

    private struct Plain: CardReader {
        let inner: any CardReader
        let tape: RecordingTape

        func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
            await inner.observe { [tape] event in
                tape.reader(event)
                sink(event)
            }
        }

        func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
        func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
        func read(_ request: CardRequest) async throws -> CardRead { try await inner.read(request) }
        func readPIN(token: Secret, after read: CardRead) async throws -> CardRead {
            try await inner.readPIN(token: token, after: read)
        }
        func cancel() async throws -> CancelAnswer { try await inner.cancel() }
    }

    private struct Whole: CardReader, LinkingReader, TeachingReader {
        let inner: any CardReader & LinkingReader & TeachingReader
        let tape: RecordingTape

        private var plain: Plain { Plain(inner: inner, tape: tape) }

        func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await plain.observe(sink) }
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
}
