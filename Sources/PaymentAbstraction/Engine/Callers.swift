internal import PaymentBase

/// Who waits for the answer of a run. A value: the run's lock guards it.
struct Callers<Answer: Sendable>: Sendable {
    /// One caller that waits.
    struct Caller: Sendable {
        /// Whether it wants the money moved; a caller that only asks keeps nothing alive.
        let wantsMoney: Bool
        let answer = Promise<Answer>()
    }

    /// What is left when a caller leaves.
    enum Leaving {
        /// No caller that wants the money is left.
        case last(Caller)
        case others(Caller)
        /// It has its answer already.
        case gone
    }

    /// A caller with its number among those of the run.
    typealias Joined = (number: Int, caller: Caller)

    private var waiting: [Int: Caller] = [:]
    private var lastNumber = 0
    private(set) var answer: Answer?

    /// Whether a caller waits that wants the money moved.
    var isAwaited: Bool { waiting.values.contains(where: \.wantsMoney) }

    /// Adds a caller; its answer is fulfilled at once if it is there already.
    mutating func join(wantsMoney: Bool) -> Joined {
        let caller = Caller(wantsMoney: wantsMoney)
        lastNumber += 1
        if let answer { caller.answer.fulfill(answer) } else { waiting[lastNumber] = caller }
        return (lastNumber, caller)
    }

    /// Takes a caller out that gives up.
    mutating func leave(_ number: Int) -> Leaving {
        guard let caller = waiting.removeValue(forKey: number) else { return .gone }
        return caller.wantsMoney && !isAwaited ? .last(caller) : .others(caller)
    }

    /// The callers that get the answer, in the order in which they came; only the first answer counts.
    mutating func finish(_ answer: Answer) -> [Caller] {
        if self.answer == nil { self.answer = answer }
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
}
