internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore
internal import PaymentDriverKit

/// Draws the steps of a world from its seed.
struct SimulationPlan {
    /// How many tills there are.
    static let tillsMax = 3

    let random: SeededRandom
    let abilities: [Abilities]
    var tills = 1
    var active: [Int] = []
    /// Orders that were drawn, by number: origins with what they are, and everything.
    private var origins: [(number: Int, isHold: Bool, provider: Int)] = []
    var orders: [Int] = []
    /// What another till is about to do, too.
    private var twin: (act: ChaosStep.Action, till: Int)?
    /// Where a clock is about to be put forward, and after how many steps.
    private var haste: (till: Int, steps: Int)?
    /// What does not happen every day, and is often in this world.
    private var habits: [Int] = []
    /// What certainly comes next: troubles that people meet in one order.
    var chain: [Link] = []
    /// Whether there was a long weekend: two of them are longer than a hold.
    var hasIdled = false

    private init(_ seed: UInt64, _ abilities: [Abilities]) {
        (random, self.abilities) = (SeededRandom(seed: seed), abilities)
        tills = 1 + random.below(Self.tillsMax)
        active = Array(repeating: 0, count: Self.tillsMax)
        if random.below(2) == 0 { habits = (0..<3).map { _ in random.below(Self.rareCount) } }
    }

    /// The steps of a seed.
    static func steps(_ seed: UInt64, _ count: Int, _ abilities: [Abilities]) -> [ChaosStep] {
        var plan = SimulationPlan(seed &* 0x2545_F491_4F6C_DD1D &+ 1, abilities)
        return (0..<count).map { plan.step($0) }
    }

    private mutating func step(_ number: Int) -> ChaosStep {
        if !chain.isEmpty {
            let next = chain.removeFirst()
            return ChaosStep(number: number, till: next.till, act: next.act, pause: next.pause)
        }
        if let twin {
            self.twin = nil
            orders.append(number)
            if case .charge(let isHold, _, _, _, _, _) = twin.act {
                origins.append((number, isHold, active[twin.till]))
            }
            return ChaosStep(number: number, till: twin.till, act: twin.act, pause: pause())
        }
        if let haste, haste.steps == 0 {
            self.haste = nil
            let forward = 60_000 + Int64(random.below(7_200_000))
            return ChaosStep(number: number, till: haste.till, act: .setClock(by: forward), pause: pause())
        }
        haste?.steps -= 1
        let till = random.below(tills)
        let act = act(number, till)
        // While something is on its way, a clock that is put forward makes it seem to be over.
        if case .line(.late, _) = act, random.below(2) == 0 { haste = (till, 1 + random.below(6)) }
        guard random.below(5) == 0, let same = Self.same(act, number) else {
            return ChaosStep(number: number, till: till, act: act, pause: pause())
        }
        // Two people do one thing at once, or one of them again where nothing seems to happen.
        twin = (same, (till + 1) % tills)
        return ChaosStep(number: number, till: till, act: act, pause: Int64(random.below(3) * random.below(1_000)))
    }

    /// The same wish under a name of its own.
    private static func same(_ act: ChaosStep.Action, _ number: Int) -> ChaosStep.Action? {
        switch act {
        case .charge(let isHold, _, _, _, let source, let thousands):
            .charge(isHold: isHold, under: number, isPart: false, .approved, source, thousands: thousands)
        case .follow: act
        default: nil
        }
    }

    private func pause() -> Int64 {
        switch random.below(20) {
        case 0..<6: 0
        case 6..<13: Int64(random.below(2_000))
        case 13..<17: Int64(random.below(20_000))
        case 17..<19: Int64(random.below(200_000))
        default: Int64(random.below(4_000_000))
        }
    }

