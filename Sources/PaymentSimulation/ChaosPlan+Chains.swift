internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore

/// Troubles that people meet in one order.
extension SimulationPlan {
    /// One act at a till, and how much time passes then, in milliseconds.
    typealias Link = (till: Int, act: ChaosStep.Action, pause: Int64)

    /// The first of several acts that follow each other.
    mutating func begin(_ number: Int, _ till: Int) -> ChaosStep.Action {
        let (other, able) = ((till + 1) % tills, abilities[active[till]])
        guard let any = able.sources.randomElement(random) else { return .recover }
        let source = able.hasTerminals ? .reader : any
        orders.append(number + 1)
        func sale(_ script: SimulatedOutcome) -> ChaosStep.Action {
            .charge(isHold: false, under: nil, isPart: false, script, source, thousands: 0)
        }
        switch random.below(able.hasTerminals ? 18 : 9) {
        case 0:
            // A till can't reach the journal, and the customer goes to the next one, whose answer is slow.
            chain = [
                (till, sale(.approved), 200), (other, .line(.replySlow(20_000), after: 1), 0),
                (other, .again(number + 1), 1_500), (till, .chargeUnnamed(.approved, source), 8_000),
                (till, .again(number + 1), 30_000),
            ]
            return .journal(.away(3 + random.below(2)), after: 0)
        case 1:
            // A reply is lost, the till goes off, and it is looked at after a long weekend.
            if hasIdled { return .recover }
            hasIdled = true
            chain = [
                (till, sale(.approved), 500), (till, .crash(after: 0), 0),
                (till, .idle(hours: 49 + random.below(50)), 0),
                (other, .status(number + 1), 60_000), (other, .again(number + 1), 60_000),
            ]
            return .line(.replyLost, after: random.below(2))
        case 2:
            // Less is approved than asked for, the till goes off, and a person decides.
            chain = [
                (till, sale(.partial), 500), (till, .crash(after: 0), 0),
                (other, .resolve(number + 1, isHasty: false), 100_000),
            ]
            return .line(.replyLost, after: random.below(2))
        case 3:
            // A sale without a reference is typed again, with another card.
            let second = able.sources.randomElement(random) ?? source
            chain = [
                (till, .chargeUnnamed(.approved, source), 500), (till, .crash(after: 0), 0), (other, .recover, 40_000),
                (other, .chargeUnnamed(.approved, second), 40_000),
            ]
            return .line(.requestLost, after: random.below(2))
        case 4, 11, 12:
            // The customer takes long, the caller leaves, and a person decides at once.
            chain = [
                (till, sale(.slowCustomer), 2_000), (till, .leave(number + 1), 60_000 + Int64(random.below(60_000))),
                (till, .resolve(number + 1, isHasty: true), 0),
            ]
            return .recover
        case 5:
            // A process loses its lease in the middle of a request that is tried again.
            chain = [
                (till, sale(.busyOnce), 300), (till, .lapse, 0), (other, .again(number + 1), 2_000),
                (other, .line(.replyLost, after: 0), 0), (other, .again(number + 1), 60_000),
            ]
            return .line(.slow(Int64(random.below(30))), after: random.below(2))
        case 8: return refuseBeforeReply(number, till, other, sale(.approved))
        case 9: return decideLater(number, till, other, sale(.insufficientFunds))
        case 10: return presentAnother(number, till, other, sale(.approved))
        case 13, 14: return goOff(2, number, till, other, sale(.approved))
        case 15, 16, 17: return goOff(3, number, till, other, sale(.approved))
        default: return goOff(random.below(4), number, till, other, sale(.approved))
        }
    }

