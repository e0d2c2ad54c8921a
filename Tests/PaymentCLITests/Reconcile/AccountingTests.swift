import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentModel
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// Every row of a statement and every movement of the journal ends in exactly one group, and in the right one.
@Suite struct AccountingTests {
    /// Some deals as one statement and one journal, with where everything ends.
    private struct World {
        let maker: DealMaker
        var deals: [Deal]
        /// How rows are shuffled.
        let seed: UInt64

        func reconciled() throws -> (Reconciliation, rows: [ReconciledItem.Group]) {
            let random = SeededRandom(seed: seed)
            var rows = deals.flatMap(\.rows)
            for index in rows.indices.dropFirst() {
                rows.swapAt(index, Int(random.next() % UInt64(index + 1)))
            }
            let statement = try maker.statement(rows)
            // The provider was asked about everything in doubt, and could not tell: a person has to decide.
            let attempts = deals.flatMap(\.attempts)
            let vain = attempts.filter(\.isInDoubt).map(\.intent.attempt)
            let books = try OwnBooks(attempts, maker.account, lookedUpInVain: Set(vain))
            let reconciliation = Reconciliation(
                books, statement, ReconciledMonth.days, transit: statement.kind.transitDays * ReconciledDays.day)
            return (reconciliation, rows.map(\.group))
        }

        /// What is wrong; nil if nothing is.
        func problem() throws -> String? {
            let (found, rows) = try reconciled()
            if let broken = found.brokenIdentity ?? found.discrepancy() { return broken }
            for item in found.items {
                for row in item.rows where item.group != rows[row] {
                    return "\(found.statement.rows[row].place) is \(item.words) and should be \(rows[row].words)"
                }
                for number in item.movements {
                    let id = found.books.movements[number].attempt.text
                    let group = deals.lazy.compactMap { $0.groups[id] }.first
                    if item.group != group { return "\(id) is \(item.words) and should be \(group?.words ?? "absent")" }
                }
            }
            let count = deals.reduce(0) { $0 + $1.openCount }
            let open = found.items.count(where: \.isOpen)
            if open != count { return "\(open) items have to be looked at and not \(count)" }
            return found.rashProposal ?? wrongImport(found) ?? wrongFollowUp(found)
        }

        /// What is wrong with the lines for what followed a payment of the journal: each is over what it lacks.
        private func wrongFollowUp(_ found: Reconciliation) -> String? {
            for item in found.items where item.payment != nil {
                guard let line = item.line else { continue }
                let here = item.group == .differs ? item.hereAmount : nil
                let due = here.flatMap { item.thereAmount?.less($0) } ?? item.thereAmount
                let isItem = line["payment"]?.string == item.payment?.attempt.text
                guard isItem, line["minorUnits"]?.int64 == due?.minorUnits, due?.isZero == false else {
                    return "the line \(line) is not about what only the statement has: \(item)"
                }
            }
            return nil
        }

        /// What is wrong with the lines for an import of payments.
        private func wrongImport(_ found: Reconciliation) -> String? {
            let due = deals.flatMap(\.imports)
            let lines = found.items.compactMap { item -> [Money]? in
                guard item.payment == nil, let line = item.line, let code = line["currency"]?.string else { return nil }
                guard let units = line["minorUnits"]?.int64, let currency = Currency.known(code) else { return [] }
                let back = line["refunded"]?.int64 ?? 0
                let taken = (line["chargebacks"]?.array ?? []).map { $0["minorUnits"]?.int64 ?? 0 }
                let sums = [units, back] + (taken.isEmpty ? [] : [taken.reduce(0, +)])
                return sums.map { Money(minorUnits: $0, currency) }
            }
            let (said, meant) = (lines.map { "\($0)" }.sorted(), due.map { "\($0)" }.sorted())
            return said == meant ? nil : "lines for an import say \(said) and not \(meant)"
        }

        /// The same with as few deals as show the problem.
        func shrunk() throws -> World {
            var world = self
            var index = 0
            while index < world.deals.count {
                var less = world
                less.deals.remove(at: index)
                if try less.problem() != nil { world = less } else { index += 1 }
            }
            return world
        }