    private mutating func act(_ number: Int, _ till: Int) -> ChaosStep.Action {
        if let habit = habits.randomElement(random), random.below(4) == 0 { return rare(habit, number, till) }
        return switch random.below(116) {
        case 0..<22: charge(number, till)
        case 22..<38: follow(number, till)
        case 38..<48: .again(recent())
        case 48..<51: .leave(recent())
        case 51..<57: .status(recent())
        case 57..<60: .recover
        case 60..<62: .resolve(recent(), isHasty: random.below(12) == 0)
        case 62..<66: .crash(after: random.below(6))
        case 66..<67: change(till)
        case 67..<69: random.below(3) == 0 ? .reboot : .setClock(by: Int64(random.below(7_200_000)) - 3_600_000)
        case 69..<75: .line(lineFault(), after: random.below(3))
        case 75..<81: .provider(random.below(1_000), after: random.below(3))
        case 81..<86: .journal(journalFault(), after: random.below(4))
        case 86..<92: .deliver(random.below(8), isKept: random.below(4) == 0)
        case 92..<93: .lose(random.below(8))
        case 93..<96: .decide(recent(), succeeds: random.below(3) != 0)
        case 96..<98: .failLater(recent())
        case 98: .settle(active[till])
        case 99: .revoke(active[till])
        default: random.below(3) == 0 ? begin(number, till) : rare(random.below(Self.rareCount), number, till)
        }
    }

    /// How many weights the rare acts have together.
    private static let rareCount = 19

    /// What does not happen every day.
    private mutating func rare(_ kind: Int, _ number: Int, _ till: Int) -> ChaosStep.Action {
        let able = abilities[active[till]]
        switch kind {
        case 0, 1: return .mixUp(recent(), isOtherScope: random.below(2) == 0)
        case 2: return random.below(2) == 0 ? .mistype(recent()) : .resolve(recent(), isHasty: true)
        case 3, 4:
            guard let source = able.sources.randomElement(random) else { return .recover }
            orders.append(number)
            return .chargeUnnamed(script(), source)
        case 5:
            guard abilities.count > 1 else { return .recover }
            orders.append(number)
            return .chargeEither(within: 20_000 + Int64(random.below(60_000)))
        case 6, 7, 8:
            guard let origin = origins.suffix(4).randomElement(random) else { return charge(number, till) }
            let sources = abilities[origin.provider].refundSources
            let isLinked = sources.isEmpty || random.below(2) == 0
            orders.append(number)
            return .reasonedRefund(
                of: origin.number, reason: random.below(2), isLinked: isLinked, sources.randomElement(random) ?? .card)
        case 9: return .deliverElsewhere(random.below(8))
        case 10: return random.below(2) == 0 ? .backUp : .restore
        case 11: return random.below(2) == 0 ? .lapse : .cardRefuses
        case 12, 13, 14:
            guard let origin = origins.suffix(4).randomElement(random) else { return charge(number, till) }
            let operation: PaymentOperation = random.below(origin.isHold ? 2 : 6) == 0 ? .capture : .refund
            return .dashboard(operation, of: origin.number, isPart: random.below(2) == 0)
        case 16: return .cutOff(random.below(3) == 0)
        case 17: return .refusesFirst
        case 18: return .confuse(recent(), with: recent())
        default:
            if hasIdled || random.below(3) > 0 { return .recover }
            hasIdled = true
            return .idle(hours: 12 + random.below(100))
        }
    }

    private mutating func charge(_ number: Int, _ till: Int) -> ChaosStep.Action {
        let able = abilities[active[till]]
        let isHold = !able.holdSources.isEmpty && random.below(3) == 0
        let sources = isHold ? able.holdSources : able.sources
        let under = random.below(3) == 0 ? origins.suffix(4).randomElement(random)?.number : nil
        let isPart = random.below(4) == 0
        origins.append((number, isHold, active[till]))
        orders.append(number)
        return .charge(
            isHold: isHold, under: under, isPart: isPart, script(),
            sources[random.below(sources.count)], thousands: Int64(random.below(4) == 0 ? 1 + random.below(2) : 0))
    }

    private mutating func follow(_ number: Int, _ till: Int) -> ChaosStep.Action {
        guard let origin = origins.suffix(6).randomElement(random) else { return charge(number, till) }
        let able = abilities[origin.provider]
        let possible = origin.isHold ? able.followsHold : able.followsSale
        guard !possible.isEmpty else { return charge(number, till) }
        let operation = possible[random.below(possible.count)]
        orders.append(number)
        let isPart = able.parts.contains(operation) && random.below(2) == 0
        return .follow(operation, of: origin.number, isPart ? (random.below(4) == 0 ? script() : .approved) : nil)
    }

