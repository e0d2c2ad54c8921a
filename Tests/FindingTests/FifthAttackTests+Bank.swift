import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting

/// A bank that does what it is asked for, once for each attempt, reports by messages, and is used at its dashboard as well.
final class Bank: Sendable {
    /// What the bank has of one payment.
    struct Account: Sendable {
        let isHold: Bool
        var authorized: Int64
        var captured: Int64 = 0
        var chargedBack: Int64 = 0
        var refunded: Int64 = 0
        var tip: Int64 = 0
        var isReleased = false

        /// Does an operation; nil if it does not fit.
        mutating func play(_ operation: PaymentOperation, _ cents: Int64) -> Int64? {
            switch operation {
            case .capture:
                guard isHold, !isReleased, cents > 0, cents <= authorized - captured, refunded == 0 else { return nil }
                captured += cents
            case .refund:
                guard cents > 0, cents <= captured - refunded else { return nil }
                refunded += cents
            case .void:
                guard !isReleased, refunded == 0, isHold || captured > 0 else { return nil }
                isReleased = true
                if !isHold { captured = 0 } else { authorized = captured }
            case .adjust:
                guard isHold, !isReleased, captured == 0, cents > 0 else { return nil }
                authorized = cents
            case .tipAdjustment:
                guard !isHold, !isReleased, captured > 0, captured - tip + cents >= refunded else { return nil }
                captured += cents - tip
                tip = cents
            case .chargeback:
                guard cents > 0, cents <= captured - refunded else { return nil }
                refunded += cents
                chargedBack += cents
            case .sale, .authorize, .debit, .unlinkedRefund, .verify, .tokenize: return nil
            }
            return cents
        }
    }

    /// One thing that was executed.
    struct Movement: Sendable {
        let operation: PaymentOperation
        let cents: Int64
        let payment: String
        let name: String
        var hasFailed = false
    }

    private struct State {
        var accounts: [String: Account] = [:]
        var done: [String: Movement] = [:]
        var counts: [String: Int] = [:]
        var waiting: [ProviderNotice] = []
        var dashboard = 0
        /// What was accepted and is not decided.
        var accepted: [AttemptID: (operation: PaymentOperation, cents: Int64, payment: String?)] = [:]
    }

    private let state = Locked(State())
    let random: SeededRandom
    let isTimed: Bool
    let isNameless: Bool
    /// Whether customers' banks take money back.
    let hasDisputes: Bool
    /// Whether their later steps name the payment alone, which is a setting of an account.
    let isBare: Bool
    init(seed: UInt64) {
        (random, isTimed, isNameless) = (SeededRandom(seed: seed), seed % 4 > 0, seed % 7 == 0)
        (hasDisputes, isBare) = (seed > 40, seed % 2 == 0)
    }

    func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    var accounts: [String: Account] { state.withLock { $0.accounts } }
    /// Attempts that were executed more than once.
    var twice: [String] { state.withLock { $0.counts.filter { $0.value > 1 }.map(\.key) } }

    /// A message that was not acknowledged waits again.
    func wait(_ notice: ProviderNotice) { state.withLock { $0.waiting.append(notice) } }

    /// Takes some of the messages that wait, by their places.
    func takeMessages(_ take: ([ProviderNotice]) -> [Int]) -> [ProviderNotice] {
        state.withLock { state in
            let places = Set(take(state.waiting))
            let taken = state.waiting.indices.filter(places.contains).map { state.waiting[$0] }
            state.waiting = state.waiting.indices.filter { !places.contains($0) }.map { state.waiting[$0] }
            return taken
        }
    }
    func movement(_ attempt: AttemptID) -> Movement? { state.withLock { $0.done[attempt.text] } }

    static func key(_ operation: PaymentOperation) -> String {
        switch operation {
        case .sale, .authorize: "payment"
        default: operation.rawValue
        }
    }

    static func verdict(_ movement: Movement) -> Verdict {
        nowApproved(movement.cents, [key(movement.operation): movement.name])
    }

