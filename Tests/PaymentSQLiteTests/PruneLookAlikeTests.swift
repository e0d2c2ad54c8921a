import PaymentDriverKit
import PaymentJournalKit
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// What was pruned decides no attempt that is still in doubt.
@Suite struct PruneLookAlikeTests {
    private static let start = JournalTestWriter.at(0).wall

    /// Of what was pruned the name stays taken; what has none stays itself.
    @Test(arguments: [["x"], []]) func aLookAlikeOfWhatWasPruned_decidesNoDoubt(_ names: [String]) async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("doubt"), at: 5)
        let doubt = try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("doubt"), nil), at: 6)
        try await desk.done(try JournalTestWriter.intent("old"), JournalTestWriter.approved(), names: names, at: 10)
        // The newest payment of a file stays; it has a name, and is no rival.
        try await desk.done(try JournalTestWriter.intent("last"), JournalTestWriter.approved(), names: ["z"], at: 20)
        #expect(try await journal.prune(before: Self.start + 1_000).payments == names.count)
        let basis = Finding.Basis(
            doubt, known: 2, account: JournalTestWriter.one, askedAt: JournalTestWriter.at(90_000))
        let seen = LookupResult.Candidate("x", JournalTestWriter.approved(), at: JournalTestWriter.at(12).wall)
        let terms = LookupTerms(quietPeriod: 1_000, isExclusive: true)
        let finding = Finding.lookup(.candidates([seen]), basis, terms, names: [])
        let found = try await desk.write(.report(doubt.intent.attempt, finding), at: 90_000)
        #expect(try await desk.held("doubt").isOpen, "\(found)")
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// What is open and can't be read may be like anything; no person can decide it.
    @Test func pruning_besideAnOpenPaymentThatCanNotBeRead_namesThatPayment() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("doubt"), at: 5)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("doubt"), nil), at: 6)
        try await desk.done(try JournalTestWriter.intent("alike"), JournalTestWriter.approved(), at: 10)
        try await desk.done(try JournalTestWriter.intent("named"), JournalTestWriter.approved(), names: ["n"], at: 10)
        try await desk.done(try JournalTestWriter.intent("last"), JournalTestWriter.approved(), names: ["z"], at: 20)
        try await journal.execute("UPDATE entry SET events = x'00' WHERE payment = 1")
        let pruned = try await journal.prune(before: Self.start + 1_000)
        let (lost, newest) = (try JournalTestWriter.id("doubt"), try JournalTestWriter.id("last"))
        #expect(pruned.payments == 1, "\(pruned)")
        #expect(pruned.keepers == [.hidden(PaymentID(lost)), .newest(PaymentID(newest))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// Of several doubts the first that began and looks alike is named; one that began long after is none.
    @Test func pruning_besideSeveralDoubts_namesTheFirstThatBegan() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        let begun: [(String, Int64)] = [("late", 5_000_000), ("second", 8), ("first", 5)]
        for (name, instant) in begun {
            try await desk.send(try JournalTestWriter.intent(name), at: instant)
            try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id(name), nil), at: instant + 1)
        }
        try await desk.done(try JournalTestWriter.intent("alike"), JournalTestWriter.approved(), at: 10)
        try await desk.done(try JournalTestWriter.intent("last"), JournalTestWriter.approved(), names: ["z"], at: 20)
        let pruned = try await journal.prune(before: Self.start + 9_000_000)
        let (first, newest) = (try JournalTestWriter.id("first"), try JournalTestWriter.id("last"))
        #expect(pruned.payments == 0)
        #expect(pruned.keepers == [.lookAlikes(of: first), .newest(PaymentID(newest))], "\(pruned)")
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// An old doubt keeps only what could be taken for it, and only until a person ends it.
    @Test func pruning_besideAnOldDoubt_keepsOnlyWhatLooksLikeIt() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("doubt"), at: 5)
        let doubt = try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("doubt"), nil), at: 6)
        try await desk.done(try JournalTestWriter.intent("alike"), JournalTestWriter.approved(), at: 10)
        try await desk.done(try JournalTestWriter.intent("other", .sale, 200), JournalTestWriter.approved(200), at: 10)
        try await desk.done(try JournalTestWriter.intent("named"), JournalTestWriter.approved(), names: ["n"], at: 10)
        try await desk.done(try JournalTestWriter.intent("held", .authorize), JournalTestWriter.declined, at: 10)
        try await desk.done(try JournalTestWriter.intent("last"), JournalTestWriter.approved(), names: ["z"], at: 20)
        let first = try await journal.prune(before: Self.start + 1_000)
        let newest = PaymentID(try JournalTestWriter.id("last"))
        #expect(first.payments == 3, "\(first)")
        #expect(first.keepers == [.lookAlikes(of: doubt.intent.attempt), .newest(newest)])
        let basis = Finding.Basis(
            doubt, known: 2, account: JournalTestWriter.one, askedAt: JournalTestWriter.at(90_000))
        let said = Finding.person(.notExecuted(), basis, quietPeriod: 1_000, by: "Ann", reason: "not on the slip")
        try await desk.accept(.report(doubt.intent.attempt, said), at: 90_000)
        let second = try await journal.prune(before: Self.start + 1_000)
        #expect(second.payments == 1 && second.keepers == [.newest(newest)], "\(second)")
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }
}