        var text: String {
            deals.map { deal in
                let attempts = deal.attempts.map { "\($0.intent.operation) \($0.intent.attempt) \($0.intent.amount)" }
                let rows = deal.rows.map { row in
                    "  \(row.line)\(row.item.map { "\($0.state) \($0.references)" } ?? "") \(row.group)"
                }
                return (["\(deal.kind): \(attempts)"] + rows).joined(separator: "\n")
            }.joined(separator: "\n")
        }
    }

    private static func world(_ seed: UInt64) throws -> World {
        let random = SeededRandom(seed: seed)
        let shape = DealMaker.Shape.allCases[Int(random.next() % 4)]
        var maker = DealMaker(shape, random)
        var deals: [Deal] = []
        for _ in 0...maker.pick(12) {
            switch shape {
            case .accounting:
                deals.append(try maker.booked(BookedDeal.allCases[maker.pick(BookedDeal.allCases.count)]))
            case .settlement:
                deals.append(try maker.settled(SettledDeal.allCases[maker.pick(SettledDeal.allCases.count)]))
            case .rows, .totals:
                deals.append(try maker.listed(ListedDeal.allCases[maker.pick(ListedDeal.allCases.count)]))
            }
        }
        return World(maker: maker, deals: deals, seed: seed)
    }

    /// `RECONCILED_WORLDS=10000` plays as many, and `RECONCILED_SEED=N` begins with another one.
    @Test func randomBooks_everyRowAndMovement_endsInItsOneGroup() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["RECONCILED_WORLDS"].flatMap { UInt64($0) } ?? 400
        let first = environment["RECONCILED_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + count {
            let world = try Self.world(seed)
            guard let problem = try world.problem() else { continue }
            let small = try world.shrunk()
            Issue.record("RECONCILED_SEED=\(seed): \(problem); \(try small.problem() ?? ""), with\n\(small.text)")
            return
        }
    }

    /// Each way alone, so that none is missed by chance.
    @Test func everyKindOfDeal_alone_endsInItsGroups() throws {
        var worlds: [World] = []
        for kind in BookedDeal.allCases {
            var maker = DealMaker(.accounting, SeededRandom(seed: 7))
            worlds.append(World(maker: maker, deals: [try maker.booked(kind)], seed: 7))
        }
        for kind in SettledDeal.allCases {
            var maker = DealMaker(.settlement, SeededRandom(seed: 7))
            worlds.append(World(maker: maker, deals: [try maker.settled(kind)], seed: 7))
        }
        for shape in [DealMaker.Shape.rows, .totals] {
            for kind in ListedDeal.allCases {
                var maker = DealMaker(shape, SeededRandom(seed: 7))
                worlds.append(World(maker: maker, deals: [try maker.listed(kind)], seed: 7))
            }
        }
        for world in worlds {
            let problem = try world.problem()
            #expect(problem == nil, "\(world.maker.shape): \(world.text)")
        }
    }

    @Test func fiftyDifferencesOfTwentyFiveKinds_amongAThousandPayments_areFoundAndNothingElse() throws {
        let kinds = Array(BookedDeal.planted.prefix(25))
        #expect(kinds.count == 25)
        var maker = DealMaker(.accounting, SeededRandom(seed: 25))
        var deals: [Deal] = []
        for number in 0..<1_000 {
            deals.append(try maker.booked(BookedDeal.agreeing[number % BookedDeal.agreeing.count]))
        }
        for kind in kinds + kinds { deals.insert(try maker.booked(kind), at: maker.pick(deals.count)) }
        let world = World(maker: maker, deals: deals, seed: 25)
        #expect(try world.problem() == nil)
        let (found, _) = try world.reconciled()
        #expect(found.items.count(where: \.isOpen) == 50)
        #expect(deals.reduce(0) { $0 + $1.openCount } == 50)
    }

    /// Twice as much takes twice as many steps, also where all of it is about one payment or in doubt.
    @Test(arguments: [BookedDeal.sale, .saleElsewhere, .refundUnknown, .doubtMissing, .doubtUnderItsReference])
    func steps_ofTwiceAsManyPayments_areTwiceAsMany(_ kind: BookedDeal) throws {
        func steps(_ count: Int) throws -> Int {
            var maker = DealMaker(.accounting, SeededRandom(seed: 3))
            var deals: [Deal] = []
            for _ in 0..<count { deals.append(try maker.booked(kind)) }
            return try World(maker: maker, deals: deals, seed: 3).reconciled().0.steps
        }
        let (once, twice) = (try steps(500), try steps(1_000))
        #expect(twice <= 2 * once + 20 && once >= 500, "\(once), then \(twice)")
    }
}