    /// Executes what an attempt asks for; nil if it was refused.
    func execute(
        _ operation: PaymentOperation, _ attempt: AttemptID, _ cents: Int64, of payment: String?, at now: Int64
    ) -> Movement? {
        state.withLock { state in
            let name = "\(operation.rawValue.prefix(1))-\(attempt)"
            var movement = Movement(operation: operation, cents: cents, payment: payment ?? name, name: name)
            if let payment {
                guard var account = state.accounts[payment], account.play(operation, cents) != nil else { return nil }
                state.accounts[payment] = account
            } else {
                let isHold = operation == .authorize
                state.accounts[name] = Account(isHold: isHold, authorized: cents, captured: isHold ? 0 : cents)
                movement = Movement(operation: operation, cents: cents, payment: name, name: name)
            }
            state.done[attempt.text] = movement
            state.counts[attempt.text, default: 0] += 1
            var notice = ProviderNotice(
                .attempt(attempt), Self.verdict(movement), at: isTimed ? now : nil,
                kind: operation.rawValue.uppercased())
            (notice.operations, notice.id) = ([operation], "m-\(attempt)")
            if payment != nil { notice.original = payment }
            state.waiting.append(notice)
            return movement
        }
    }

    /// A person does something at the dashboard.
    func dashboard(_ operation: PaymentOperation, _ given: Int64, of payment: String, at now: Int64) -> Bool {
        state.withLock { state in
            guard var account = state.accounts[payment] else { return false }
            let rest = account.isHold ? account.authorized - account.captured : account.captured
            let cents = operation == .void ? rest : given
            guard account.play(operation, cents) != nil else { return false }
            state.accounts[payment] = account
            state.dashboard += 1
            let name = "dash-\(state.dashboard)"
            let movement = Movement(operation: operation, cents: cents, payment: payment, name: name)
            state.done[name] = movement
            var notice = ProviderNotice(
                .reference(name, [operation]), Self.verdict(movement), at: now, kind: operation.rawValue.uppercased())
            (notice.original, notice.id) = (payment, "m-\(name)")
            state.waiting.append(notice)
            return true
        }
    }

    /// Accepts what an attempt asks for, to decide it later.
    func accept(_ operation: PaymentOperation, _ attempt: AttemptID, _ cents: Int64, of payment: String?) {
        state.withLock { $0.accepted[attempt] = (operation, cents, payment) }
    }

    /// Whether an attempt was accepted and is not decided.
    func isAccepted(_ attempt: AttemptID) -> Bool { state.withLock { $0.accepted[attempt] != nil } }

    /// Decides what was accepted: some of it, or all.
    func settle(all: Bool, at now: Int64) {
        let open = state.withLock { $0.accepted }.sorted { $0.key.text < $1.key.text }
        for (attempt, asked) in open where all || below(2) == 0 {
            state.withLock { $0.accepted[attempt] = nil }
            let isDone =
                below(3) > 0
                && execute(asked.operation, attempt, asked.cents, of: asked.payment, at: now) != nil
            if !isDone { refuse(asked.operation, attempt, of: asked.payment, at: now) }
        }
    }

    /// Reports that an attempt was refused.
    func refuse(_ operation: PaymentOperation, _ attempt: AttemptID, of payment: String?, at now: Int64) {
        state.withLock { state in
            var notice = ProviderNotice(
                .attempt(attempt), nowDeclined(.declinedByProvider, [Self.key(operation): "no-\(attempt)"]), at: now,
                kind: "REFUSED")
            (notice.operations, notice.id, notice.original) = ([operation], "no-\(attempt)-\(now)", payment)
            state.waiting.append(notice)
        }
    }

