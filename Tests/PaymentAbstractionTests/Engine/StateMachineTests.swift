import PaymentBase
import Testing

@testable import PaymentCore
@testable import PaymentModel

/// The reader as DESIGN describes it, read off the whole history at every step rather than kept in a state.
private struct ToldReader {
    struct Entry {
        let event: ReaderStateMachine.Event
        let action: ReaderStateMachine.Action
    }

    static let sales = [1, 2]

    var flow = ReaderStateMachine()
    var history: [Entry] = []

    private func last(_ match: (Entry) -> Bool) -> Int { history.lastIndex(where: match) ?? -1 }

    var isInFront: Bool { last { $0.event == .becameActive } >= last { $0.event == .enteredBackground } }
    private var sessionLost: Int { last { $0.event == .enteredBackground || $0.event == .invalidated } }
    private var lastPreparation: Int { last { $0.action == .prepare } }
    /// The end of the last preparation, if it came after its beginning.
    private var preparationEnd: Int? {
        guard lastPreparation >= 0 else { return nil }
        return history[lastPreparation...].firstIndex { $0.event == .prepared || $0.event == .prepareFailed }
    }
    var isPreparing: Bool { lastPreparation > sessionLost && preparationEnd == nil }
    var isReady: Bool {
        guard lastPreparation > sessionLost, let end = preparationEnd else { return false }
        return history[end].event == .prepared && isInFront
    }
    private func left(_ sale: Int) -> Int { last { $0.event == .left(by: sale) } }
    private func begin(_ sale: Int) -> Int {
        last { $0.action == .read && ($0.event == .readAsked(by: sale) || $0.event == .pinAsked(by: sale)) }
    }
    /// The sale that has the reader.
    private var holder: Int? { Self.sales.first { begin($0) > left($0) } }
    var isReading: Bool { holder != nil }
    private var isAtPIN: Bool { holder.map { history[begin($0)].event == .pinAsked(by: $0) } ?? false }
    private var isDetected: Bool {
        guard let holder else { return false }
        return last { $0.event == .cardDetected } > max(begin(holder), last { $0.event == .cardLost })
    }

    /// Where a sale began to wait for the preparation, if it does nothing else since.
    private func wait(_ sale: Int) -> Int? {
        if holder == sale { return nil }
        return history.indices.dropFirst(left(sale) + 1).first { index in
            let entry = history[index]
            return entry.event == .readAsked(by: sale)
                && (entry.action == .joinPreparation || entry.action == .prepareThenRead)
        }
    }

    private func isCancelled(_ sale: Int) -> Bool {
        wait(sale).map { $0 < last { $0.action == .answer(.cancelled) } } ?? false
    }

    func expected(_ event: ReaderStateMachine.Event) -> ReaderStateMachine.Action {
        switch event {
        case .prepareAsked:
            if !isInFront { return .refuseBackground }
            if isReading { return .refuseBusy }
            return isPreparing ? .joinPreparation : .prepare
        case .readAsked(let sale):
            if isCancelled(sale) { return .refuseCancelled }
            if !isInFront { return .refuseBackground }
            if isReading { return .refuseBusy }
            if isReady { return .read }
            return isPreparing ? .joinPreparation : .prepareThenRead
        case .pinAsked: return isReading ? .refuseBusy : .read
        case .cancelAsked:
            if isReading { return isAtPIN || isDetected ? .answer(.tooLate) : .cancelRead }
            let isAwaited = Self.sales.contains { wait($0) != nil && !isCancelled($0) }
            return .answer(isAwaited ? .cancelled : .nothingToCancel)
        case .enteredBackground: return isReading && !isAtPIN ? .abortRead : .nothing
        case .prepared, .prepareFailed, .cardDetected, .cardLost, .left, .invalidated, .becameActive: return .nothing
        }
    }