    private mutating func change(_ till: Int) -> ChaosStep.Action {
        active[till] = random.below(abilities.count)
        return .change(active: active[till])
    }

    /// A recent order; most questions are about the last ones.
    private func recent() -> Int { orders.suffix(random.below(5) == 0 ? 30 : 4).randomElement(random) ?? 0 }

    private func script() -> SimulatedOutcome {
        guard random.below(3) == 0 else { return .approved }
        let scripts: [SimulatedOutcome] = [
            .insufficientFunds, .doNotHonor, .pending, .partial, .challenge, .pin, .wrongPIN, .replyLost, .requestLost,
            .unknownWord, .failsAfter, .busyOnce, .clarification,
        ]
        return scripts[random.below(scripts.count)]
    }

    private func lineFault() -> LineFault {
        switch random.below(10) {
        case 0: .refused
        case 1: .requestLost
        case 2, 3: .replyLost
        case 4, 5: .late(Int64(random.below(100)))
        case 6: .slow(Int64(random.below(100)))
        case 7: .replySlow(Int64(random.below(120_000)))
        case 8: .torn
        default: .unreachable(Int64(random.below(90_000)))
        }
    }

    private func journalFault() -> JournalFault {
        switch random.below(6) {
        case 0: .notWritten
        case 1: .keptUnknown
        case 2: .lostUnknown
        case 3: .unwritable
        case 4: .away(3 + random.below(4))
        default: .slow(Int64(random.below(8_000)))
        }
    }
}

/// What can be asked of one provider, as far as a plan has to know.
struct Abilities: Sendable {
    var sources: [PaymentSource.Kind] = []
    var holdSources: [PaymentSource.Kind] = []
    /// To what money can be refunded without the provider's own original.
    var refundSources: [PaymentSource.Kind] = []
    var followsSale: [PaymentOperation] = []
    var followsHold: [PaymentOperation] = []
    /// What can be done in part, or always names its amount.
    var parts: Set<PaymentOperation> = [.adjust, .tipAdjustment]
    /// Whether it has terminals that can be cut off from the issuers.
    let hasTerminals: Bool

    init(_ view: ProviderClient, _ driver: any PaymentDriver, hasReader: Bool, hasTerminals: Bool) {
        self.hasTerminals = hasTerminals
        func able(_ kinds: Set<PaymentSource.Kind>) -> [PaymentSource.Kind] {
            let usual: [PaymentSource.Kind] = [.card, .reader, .saved, .token, .page]
            let reads = hasReader || driver.capabilities.usesProviderTerminal
            return usual.filter { kinds.contains($0) && ($0 != .reader || reads) }
        }
        let features = view.capabilityTable
        if features["refund.unlinked"] { refundSources = able(driver.capabilities.unlinkedRefundSources) }
        if features["sale"] { sources = able(driver.capabilities.sources) }
        if features["authorize"] { holdSources = able(driver.capabilities.authorizationSources) }
        let has: (String, PaymentOperation) -> [PaymentOperation] = { name, operation in
            features[name] ? [operation] : []
        }
        let back = has("refund", .refund) + has("void", .void)
        followsSale = back + has("refund", .refund) + has("tip.adjust", .tipAdjustment)
        followsHold = back + has("authorize", .capture) + has("authorize", .capture) + has("adjust", .adjust)
        if features["capture.partial"] { parts.insert(.capture) }
        if features["refund.partial"] { parts.insert(.refund) }
    }
}

extension RandomSource {
    /// A number from nothing to below a limit.
    func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }
}

extension Collection {
    /// One of them; nil where there is none.
    func randomElement(_ random: some RandomSource) -> Element? {
        isEmpty ? nil : self[index(startIndex, offsetBy: random.below(count))]
    }
}

