import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTransport
import Testing

/// A reader that lives on the main actor, as the documentation of `CardReader` shows it.
@MainActor final class PhoneReader: CardReader {
    private var sink: (@Sendable (ReaderEvent) -> Void)?
    private var count = 0

    nonisolated init() {}

    @MainActor func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
    @MainActor func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { self.sink = sink }
    @MainActor func prepare(token: Secret) async throws { sink?(.updateProgress(100)) }
    @MainActor func read(_ request: CardReadRequest) async throws -> CardReadResult {
        count += 1
        sink?(.cardDetected)
        return CardReadResult(id: "read-\(count)", generalCardData: Secret("g"), paymentCardData: Secret("p"), at: 0)
    }
    @MainActor func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult { read }
    @MainActor func cancel() async throws -> CancelResult { .nothingToCancel }
}

@Suite struct MainActorReaderTests {
    /// A provider that approves whatever the reader brings.
    struct Driver: StubDriver, SaleDriver, ReaderDriver {
        static let name = "phone"
        let provider = Provider { _, _, _ in [:] }
        let capabilities = Capabilities(sources: [.reader], sendLimit: 0)
        func prepare(_ context: ReaderContext) async throws { try await context.prepareReader(token: Secret("t")) }
        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            let read = try await context.read(CardReadRequest(.purchase, request.amount))
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", ["read": read.id]) }
            return .approved(Approval(request.amount, references: ["read": read.id]))
        }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }
        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
    }

    @Test func itReadsOnTheMainActor() async throws {
        var dependencies = ClientOptions(journal: InMemoryJournal())
        dependencies.reader = PhoneReader()
        let payments = try PaymentClient(Driver(), dependencies)
        let seen = Locked([Int]())
        try await payments.reader?.prepare { percent in seen.withLock { $0.append(percent) } }
        let result = try await payments.sale(.cents(100), from: .reader, reference: "o")
        #expect(result.payment?.references == ["read": "read-1"])
        #expect(seen.withLock { $0 } == [100])
    }
}