extension Reconciliation {
    /// What is wrong with the sums of the groups; nil if they are what was read.
    var brokenIdentity: String? {
        let rows = items.flatMap(\.rows)
        if rows.sorted() != Array(statement.rows.indices) { return "rows end not exactly once: \(rows.sorted())" }
        let movements = items.flatMap(\.movements)
        if Set(movements).count != movements.count { return "movements end more than once: \(movements.sorted())" }
        let taken = Set(movements)
        let missing = books.movements.indices.filter { number in
            let movement = books.movements[number]
            return movement.counts && days.contains(movement.begunAt) && scopes?.contains(movement.scope) != false
                && !taken.contains(number)
        }
        if !missing.isEmpty { return "movements end nowhere: \(missing.map { books.movements[$0].attempt })" }
        var (groups, whole) = (ReconciledSum(), ReconciledSum())
        for item in items { groups.add(item, statement, books) }
        for row in statement.rows { whole.add(row) }
        for number in movements { whole.add(books.movements[number]) }
        return groups == whole ? nil : "the sums are \(groups) and not \(whole)"
    }

    /// A line to type that another item of the same output speaks against; nil if there is none.
    var rashProposal: String? {
        for item in items where item.isOpen && item.proposal == .resolve {
            guard let number = item.movements.first else { return "a decision about nothing" }
            let attempt = books.movements[number]
            let own = Set([attempt.attempt.text, attempt.reference] + [item.name].compactMap(\.self))
            for (index, listing) in statement.listings.enumerated() where !item.listings.contains(index) {
                let names = Set(listing.names + [listing.payment, listing.reference].compactMap(\.self))
                guard names.isDisjoint(with: own) else { return "\(attempt.attempt) is decided beside \(names)" }
            }
            for outside in statement.outside where outside.isUnreadable || !outside.names.isDisjoint(with: own) {
                return "\(attempt.attempt) is decided beside a row of which nothing is compared"
            }
            let isAbsent = item.name == nil
            guard item.rows.isEmpty == isAbsent, !isAbsent || !items.contains(where: { $0.group == .onlyInStatement })
            else { return "\(attempt.attempt) is decided beside money that no attempt claims" }
        }
        return nil
    }

    func expectIdentity() throws { #expect(brokenIdentity == nil && discrepancy() == nil) }
}

/// Files of any rows beside journals of any attempts: whatever they say, nothing is lost, counted twice or called equal.
@Suite struct NoiseTests {
    private struct Noise {
        var rows: [String]
        var attempts: [Attempt]
        let account: ProviderIdentity
        let isSettlement: Bool
        let scopes: Set<String>?
        let transit: Int64

        func problem() throws -> String? {
            let head = isSettlement ? StatementFileTests.settlement : StatementFileTests.accounting
            let text = ([head] + rows).joined(separator: "\n") + "\n"
            let statement = try AdyenReport.statement(Array(text.utf8), "r.csv", adapter: "adyen", merchant: "Shop")
            let vain = Set(attempts.filter(\.isInDoubt).map(\.intent.attempt))
            let found = Reconciliation(
                try OwnBooks(attempts, account, lookedUpInVain: vain), statement, ReconciledMonth.days,
                transit: transit, scopes: scopes)
            if statement.rows.count != rows.count { return "\(statement.rows.count) rows were read" }
            if let broken = found.brokenIdentity ?? found.discrepancy() ?? found.rashProposal { return broken }
            let status = ReconciliationReport(found, [], isSimulated: true).status
            let isEqual = found.items.allSatisfy { $0.group == .matched || $0.weight == .foreign }
            return status != .fine || isEqual ? nil : "it is fine beside \(found.items.filter(\.isOpen))"
        }

        func shrunk() throws -> Noise {
            var noise = self
            for index in noise.rows.indices.reversed() {
                var less = noise
                less.rows.remove(at: index)
                if try less.problem() != nil { noise = less }
            }
            for index in noise.attempts.indices.reversed() {
                var less = noise
                let id = less.attempts[index].intent.paymentID
                less.attempts.removeAll { $0.intent.attempt == noise.attempts[index].intent.attempt }
                guard less.attempts.allSatisfy({ $0.intent.paymentID != id }) || !noise.attempts[index].intent.isOrigin
                else { continue }
                if try less.problem() != nil { noise = less }
            }
            return noise
        }
    }