/// One thing that happens in a simulated world, complete in itself: whatever else is left out, it still means the same.
public struct ChaosStep: Hashable, Sendable {
    /// What happens.
    enum Action: Hashable, Sendable {
        /// A till charges or holds; under the reference of an earlier order or under one of its own, as a whole or a part.
        case charge(isHold: Bool, under: Int?, isPart: Bool, SimulatedOutcome, PaymentSource.Kind, thousands: Int64)
        /// A till does something with a payment; all that is left, or what the provider's script says.
        case follow(PaymentOperation, of: Int, SimulatedOutcome?)
        /// A till makes a call again under its old id.
        case again(Int)
        /// The callers that wait for an order leave.
        case leave(Int)
        /// A caller asks what became of an order.
        case status(Int)
        /// A till looks at everything that is open.
        case recover
        /// A person decides what the provider's books say; a hasty one says the contrary of nothing.
        case resolve(Int, isHasty: Bool)
        /// A process dies after so many further writes and exchanges.
        case crash(after: Int)
        /// A process ends as it should, and its successor sends new payments elsewhere.
        case change(active: Int)
        /// The machine is started again; every process on it dies.
        case reboot
        /// The machine's clock is set.
        case setClock(by: Int64)
        /// Something goes wrong on a till's line, after so many exchanges.
        case line(LineFault, after: Int)
        /// The provider misbehaves, after so many requests.
        case provider(Int, after: Int)
        /// The journal misbehaves towards a till, after so many writes.
        case journal(JournalFault, after: Int)
        /// A message of the provider's is delivered, and perhaps once more later.
        case deliver(Int, isKept: Bool)
        /// A message of the provider's is lost.
        case lose(Int)
        /// The provider decides what is pending.
        case decide(Int, succeeds: Bool)
        /// What was done fails afterwards.
        case failLater(Int)
        /// What was charged is settled.
        case settle(Int)
        /// Every access ends.
        case revoke(Int)
        /// A till takes an order's id for another customer's purchase, or another application of the same journal does.
        case mixUp(Int, isOtherScope: Bool)
        /// A person decides in another currency than the order's.
        case mistype(Int)
        /// A till charges without a reference.
        case chargeUnnamed(SimulatedOutcome, PaymentSource.Kind)
        /// A till sells by either of two providers, and waits for so long, in milliseconds.
        case chargeEither(within: Int64)
        /// A till gives money back for a stated reason, to the payment or to a source.
        case reasonedRefund(of: Int, reason: Int, isLinked: Bool, PaymentSource.Kind)
        /// A message of the provider's is delivered to another application of the same journal.
        case deliverElsewhere(Int)
        /// The journal is backed up.
        case backUp
        /// The journal is restored from its last backup; everything that has run is gone.
        case restore
        /// Something is done with a payment at the provider's own dashboard.
        case dashboard(PaymentOperation, of: Int, isPart: Bool)
        /// The next card that a till reads refuses on its own.
        case cardRefuses
        /// A process counts as dead although it runs on, as after a lease that lapsed.
        case lapse
        /// Nothing happens for so many hours.
        case idle(hours: Int)
        /// A provider's terminals don't reach the issuers and approve on their own, or reach them again.
        case cutOff(Bool)
        /// The issuer refuses the next card at a provider's terminal, and its holder takes another one.
        case refusesFirst
        /// A person takes another order's payment for an order's.
        case confuse(Int, with: Int)
    }

    /// Its place in the sequence that it was drawn for; also the name of the order that it makes.
    let number: Int
    /// Which till it is about.
    let till: Int
    let act: Action
    /// How much time passes then, in milliseconds.
    let pause: Int64
}

/// What can go wrong on a till's line.
enum LineFault: Hashable, Sendable {
    /// No server listens.
    case refused
    /// The request is lost on its way.
    case requestLost
    /// It is done, and the answer is lost.
    case replyLost
    /// The connection breaks at once, and what has left arrives a part of the quiet time later, in hundredths.
    case late(Int64)
    /// The request takes a part of the quiet time to arrive, in hundredths.
    case slow(Int64)
    /// The answer takes so long, in milliseconds.
    case replySlow(Int64)
    /// The answer ends in its middle.
    case torn
    /// The provider can't be reached for so long, in milliseconds, and no byte leaves.
    case unreachable(Int64)
}