    mutating func step(_ event: ReaderStateMachine.Event) -> String? {
        let expected = expected(event)
        let wasReady = isReady
        let action = flow.handle(event)
        history.append(Entry(event: event, action: action))
        if action != expected { return "\(action) instead of \(expected)" }
        if flow.isReady != isReady { return "ready is \(flow.isReady)" }
        if flow.isReading != isReading { return "reading is \(flow.isReading)" }
        if case .readAsked = event, action == .read, !wasReady { return "a read without a session" }
        if event == .enteredBackground, flow.isReady { return "ready in the background" }
        return nil
    }
}

@Suite struct ReaderStateMachineTests {
    static let events: [ReaderStateMachine.Event] = [
        .prepareAsked, .prepared, .prepareFailed, .readAsked(by: 1), .readAsked(by: 2), .pinAsked(by: 1), .cardDetected,
        .cardLost, .left(by: 1), .left(by: 2), .cancelAsked, .invalidated, .enteredBackground, .becameActive,
    ]

    /// What the sequences begin with: nothing, two sales that wait for the preparation, a read, a PIN.
    static let starts: [[ReaderStateMachine.Event]] = [
        [], [.readAsked(by: 1), .prepareAsked, .readAsked(by: 2)], [.prepareAsked, .prepared, .readAsked(by: 1)],
        [.prepareAsked, .prepared, .readAsked(by: 1), .left(by: 1), .pinAsked(by: 1)],
    ]

    @Test(arguments: starts) func everySequenceDoesWhatTheRulesSay(_ start: [ReaderStateMachine.Event]) throws {
        var reader = ToldReader()
        for event in start { #expect(reader.step(event) == nil) }
        let count = try EventWalk.run("ReaderFlow", Self.events, length: 4, from: reader) { $0.step($1) }
        #expect(count == EventWalk.count(events: 14, length: 4))
    }

    /// The cashier cancels after the preparation, and before the sale that waited for it reads.
    @Test func cancel_betweenPreparationAndRead_endsTheSaleThatWaited() {
        var flow = ReaderStateMachine()
        #expect(flow.handle(.readAsked(by: 1)) == .prepareThenRead)
        #expect(flow.handle(.prepareAsked) == .prepare)
        _ = flow.handle(.prepared)
        #expect(flow.handle(.cancelAsked) == .answer(.cancelled))
        #expect(flow.handle(.readAsked(by: 2)) == .read)
        #expect(flow.handle(.readAsked(by: 1)) == .refuseCancelled)
    }

    /// A PIN that comes after its time is over does not free the reader from the sale that reads by then.
    @Test func pin_thatEndsAfterItLeft_leavesTheNextRead() {
        var flow = ReaderStateMachine()
        _ = flow.handle(.prepareAsked)
        _ = flow.handle(.prepared)
        #expect(flow.handle(.pinAsked(by: 1)) == .read)
        #expect(flow.handle(.readAsked(by: 2)) == .refuseBusy)
        #expect(flow.handle(.cancelAsked) == .answer(.tooLate))
        _ = flow.handle(.left(by: 1))
        #expect(flow.handle(.readAsked(by: 2)) == .read)
        _ = flow.handle(.left(by: 1))
        #expect(flow.handle(.cancelAsked) == .cancelRead)
    }
}

/// Access as DESIGN describes it: one renewal for all, and a token that only its own refusal takes away.
private struct ToldAccess {
    static let margin: Int64 = 10

    var flow = TokenStateMachine(margin: ToldAccess.margin)
    var held: (generation: Int, expires: Int64)?
    var isRenewing = false
    var isSignedOut = false
    var generations: Set<Int> = []

    mutating func expected(_ event: TokenStateMachine.Event) -> TokenStateMachine.Action {
        switch event {
        case .wanted(let now):
            if isRenewing { return .join }
            if let held, held.expires - Self.margin > now { return .use }
            (held, isRenewing, isSignedOut) = (nil, true, false)
            return .renew
        case .renewed(let expires):
            if held != nil { return .nothing }
            if isSignedOut { return .forget }
            isRenewing = false
            held = (-1, expires)
            return .use
        case .renewalFailed:
            isRenewing = false
            return .nothing
        case .refused(let generation):
            guard let now = held, now.generation == generation else { return .nothing }
            held = nil
            return .forget
        case .signedOut:
            (held, isRenewing, isSignedOut) = (nil, false, true)
            return .forget
        }
    }

