import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// The power goes at every change of the journal's files, whatever the disk has kept of what was not durable yet.
@Suite struct PowerLossTests {
    enum Work: CaseIterable, Sendable { case sale, refund, capture, void }

    @Test(arguments: Work.allCases, FaultyDisk.Remains.allCases)
    func afterPowerLoss_acknowledgedEntriesAreThere_onceEach(_ work: Work, _ remains: FaultyDisk.Remains) throws {
        var count = 0
        for seed in 0..<400 as Range<UInt64> {
            guard try play(work, remains, after: Int(seed), seed: seed) else {
                print("power lost at \(count) changes of a \(work), \(remains) of what was loose remains")
                return #expect(count >= 4, "there is nothing between the beginning and the end")
            }
            count += 1
        }
        Issue.record("it never ends")
    }

    /// Plays one piece of work until the power goes, and again on what is found; false when it ended before.
    private func play(_ work: Work, _ remains: FaultyDisk.Remains, after count: Int, seed: UInt64) throws -> Bool {
        var shop = Shop()
        let (disk, attempt, sold) = (try FaultyDisk(), try AttemptID("a-2"), try AttemptID("a-1"))
        defer { disk.end() }
        let driver = Self.driver(shop.company)
        let file = try FileJournal(at: disk.folder.file())
        shop.journal = file.staged
        let before = try shop.client(driver)
        if work != .sale { try shop.play { await Self.prepare(work, before, sold) } }
        disk.cutPower(after: count)
        let first = try shop.play { await Self.act(work, before, attempt, on: PaymentID(sold)) }
        guard disk.isDark else {
            try file.close()
            return false
        }
        let found = try disk.found(remains, seed: seed)
        try? file.close()
        let after = try FileJournal(at: found.file())
        shop.journal = after.staged
        let client = try shop.client(driver, as: .believingToBeAlone("after"))
        let company = shop.company
        try shop.play { [shop] in
            try await shop.wait(.seconds(600))
            if first.payment?.isRecorded == true {
                let kept = try await client.attempt(attempt)
                #expect(kept?.approval != nil, "\(work) after \(count), \(remains)")
            }
            let again = await Self.act(work, client, attempt, on: PaymentID(sold))
            // The process that takes over counts the quiet period from there.
            try await shop.wait(.seconds(600))
            try await client.recoverAll()
            let last = await Self.act(work, client, attempt, on: PaymentID(sold))
            let words = "\(work) after \(count), \(remains): \(first), \(again), \(last)"
            #expect(last.isApproved, "\(words)")
            #expect(
                company.charges.filter { $0.attempt == attempt }.count == (work == .sale || work == .capture ? 1 : 0),
                "\(words)")
            #expect(company.refunds.filter { $0.attempt == attempt }.count == (work == .refund ? 1 : 0), "\(words)")
            #expect(company.heard.count == (work == .void ? 1 : 0), "\(words)")
        }
        try after.close()
        return true
    }

    private static func driver(_ company: Company) -> Fake {
        var driver = Fake(company)
        driver.plan = .provingAbsence(after: .seconds(60), givingUpAfter: .seconds(3))
        driver.onFollow[.void] = { request, context in
            try await context.exchange(.money) { _ in
                company.hear(context.attempt.text)
                return .approved(Approval(request.amount, references: ["void": "v-\(context.attempt)"]))
            }
        }
        driver.onLookup = { inquiry, _ in
            if company.heard.contains(inquiry.attempt.text) { return .found(.approved(Approval(inquiry.amount))) }
            guard let shown = company.shown(inquiry.attempt) ?? company.shownRefund(inquiry.attempt) else {
                return .notFound(seesBack: nil)
            }
            return .found(shown)
        }
        return driver
    }

    private static func prepare(_ work: Work, _ client: PaymentClient, _ attempt: AttemptID) async {
        let told =
            switch work {
            case .capture, .void:
                await Told {
                    let request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
                    return try await client.authorize(request, attempt: attempt)
                }
            case .sale, .refund: await client.sell(attempt: attempt)
            }
        #expect(told.isApproved)
    }

    private static func act(
        _ work: Work, _ client: PaymentClient, _ attempt: AttemptID, on payment: PaymentID
    ) async -> Told {
        switch work {
        case .sale: return await client.sell(attempt: attempt)
        case .refund: return await client.giveBack(400, of: payment, attempt: attempt)
        case .capture: return await Told { try await client.capture(payment, of: .cents(600), attempt: attempt) }
        case .void: return await Told { try await client.void(payment, attempt: attempt) }
        }
    }
}
