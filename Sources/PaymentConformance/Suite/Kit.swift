public import PaymentAbstraction
internal import PaymentBase
public import PaymentTesting

/// What a check works with: a fresh company, a client over the driver under test, and verbs that read like the check.
public struct Kit: Sendable {
    /// The one thread and its clock.
    public let stage: Stage
    /// The company.
    public let fixture: any Fixture
    /// What its author declared.
    public let declaration: Declaration
    /// What the client writes down; outlives a restart.
    public let journal: any Journal
    /// What went over the line.
    public let log = WireLog()
    /// The client over the driver under test.
    public let client: PaymentClient
    /// The driver under test.
    public let driver: any PaymentDriver
    let mutant: Mutant?
    let numbers: Locked<Int>
    let mishaps: Locked<[Mishap]>

    /// What a check does to single exchanges.
    enum Mishap: Sendable {
        case hold(ending: String, reached: Promise<Bool>, opened: Promise<Bool>)
        case lose(ending: String, isDone: Bool)
        case rewrite(Tap)
    }

    /// Everything that a till answers when the provider asks.
    public static var obliging: Answers { obliging {} }

    /// The same, and hears whenever something is asked.
    static func obliging(_ asked: @escaping @Sendable () -> Void) -> Answers {
        var answers = Answers()
        answers.on(ThreeDSecureChallenge.self) { _ in
            asked(); return .init(result: Secret("ok"))
        }
        answers.on(Clarification.self) { question in
            asked(); return answered(question.fields)
        }
        answers.on(CustomerFields.self) { question in
            asked(); return answered(question.fields)
        }
        answers.on(PartialApprovalOffer.self) { _ in
            asked(); return true
        }
        answers.on(CascadeConsent.self) { _ in
            asked(); return true
        }
        answers.on(TermsAcceptance.self) { _ in
            asked(); return true
        }
        return answers
    }

    private static func answered(_ fields: [RequestedField]) -> [String: Personal] {
        Dictionary(fields.map { ($0.name, Personal("till@example.org")) }, uniquingKeysWith: { first, _ in first })
    }

    init(_ harness: any Harness, seed: UInt64?, mutant: Mutant?) throws {
        let stage = Stage(seed: seed)
        try self.init(
            stage, try harness.open(stage), harness.declaration, WatchedJournal(), mutant, Self.obliging, Locked(0)
        ) { $0 }
    }

    private init(
        _ stage: Stage, _ fixture: any Fixture, _ declaration: Declaration, _ journal: any Journal, _ mutant: Mutant?,
        _ answers: Answers, _ numbers: Locked<Int>, _ change: (Surroundings) -> Surroundings
    ) throws {
        (self.stage, self.fixture, self.declaration) = (stage, fixture, declaration)
        (self.journal, self.mutant, self.numbers) = (journal, mutant, numbers)
        mishaps = Locked([])
        let line = Self.mishapTap(mishaps).before(log.tap)
        let tap = mutant?.tap.map { $0().before(line) } ?? line
        let shipped = try fixture.driver(tap)
        driver = mutant?.drive.map { $0(shipped) } ?? shipped
        var surroundings = Surroundings(journal: journal)
        (surroundings.clock, surroundings.executor) = (stage, stage)
        surroundings.random = SeededRandom(seed: UInt64(numbers.withLock { $0 } + 1))
        (surroundings.reader, surroundings.answers) = (fixture.reader, answers)
        surroundings = change(surroundings)
        if let surround = mutant?.surround { surroundings = surround(surroundings) }
        client = try PaymentClient(driver, surroundings)
    }

    /// A new process over the same journal and company: whatever was only in memory is gone.
    public func restarted(
        answers: Answers = Kit.obliging, _ change: (Surroundings) -> Surroundings = { $0 }
    ) throws -> Kit {
        numbers.withLock { $0 += 1_000 }
        return try Kit(stage, fixture, declaration, journal, mutant, answers, numbers, change)
    }

    /// A fresh attempt id, the same in each run.
    public func attempt() throws -> AttemptID {
        try AttemptID("check-\(numbers.withLock { number in number += 1; return number })")
    }

    /// The provider under test.
    public var view: ProviderView {
        get throws { try client.provider(driver.identity.id) }
    }

    /// Whether the provider declares a capability, by its name in the capability table.
    public func has(_ capability: String) throws -> Bool { try view.features[capability] }

    /// Lets time pass.
    public func wait(_ milliseconds: Int64) async throws { try await stage.sleep(until: stage.now + milliseconds) }

    // MARK: - The line

    private static func mishapTap(_ mishaps: Locked<[Mishap]>) -> Tap {
        Tap { (request, next) async throws(WireFailure) in
            var taps: [Tap] = []
            for mishap in mishaps.withLock({ $0 }) {
                switch mishap {
                case .hold(let ending, let reached, let opened):
                    guard request.path.hasSuffix(ending) || ending.isEmpty else { continue }
                    reached.fulfil(true)
                    _ = await opened.value()
                case .lose(let ending, let isDone):
                    guard request.path.hasSuffix(ending) else { continue }
                    mishaps.withLock { $0.removeAll { if case .lose = $0 { true } else { false } } }
                    if isDone { _ = try await next(request) }
                    throw .maybeSent("the check lost it")
                case .rewrite(let tap): taps.append(tap)
                }
            }
            guard let tap = taps.first else { return try await next(request) }
            return try await tap.send(request, next)
        }
    }
}

extension Kit {
    /// A till that never made any of these payments, before the same company.
    static func elsewhere(_ kit: Kit) throws -> Kit {
        try Kit(
            kit.stage, kit.fixture, kit.declaration, MemoryJournal(), kit.mutant, obliging, Locked(50_000)
        ) { $0 }
    }
}
