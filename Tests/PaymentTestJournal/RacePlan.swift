package import PaymentAbstraction
internal import PaymentBase

/// What several processes on one journal attempt: every sale by two of them, and refunds that can't all be had.
package struct RacePlan: Sendable {
    /// What each process attempts, refunds not counted.
    package static let salesEach = 500
    /// How many payments there are to be refunded.
    package static let paidCount = 20
    /// How many refunds of each of them a process tries.
    private static let refundsEach = 2
    /// What a sale costs, and what a refund gives back; two of them fit into a price.
    package static let (price, back): (Int64, Int64) = (5_000, 2_400)

    package let processes: Int

    /// A race of so many processes.
    package init(processes: Int) { self.processes = processes }

    /// Every sale that anybody attempts.
    package var sales: [String] { (0..<processes).flatMap { block($0) } }

    /// The payments that are there before the race.
    package static let paid = (0..<paidCount).map { "paid-\($0)" }

    /// What one process attempts: its own block of sales, its neighbour's, and refunds, well mixed.
    package func calls(of index: Int) throws -> [Attempt.Intent] {
        var calls = try (block(index) + block((index + 1) % processes)).map {
            try JournalTestWriter.intent($0, .sale, Self.price)
        }
        for paid in Self.paid {
            for number in 0..<Self.refundsEach {
                calls.append(
                    try JournalTestWriter.intent("back-\(index)-\(number)-\(paid)", .refund, Self.back, of: paid))
            }
        }
        let random = SeededRandom(seed: UInt64(index + 1))
        for place in calls.indices.reversed() { calls.swapAt(place, Int(random.next() % UInt64(place + 1))) }
        return calls
    }

    private func block(_ index: Int) -> [String] { (0..<Self.salesEach / 2).map { "sale-\(index)-\($0)" } }
}