    private static let types = [
        "Received", "Authorised", "Refused", "Cancelled", "SentForSettle", "Settled", "CaptureFailed", "SentForRefund",
        "Refunded", "RefundFailed", "RefundedReversed", "Chargeback", "SecondChargeback", "ChargebackReversed", "Fee",
        "", "Levitated",
    ]
    private static let amounts = [
        "10.00", "10.00", "4.00", "6.00", "-10.00", "0.00", "", "92233720368547758.07", "-92233720368547758.08", "x",
        "10.001", "99999999999999999999",
    ]

    private static func noise(_ seed: UInt64) throws -> Noise {
        let random = SeededRandom(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let maker = DealMaker(.accounting, random)
        var attempts: [Attempt] = []
        for number in 0..<pick([0, 1, 2, 4, 6]) {
            let names = pick([[], ["P\(number)"], ["P0"], ["P1", "P\(number)"]])
            let outcome = pick([DealMaker.Outcome.approved, .approved, .declined, .pending, .doubt])
            attempts.append(
                try maker.attempt(
                    "a-\(number)", pick([.sale, .authorize, .unlinkedRefund]), pick([.cents(1_000), .cents(400)]),
                    under: pick(["o-0", "o-1", "a-0"]), names: names, on: pick([-3, 2, 10, 31]), outcome,
                    scope: pick(["", "", "pos"])))
            guard let origin = attempts.last?.intent, pick([true, false]) else { continue }
            attempts.append(
                try maker.attempt(
                    "f-\(number)", pick([.capture, .refund, .void, .tipAdjustment]),
                    pick([.cents(1_000), .cents(400)]),
                    under: "", of: origin.attempt.text, names: pick([[], ["M\(number)"], ["M0"]]),
                    on: pick([2, 10, 31, 40]), pick([.approved, .approved, .declined, .pending, .doubt]),
                    scope: origin.scope))
        }
        let isSettlement = pick([false, false, true])
        let rows = (0..<pick([0, 1, 2, 3, 5, 9])).map { _ in
            let (psp, name) = (pick(["P0", "P1", "P2", "P9", ""]), pick(["", "M0", "M1", "X9"]))
            let (reference, merchant) = (
                pick(["o-0", "o-1", "a-0", "a-1", ""]), pick(["Shop", "Shop", "Shop", "Other"])
            )
            let (zone, currency) = (pick(["UTC", "UTC", "UTC", "XYZ"]), pick(["EUR", "EUR", "EUR", "USD", "E?"]))
            let at = "2026-01-\(pick(["02", "10", "31"])) 10:00:00"
            let (one, two, three) = (pick(amounts), pick(amounts), pick(amounts))
            if isSettlement {
                return "Co,\(merchant),\(psp),\(reference),visa,\(at),\(zone),\(pick(types)),\(name),\(currency),"
                    + "\(pick(["", one])),\(pick(["", two])),1,EUR,,,,4"
            }
            return "Co,\(merchant),\(psp),\(reference),visa,\(at),\(zone),EUR,,\(pick(types)),\(currency),"
                + "\(one),\(two),\(three),EUR,,\(name)"
        }
        return Noise(
            rows: rows, attempts: attempts, account: maker.account, isSettlement: isSettlement,
            scopes: pick([nil, nil, [""], ["pos"]]), transit: pick([0, 1, 14]) * ReconciledDays.day)
    }

    /// `RECONCILED_WORLDS=10000` plays as many, and `RECONCILED_SEED=N` begins with another one.
    @Test func anyRows_besideAnyAttempts_endInOneGroupEach() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["RECONCILED_WORLDS"].flatMap { UInt64($0) } ?? 400
        let first = environment["RECONCILED_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + count {
            let noise = try Self.noise(seed)
            guard let problem = try noise.problem() else { continue }
            let small = try noise.shrunk()
            let attempts = small.attempts.map {
                "\($0.intent.operation) \($0.intent.attempt) \($0.state) \($0.names.map(\.value))"
            }
            let text = (small.rows + attempts).joined(separator: "\n")
            Issue.record("RECONCILED_SEED=\(seed): \(problem); \(try small.problem() ?? ""), with\n\(text)")
            return
        }
    }
}
