import Foundation
import PaymentAbstraction
import PaymentBase
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
            let books = try OwnBooks(deals.flatMap(\.attempts), maker.account)
            let reconciliation = Reconciliation(
                books, statement, ReconciledMonth.days, transit: statement.kind.transitDays * ReconciledDays.day)
            return (reconciliation, rows.map(\.group))
        }

        /// What is wrong; nil if nothing is.
        func problem() throws -> String? {
            let (found, rows) = try reconciled()
            if let broken = found.brokenIdentity { return broken }
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
            return open == count ? nil : "\(open) items have to be looked at and not \(count)"
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
        let missing = books.movements.indices.filter { number in
            let movement = books.movements[number]
            return movement.counts && days.contains(movement.begunAt) && !movements.contains(number)
        }
        if !missing.isEmpty { return "movements end nowhere: \(missing.map { books.movements[$0].attempt })" }
        var (groups, whole) = (ReconciledSum(), ReconciledSum())
        for item in items { groups.add(item, statement, books) }
        for row in statement.rows { whole.add(row) }
        for number in movements { whole.add(books.movements[number]) }
        return groups == whole ? nil : "the sums are \(groups) and not \(whole)"
    }

    func expectIdentity() throws { #expect(brokenIdentity == nil) }
}