    /// A refund that was made comes back, or a dispute is won; its message may name the payment alone.
    func fail(_ operation: PaymentOperation = .refund, at now: Int64) -> Bool {
        let pick = random.next()
        return state.withLock { state in
            let refunds = state.done.filter { $0.value.operation == operation && !$0.value.hasFailed }.map(\.key)
                .sorted()
            if refunds.isEmpty { return false }
            let key = refunds[Int(pick % UInt64(refunds.count))]
            guard var movement = state.done[key], var account = state.accounts[movement.payment] else { return false }
            movement.hasFailed = true
            account.refunded -= movement.cents
            if operation == .chargeback { account.chargedBack -= movement.cents }
            (state.done[key], state.accounts[movement.payment]) = (movement, account)
            let isBare = operation == .chargeback && isBare
            let name = isBare ? movement.payment : movement.name
            let failure = nowDeclined(.failedAfterApproval, [Self.key(operation): name])
            let subject: ProviderNotice.Subject =
                key.hasPrefix("dash-")
                ? .reference(name, [operation])
                : (try? AttemptID(key)).map { .attempt($0) } ?? .reference(name, [operation])
            var notice = ProviderNotice(subject, failure, at: now, kind: "REFUND_FAILED")
            (notice.operations, notice.original) = ([operation], isBare ? nil : movement.payment)
            (notice.id, notice.amount) = ("f-\(movement.name)", .cents(movement.cents))
            state.waiting.append(notice)
            return true
        }
    }
}

extension Bank {
    /// A driver whose replies get lost, are refused, or wait.
    func driver(_ shop: Shop, name: String = "p", canAsk: Bool = true) -> Whole {
        var base = Fake(shop.ledger, name: name)
        base.capabilities.voidRule = .uncaptured
        base.plan = canAsk ? LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000) : nil
        base.onLookup = { [self] inquiry, _ in
            if below(4) == 0 { return .cannotTell("Not now.") }
            let movement = movement(inquiry.attempt)
            if below(4) == 0 { try await shop.wait(seconds: Int64(below(60))) }
            if movement == nil, isAccepted(inquiry.attempt) {
                return .found(.pending(Pending(references: [:], shouldPoll: false)))
            }
            guard let movement else { return .notFound(seesBack: nil) }
            if movement.hasFailed {
                return .found(nowDeclined(.failedAfterApproval, [Self.key(movement.operation): movement.name]))
            }
            return .found(Self.verdict(movement))
        }
        @Sendable func play(
            _ operation: PaymentOperation, _ cents: Int64, _ payment: String?, _ context: PaymentContext
        ) async throws -> Verdict {
            try await context.exchange(.money) { [self] _ -> Verdict in
                if below(5) == 0 { try await shop.wait(seconds: Int64(below(20))) }
                switch below(12) {
                case 0: throw Lost()
                case 1: throw Refused(.providerUnavailable, .refused)
                case 2:
                    refuse(operation, context.attempt, of: payment, at: shop.stage.now)
                    if below(2) == 0 { throw Lost() }
                    return nowDeclined()
                default: break
                }
                let way = below(10)
                if way == 9 {
                    accept(operation, context.attempt, cents, of: payment)
                    if below(3) == 0 { throw Lost() }
                    return .pending(Pending(references: [:], shouldPoll: false))
                }
                guard let done = execute(operation, context.attempt, cents, of: payment, at: shop.stage.now) else {
                    refuse(operation, context.attempt, of: payment, at: shop.stage.now)
                    if below(3) == 0 { throw Lost() }
                    return nowDeclined()
                }
                if below(5) == 0 { try await shop.wait(seconds: Int64(below(20))) }
                if way < 2 { throw Lost() }
                if way == 2 {
                    return .pending(Pending(references: [Self.key(operation): done.name], shouldPoll: false))
                }
                return isNameless && payment != nil ? nowApproved(done.cents) : Self.verdict(done)
            }
        }
        base.onSale = { try await play(.sale, $0.amount.minorUnits, nil, $1) }
        base.onRefund = { try await play(.refund, $0.amount.minorUnits, $0.payment.references["payment"] ?? "", $1) }
        base.onCapture = { try await play(.capture, $0.amount.minorUnits, $0.payment.references["payment"] ?? "", $1) }
        var whole = Whole(base)
        whole.onAuthorize = { try await play(.authorize, $0.amount.minorUnits, nil, $1) }
        whole.onVoid = { try await play(.void, $0.amount.minorUnits, $0.payment.references["payment"] ?? "", $1) }
        whole.onTip = {
            try await play(.tipAdjustment, $0.amount.minorUnits, $0.payment.references["payment"] ?? "", $1)
        }
        whole.onAdjust = { try await play(.adjust, $0.amount.minorUnits, $0.payment.references["payment"] ?? "", $1) }
        return whole
    }
}