    mutating func step(_ event: TokenStateMachine.Event) -> String? {
        let expected = expected(event)
        let action = flow.handle(event)
        if action != expected { return "\(action) instead of \(expected)" }
        if held?.generation == -1 {
            held?.generation = flow.generation
            if !generations.insert(flow.generation).inserted { return "two tokens are number \(flow.generation)" }
        }
        if flow.isRenewing != isRenewing { return "renewing is \(flow.isRenewing)" }
        if flow.expires != held?.expires { return "the token lasts until \(flow.expires ?? -1)" }
        return nil
    }
}

@Suite struct TokenStateMachineTests {
    static let events: [TokenStateMachine.Event] = [
        .wanted(at: 49), .wanted(at: 50), .renewed(expires: 60), .renewed(expires: 200), .renewalFailed,
        .refused(generation: 0), .refused(generation: 1), .refused(generation: 2), .signedOut,
    ]

    @Test func everySequenceDoesWhatTheRulesSay() throws {
        let count = try EventWalk.run("TokenFlow", Self.events, length: 6, from: ToldAccess()) { $0.step($1) }
        #expect(count == EventWalk.count(events: 9, length: 6))
    }

    @Test func whatComesAfterTheSignOutIsNotKept() {
        var flow = TokenStateMachine(margin: 0)
        #expect(flow.handle(.wanted(at: 0)) == .renew)
        #expect(flow.handle(.signedOut) == .forget)
        #expect(flow.handle(.renewed(expires: 100)) == .forget)
        #expect(flow.expires == nil)
        #expect(flow.handle(.wanted(at: 0)) == .renew)
    }

    @Test func aLateRefusalLeavesTheNewerToken() {
        var flow = TokenStateMachine(margin: 0)
        _ = flow.handle(.wanted(at: 0))
        _ = flow.handle(.renewed(expires: 100))
        let first = flow.generation
        #expect(flow.handle(.refused(generation: first)) == .forget)
        _ = flow.handle(.wanted(at: 0))
        _ = flow.handle(.renewed(expires: 100))
        #expect(flow.handle(.refused(generation: first)) == .nothing)
        #expect(flow.handle(.wanted(at: 0)) == .use)
    }

    /// A moment with a token's end, and whether the token may still be used then.
    struct Edge: Sendable {
        let expires: Int64
        let now: Int64
        let action: TokenStateMachine.Action

        static let all: [Edge] = [
            Edge(expires: .max, now: .max - 11, action: .use), Edge(expires: .max, now: .max - 10, action: .renew),
            Edge(expires: .min, now: 0, action: .renew), Edge(expires: .min + 9, now: .min, action: .renew),
            Edge(expires: .min + 10, now: .min, action: .renew), Edge(expires: .min + 11, now: .min, action: .use),
            Edge(expires: 0, now: 0, action: .renew), Edge(expires: -5, now: 0, action: .renew),
        ]
    }

    @Test(arguments: Edge.all) func theMarginHoldsAtTheEnds(_ edge: Edge) {
        var flow = TokenStateMachine(margin: 10)
        _ = flow.handle(.wanted(at: 0))
        _ = flow.handle(.renewed(expires: edge.expires))
        #expect(flow.handle(.wanted(at: edge.now)) == edge.action)
    }
}

/// Walks every sequence of events up to a length and stops at the first one that breaks a rule.
enum EventWalk {
    /// A sequence after which something did not hold.
    struct Violation: Error, CustomStringConvertible {
        let sequence: String
        let problem: String
        var description: String { "after \(sequence): \(problem)" }
    }

    /// Takes each step from each state; a step that says what is wrong ends the walk.
    ///
    /// - Returns: How many sequences were walked.
    static func run<Event, Node>(
        _ name: String, _ events: [Event], length: Int, from start: Node,
        step: (inout Node, Event) -> String?
    ) throws(Violation) -> Int {
        var path: [Event] = []
        var count = 0
        try go(events, length, start, &path, &count, step)
        print("flow \(name): \(count) sequences")
        return count
    }

