import PaymentAbstraction
import PaymentBase
import Testing

/// Access as DESIGN tells it: one renewal for all, and a token that only its own refusal takes away.
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

    @Test func everySequenceDoesWhatWasTold() throws {
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