/// What can go wrong with a journal.
enum JournalFault: Hashable, Sendable {
    /// Nothing is written.
    case notWritten
    /// It is written, and no answer says so.
    case keptUnknown
    /// It isn't written, and no answer says so.
    case lostUnknown
    /// It takes so long, in milliseconds, half before and half after.
    case slow(Int64)
    /// An outcome can't be written with the provider's names in it.
    case unwritable
    /// So many writes are lost, one after the other, and the process does not learn that.
    case away(Int)
}

extension ChaosStep: CustomStringConvertible {
    public var description: String {
        let wait = pause == 0 ? "" : ", then \(pause) ms"
        return "\(number) till \(till): \(act)\(wait)"
    }
}

extension ChaosStep.Action: CustomStringConvertible {
    var description: String {
        switch self {
        case .charge(let isHold, let under, let isPart, let script, let source, let thousands):
            let what = "\(isHold ? "holds" : "charges") \(source.rawValue), \(script.rawValue)"
            let place = under.map { ", under the reference of \($0)" } ?? ""
            return what + (thousands > 0 ? ", \(thousands),000 more" : "") + place
                + (isPart ? ", as a part" : "")
        case .follow(let operation, let number, let script):
            return "\(operation.rawValue) of \(number), \(script.map { "a part, \($0.rawValue)" } ?? "all")"
        case .again(let number): return "again \(number)"
        case .leave(let number): return "all callers leave \(number)"
        case .status(let number): return "asks about \(number)"
        case .recover: return "recovers"
        case .resolve(let number, let isHasty): return "a person decides \(number)\(isHasty ? " in haste" : "")"
        case .crash(let count): return "its process dies after \(count) writes and exchanges"
        case .change(let active): return "its process ends, the next one prefers provider \(active)"
        case .reboot: return "its machine starts again"
        case .setClock(let milliseconds): return "its clock is set by \(milliseconds) ms"
        case .line(let fault, let count): return "its line after \(count): \(fault)"
        case .provider(let pick, let count): return "its provider's fault \(pick) after \(count)"
        case .journal(let fault, let count): return "its journal after \(count): \(fault)"
        case .deliver(let pick, let isKept): return "hears message \(pick)\(isKept ? ", which comes again" : "")"
        case .lose(let pick): return "message \(pick) is lost"
        case .decide(let number, let succeeds):
            return "the provider decides \(number): \(succeeds ? "done" : "not done")"
        case .failLater(let number): return "\(number) fails afterwards"
        case .settle(let provider): return "provider \(provider) settles"
        case .revoke(let provider): return "provider \(provider) ends every access"
        case .mixUp(let number, let isOther):
            return "\(isOther ? "another application" : "another customer") gets the id of \(number)"
        case .mistype(let number): return "a person decides \(number) in another currency"
        case .chargeUnnamed(let script, let source):
            return "charges \(source.rawValue) without a reference, \(script.rawValue)"
        case .chargeEither(let limit): return "charges at either provider within \(limit) ms"
        case .reasonedRefund(let number, let reason, let isLinked, _):
            return "refunds of \(number) for reason \(reason)\(isLinked ? "" : ", to a source")"
        case .deliverElsewhere(let pick): return "another application hears message \(pick)"
        case .backUp: return "the journal is backed up"
        case .restore: return "the journal is restored"
        case .dashboard(let operation, let number, let isPart):
            return "\(operation.rawValue) of \(number)\(isPart ? ", a part," : "") at the dashboard"
        case .cardRefuses: return "the next card refuses"
        case .lapse: return "its lease lapses"
        case .idle(let hours): return "nothing happens for \(hours) hours"
        case .cutOff(let isCutOff): return "its provider's terminals \(isCutOff ? "are cut off" : "reach the issuers")"
        case .refusesFirst: return "the next card is refused, and its holder takes another one"
        case .confuse(let number, let other): return "a person takes the payment of \(other) for that of \(number)"
        }
    }
}