    private static func go<Event, Node>(
        _ events: [Event], _ left: Int, _ node: Node, _ path: inout [Event], _ count: inout Int,
        _ step: (inout Node, Event) -> String?
    ) throws(Violation) {
        for event in events {
            var next = node
            path.append(event)
            count += 1
            if let problem = step(&next, event) {
                throw Violation(sequence: path.map { "\($0)" }.joined(separator: ", "), problem: problem)
            }
            if left > 1 { try go(events, left - 1, next, &path, &count, step) }
            path.removeLast()
        }
    }

    /// How many sequences of 1 to `length` events there are.
    static func count(events: Int, length: Int) -> Int {
        var (sum, power) = (0, 1)
        for _ in 0..<length {
            power *= events
            sum += power
        }
        return sum
    }
}

/// What a run may do, and what may have happened to the money, after every sequence of requests.
@Suite struct RunStateTests {
    private enum Event: CaseIterable {
        case open, openUnawaited, send, notSent, ended(Attempt.Request.Ending), endedUnawaited(Attempt.Request.Ending),
            stop

        static var allCases: [Event] {
            [.open, .openUnawaited, .send, .notSent, .stop]
                + Attempt.Request.Ending.allCases.flatMap { [.ended($0), .endedUnawaited($0)] }
        }
    }

    /// The same in other words: where the run is, and whether an earlier request may have been executed.
    private struct Told {
        enum Place { case idle, opening, sending, stopped }
        var place = Place.idle
        var isInDoubt = false
        var mayHaveMoved: Bool { isInDoubt || place == .sending }
        var canStop: Bool { (place == .idle || place == .stopped) && !mayHaveMoved }

        /// What the event does; nil if it can't happen now.
        func after(_ event: Event) -> Told? {
            var next = self
            switch (event, place) {
            case (.open, .idle): next.place = .opening
            case (.openUnawaited, .idle), (.open, .stopped), (.openUnawaited, .stopped): break
            case (.send, .opening): next.place = .sending
            case (.notSent, .opening): next.place = .idle
            case (.ended(let ending), .sending): next.end(ending, isAwaited: true)
            case (.endedUnawaited(let ending), .sending): next.end(ending, isAwaited: false)
            case (.stop, _): if canStop { next.place = .stopped }
            default: return nil
            }
            return next
        }

        private mutating func end(_ ending: Attempt.Request.Ending, isAwaited: Bool) {
            if ending == .answered || ending == .lost { isInDoubt = true }
            place = isAwaited || isInDoubt ? .idle : .stopped
        }
    }

    private static func apply(_ event: Event, to state: inout RunState) {
        switch event {
        case .open: _ = state.open(isAwaited: true)
        case .openUnawaited: _ = state.open(isAwaited: false)
        case .send: state.send()
        case .notSent: state.notSent(isAwaited: true)
        case .ended(let ending): state.ended(ending, isAwaited: true)
        case .endedUnawaited(let ending): state.ended(ending, isAwaited: false)
        case .stop: state.stop()
        }
    }

    private static func walk(_ state: RunState, _ told: Told, _ left: Int, _ path: [Event], _ count: inout Int) {
        count += 1
        let isSame =
            state.mayHaveMoved == told.mayHaveMoved && state.canStop == told.canStop
            && state.isStopped == (told.place == .stopped)
            && state.isSending == (told.place == .opening || told.place == .sending)
        #expect(isSame, "\(path)")
        if left == 0 || !isSame { return }
        for event in Event.allCases {
            guard let next = told.after(event) else { continue }
            var copy = state
            apply(event, to: &copy)
            walk(copy, next, left - 1, path + [event], &count)
        }
    }

    /// A refused or unsent request leaves the doubt from before as it was; an answered or lost one is never forgotten.
    @Test func everySequenceKeepsItsDoubt() {
        var count = 0
        Self.walk(RunState(), Told(), 8, [], &count)
        #expect(count > 1_000, "\(count)")
    }
}
