internal import PaymentBase
internal import PaymentTransport

/// The faults that are still to be played, and those that were.
public final class FaultPlan: Sendable {
    /// How many rules may wait at a time.
    public static let rulesMax = 1_000
    /// How many played faults are remembered.
    public static let playedMax = 10_000

    /// A rule that waits, with what is left of it.
    public struct Armed: Hashable, Sendable {
        /// Its number, by which it can be taken back.
        public let number: Int
        /// What it says.
        public let rule: FaultRule
        /// How many fitting requests are still let through.
        public internal(set) var skipsLeft: Int
        /// How many times it is still played.
        public internal(set) var timesLeft: Int
    }

    /// A fault that was played.
    public struct Injected: Hashable, Sendable {
        /// The rule's number.
        public let number: Int
        /// What was played.
        public let fault: WireFault
        /// The provider.
        public let provider: String
        /// The request's method and path, without its query.
        public let request: String
        /// Which time of its rule it was, from zero.
        public let turn: Int
    }

    private struct State {
        var rules: [Armed] = []
        var played: [Injected] = []
        var nextNumber = 0
        var duplicatedRequests: Set<String> = []
    }

    private let state = Locked(State())

    /// Makes a plan without faults.
    public init() {}

    /// The rules that wait, in the order in which they are tried.
    public var armed: [Armed] { state.withLock { $0.rules } }
    /// What was played, in order.
    public var played: [Injected] { state.withLock { $0.played } }

    /// The attempts a request of which was delivered more than once, as far as the line tells whose it carries.
    public var duplicatedRequests: Set<String> { state.withLock { $0.duplicatedRequests } }

    /// Adds a rule behind the others; nil when there are too many.
    @discardableResult
    public func arm(_ rule: FaultRule) -> Int? {
        state.withLock { state in
            guard state.rules.count < Self.rulesMax else { return nil }
            state.nextNumber += 1
            state.rules.append(
                Armed(number: state.nextNumber, rule: rule, skipsLeft: rule.skip, timesLeft: rule.times))
            return state.nextNumber
        }
    }

    /// Takes a rule back; says whether it was still there.
    @discardableResult
    public func disarm(_ number: Int) -> Bool {
        state.withLock { state in
            let before = state.rules.count
            state.rules.removeAll { $0.number == number }
            return state.rules.count < before
        }
    }

    /// Takes all rules back and forgets what was played.
    public func clear() { state.withLock { $0 = State(nextNumber: $0.nextNumber) } }

    /// The fault of a request, if there is one: the first rule that fits; one that lets through counts it.
    func next(for request: HTTPRequest, to provider: String) -> (rule: FaultRule, turn: Int)? {
        state.withLock { state in
            for index in state.rules.indices where state.rules[index].rule.fits(request, to: provider) {
                if state.rules[index].skipsLeft > 0 {
                    state.rules[index].skipsLeft -= 1
                    continue
                }
                let armed = state.rules[index]
                let turn = armed.rule.times - armed.timesLeft
                state.rules[index].timesLeft -= 1
                if state.rules[index].timesLeft == 0 { state.rules.remove(at: index) }
                if armed.rule.fault.executionCount > 1, let attempt = CurrentAttempt.id {
                    state.duplicatedRequests.insert(attempt)
                }
                let path = request.target.prefix { $0 != "?" }
                if state.played.count >= Self.playedMax { state.played.removeFirst() }
                state.played.append(
                    Injected(
                        number: armed.number, fault: armed.rule.fault, provider: provider,
                        request: "\(request.method) \(path)", turn: turn))
                return (armed.rule, turn)
            }
            return nil
        }
    }
}
