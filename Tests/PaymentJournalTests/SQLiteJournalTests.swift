import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentJournal
import PaymentTestTill
import Testing

@Suite struct SQLiteJournalTests {
    private let provider = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
    private var terms: AdmissionTerms { AdmissionTerms(provider, owner: "one") }

    private func intent(_ id: String, _ cents: Int64 = 1_000, reference: String? = nil) throws -> AttemptIntent {
        AttemptIntent(try AttemptID(id), .sale, .cents(cents), reference: reference ?? id, source: .card, last4: "1111")
    }

    /// An approval with everything in it that a journal keeps.
    private func rich() -> Approval {
        var card = CardSummary(brand: "visa", last4: "1111")
        (card.expiry, card.entry, card.funding, card.issuerCountry) = ("12/30", "contactless", "credit", "NL")
        var receipt = Receipt()
        receipt.authorizationCode = "A1"
        (receipt.responseCode, receipt.responseText, receipt.retrievalReference) = ("00", "ok \"quoted\" ü", "r")
        (receipt.at, receipt.verification, receipt.signatureRequired) = (5, "pin", true)
        receipt.addressCheck = AddressCheck(code: "Y", action: "allow", result: "match")
        receipt.add([EMVTag("9F26", "AB"), EMVTag("5A", "4111111111111111")])
        var merchant = MerchantBlock()
        (merchant.name, merchant.terminalID) = ("Shop", "T1")
        receipt.merchant = merchant
        var breakdown = AmountBreakdown(base: .cents(900), total: .cents(1_000))
        (breakdown.tip, breakdown.surcharge, breakdown.rates) = (.cents(70), .cents(30), ["surcharge": "3.00"])
        receipt.breakdown = breakdown
        receipt.lines = [ReceiptLine(.customer, "Total", value: "10.00", key: "total", isBold: true)]
        var approval = Approval(.cents(1_000), references: ["payment": "p-1", "order": "o-9"])
        (approval.card, approval.receipt, approval.isPartial, approval.isOffline) = (card, receipt, true, true)
        approval.saved = SavedInstrument(.init(rawValue: "i-1"), card: card)
        return approval
    }

    @Test func everythingSurvivesTheFile() async throws {
        let folder = try Folder()
        let verdicts: [Verdict] = [
            .approved(rich()),
            .declined(
                Decline(.lostCard, provider: ProviderMessage(code: "41", message: "lost"), references: ["a": "b"])),
            .cancelled(Cancellation(by: .screenCapture, provider: ProviderMessage(code: "x"))),
            .pending(Pending(references: ["p": "q"], lookAgain: true)),
        ]
        var written: [AttemptRecord] = []
        let first = try await SQLiteJournal.open(path: folder.file())
        for (number, verdict) in verdicts.enumerated() {
            let intent = try intent("a\(number)")
            _ = try await first.begin(intent, terms, at: 10)
            try await first.mark(intent.attempt, round: 1, .submitted(at: 11))
            try await first.mark(intent.attempt, round: 1, .note(name: "n", value: "v ü"))
            written.append(
                try await first.conclude(
                    intent.attempt, round: 1, Conclusion(.concluded(verdict), by: .webhook, at: 12)))
        }
        let event = PaymentEvent(
            .approved, sequence: 3, at: 9, payment: PaymentID(try AttemptID("a0")), attempt: try AttemptID("a0"),
            provider: "memory", attributes: ["k": "v"])
        try await first.append([event])
        await first.close()

        let second = try await SQLiteJournal.open(path: folder.file())
        for (number, record) in written.enumerated() {
            #expect(try await second.records(.attempt(try AttemptID("a\(number)"))) == [record])
        }
        #expect(written[0].approval == rich())
        #expect(try await second.timeline(of: PaymentID(try AttemptID("a0"))) == [event])
        await second.close()
    }

    @Test func manyCallersWriteTogetherAndOneConflictFailsAlone() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        _ = try await journal.begin(try intent("taken"), terms, at: 1)
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    if number % 10 == 0 {
                        do {
                            try await journal.mark(try AttemptID("nobody-\(number)"), round: 1, .submitted(at: 1))
                            return true
                        } catch JournalFailure.noSuchAttempt { return false }
                    }
                    let fresh = try await journal.begin(try intent("c\(number)"), terms, at: 2)
                    guard case .fresh = fresh else { return false }
                    return true
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 180)
        #expect(try await journal.records(.open).count == 181)
        await journal.close()
    }

    /// What fails after it has written takes nothing of its own along, and nothing of others.
    @Test func whatFailsHalfDoneLeavesNothingAndHarmsNobody() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let provider = terms.provider
        let taken = AttemptRecord(try intent("taken"), provider, round: 1, at: 1, owner: "test")
        try await journal.fill([taken])
        let refusals = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    guard number % 10 == 0 else {
                        _ = try await journal.begin(try intent("c\(number)"), terms, at: 2)
                        return false
                    }
                    let half = AttemptRecord(try intent("half-\(number)"), provider, round: 1, at: 1, owner: "test")
                    do { try await journal.fill([half, taken]) } catch JournalFailure.store { return true }
                    return false
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(refusals == 20)
        let open = try await journal.records(.open)
        #expect(Set(open.map(\.intent.attempt.text)).count == 181)
        #expect(!open.contains { $0.intent.attempt.text.hasPrefix("half") })
        await journal.close()
    }

    @Test func onlyItsOwnerMayReadTheFile() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file())[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await journal.close()
    }

    @Test func aFileOfSomethingElseIsRefused() async throws {
        let folder = try Folder()
        try Data("this is a shopping list, not a journal; it is long enough to look at".utf8)
            .write(to: URL(fileURLWithPath: folder.file("list")))
        await #expect(throws: PaymentError(.journal, outcome: .nothingMoved)) {
            try await SQLiteJournal.open(path: folder.file("list"))
        }
        await #expect(throws: PaymentError(.journal, outcome: .nothingMoved)) {
            try await SQLiteJournal.open(path: folder.file("missing/folder.sqlite"))
        }
    }

    @Test func locksTellWhoIsThere() throws {
        let folder = try Folder()
        let one = try ProcessLocks(besideJournal: folder.file(), owner: "one")
        var two: ProcessLocks? = try ProcessLocks(besideJournal: folder.file(), owner: "two")
        #expect(one.isAlive("one"))
        #expect(one.isAlive("two"))
        #expect(two?.isAlive("one") == true)
        #expect(!one.isAlive("three"))
        #expect(!one.isAlive("../two"))
        two = nil
        #expect(!one.isAlive("two"))
        #expect(throws: PaymentError(.journal, outcome: .nothingMoved)) {
            try ProcessLocks(besideJournal: folder.file(), owner: "one")
        }
    }
}