    /// A till goes off before it has its answer, and what people do then.
    private mutating func goOff(
        _ kind: Int, _ number: Int, _ till: Int, _ other: Int, _ sale: ChaosStep.Action
    ) -> ChaosStep.Action {
        switch kind {
        case 0:
            // The payment is refunded at the dashboard before any till knows what the provider calls it.
            chain = [
                (till, sale, 4_000), (other, .dashboard(.refund, of: number + 1, isPart: random.below(2) == 0), 30_000),
                (other, .deliver(random.below(8), isKept: false), 500),
                (other, .deliver(random.below(8), isKept: false), 500), (other, .status(number + 1), 60_000),
                (other, .again(number + 1), 60_000),
            ]
            return .crash(after: deathAtReply(till))
        case 1:
            // Two tills go off, and a person finds the payment of one in the provider's books for the other's.
            orders.append(number + 3)
            chain = [
                (till, sale, 4_000), (other, .crash(after: deathAtReply(other)), 0), (other, sale, 4_000),
                (till, .confuse(number + 3, with: number + 1), 1_000), (other, .status(number + 1), 30_000),
                (other, .again(number + 1), 60_000),
            ]
            return .crash(after: deathAtReply(till))
        case 2:
            // It is off for a long weekend, and comes up with a clock that is behind.
            if hasIdled { return .recover }
            hasIdled = true
            let hours = 49 + random.below(4)
            chain = [
                (till, sale, 4_000), (till, .idle(hours: hours), 0), (till, .reboot, 0),
                (till, .setClock(by: -Int64(hours - 44 + random.below(3)) * 3_600_000 - 1), 0),
                (till, .status(number + 1), 1_800_000), (till, .status(number + 1), 60_000),
                (till, .again(number + 1), 60_000),
            ]
            return .crash(after: deathAtReply(till))
        default:
            // A process whose write to the journal takes minutes loses its lease, and the next one goes off, too.
            chain = [
                (till, sale, 100), (till, .journal(.slow(600_000), after: 0), 600), (till, .lapse, 0),
                (other, .again(number + 1), 200_000), (other, .crash(after: 5 + 2 * random.below(3)), 0),
                (other, .again(number + 1), 120_000), (other, .status(number + 1), 300_000),
                (other, .again(number + 1), 60_000),
            ]
            return .line(.refused, after: random.below(2))
        }
    }

    /// A terminal approves on its own, and the issuer refuses that when it is forwarded.
    private mutating func decideLater(
        _ number: Int, _ till: Int, _ other: Int, _ sale: ChaosStep.Action
    ) -> ChaosStep.Action {
        chain = [
            (till, sale, 10_000), (till, .cutOff(false), 2_000), (other, .deliver(random.below(8), isKept: false), 500),
            (other, .deliver(random.below(8), isKept: false), 500), (other, .status(number + 1), 60_000),
        ]
        return .cutOff(true)
    }

    /// A refund is refused later, and the message about that overtakes the reply.
    private mutating func refuseBeforeReply(
        _ number: Int, _ till: Int, _ other: Int, _ sale: ChaosStep.Action
    ) -> ChaosStep.Action {
        orders.append(number + 3)
        let isPart = abilities[active[till]].parts.contains(.refund) && random.below(2) == 0
        chain = [
            (till, sale, 10_000), (till, .line(.replySlow(30_000), after: random.below(2)), 0),
            (till, .follow(.refund, of: number + 1, isPart ? .pending : nil), 1_000),
            (other, .decide(number + 3, succeeds: false), 0),
            (other, .deliver(random.below(8), isKept: false), 500),
            (other, .deliver(random.below(8), isKept: false), 60_000), (other, .status(number + 3), 60_000),
        ]
        return .recover
    }

    /// After how many further writes and exchanges a process dies whose last one is the reply to its request: a request is
    /// written first, and before it other things are asked for.
    private func deathAtReply(_ till: Int) -> Int {
        3 + 2 * random.below(abilities[active[till]].hasTerminals ? 1 : 3)
    }

    /// A card is refused and its holder takes another one, while the message about the first is faster than the call.
    private mutating func presentAnother(
        _ number: Int, _ till: Int, _ other: Int, _ sale: ChaosStep.Action
    ) -> ChaosStep.Action {
        chain = [
            (till, sale, 5_000), (other, .deliver(random.below(8), isKept: false), 300),
            (other, .deliver(random.below(8), isKept: false), 300), (other, .status(number + 1), 30_000),
            (other, .again(number + 1), 30_000),
        ]
        return .refusesFirst
    }
}
