internal import PaymentAbstraction
internal import PaymentBase

/// A reader of whose cards one refuses by itself, when a process is told so; what it can beyond reading it still can.
struct MoodyReader<Inner: CardReader>: CardReader {
    let inner: Inner
    let process: Process

    func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await inner.observe(sink) }
    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }

    func read(_ request: CardRequest) async throws -> CardRead {
        var read = try await inner.read(request)
        if !process.takesCard() { read.isDeclinedByCard = true }
        return read
    }

    func readPIN(token: Secret, after read: CardRead) async throws -> CardRead {
        try await inner.readPIN(token: token, after: read)
    }

    func cancel() async throws -> CancelAnswer { try await inner.cancel() }
}

extension MoodyReader: LinkingReader where Inner: LinkingReader {
    func isLinked(token: Secret) async throws -> Bool { try await inner.isLinked(token: token) }
    func link(token: Secret, again: Bool) async throws { try await inner.link(token: token, again: again) }
}

extension MoodyReader: TeachingReader where Inner: TeachingReader {
    func showEducation() async throws { try await inner.showEducation() }
}

extension World {
    /// The reader of a process's till.
    func moody(_ reader: some CardReader, _ process: Process) -> any CardReader {
        MoodyReader(inner: reader, process: process)
    }
}
