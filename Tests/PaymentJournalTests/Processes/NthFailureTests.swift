import PaymentAbstraction
import PaymentConformance
import PaymentJournal
import Testing

/// Every exchange and every commit fails in turn, before or after it was done, and the books are compared.
@Suite(.serialized) struct NthFailureTests {
    /// What is made to fail.
    enum Fault: Hashable, Sendable, CaseIterable { case notSent, unheard, lostCommit, unheardCommit }

    @Test(arguments: Fault.allCases) func theBooksAgreeWhicheverCallOrWriteFails(_ fault: Fault) async throws {
        var cases = 0
        for failing in 1...60 {
            let folder = try Folder()
            let (exchanges, commits, provider) = (Counter(), Counter(), LedgerProvider())
            var options = OpeningOptions()
            if fault == .lostCommit { options.commitFault = { commits.next() == failing ? .lost : nil } }
            if fault == .unheardCommit { options.commitFault = { commits.next() == failing ? .unheard : nil } }
            let journal = try await SQLiteJournal.open(path: folder.file(), options)
            let till = JournalTill(journal, owner: "till", SoleOwner())
            for (name, operation, of) in [
                ("sale", PaymentOperation.sale, nil), ("refund", .refund, "sale"), ("auth", .authorize, nil),
                ("capture", .capture, "auth"), ("next", .sale, nil),
            ] as [(String, PaymentOperation, String?)] {
                let intent = try JournalDesk.intent(name, operation, 1_000, of: of)
                let end = try await till.make(intent) { intent in
                    let isFailing = exchanges.next() == failing
                    if isFailing, fault == .notSent { return nil }
                    let verdict = provider.execute(intent.attempt.text, intent.amount)
                    return isFailing && fault == .unheard ? nil : verdict
                }
                if case .open = end {
                    let later = JournalTill(journal, owner: "later", SoleOwner(), at: 60_000)
                    #expect(try await later.recover { provider.found($0.attempt.text) } == [])
                    _ = try await later.make(intent) { provider.execute($0.attempt.text, $0.amount) }
                }
                #expect(provider.count(name) == 1, "\(name), \(fault) \(failing)")
            }
            #expect(try await provider.contradictions(journal) == [], "\(fault) \(failing)")
            #expect(try await journal.check().problems == [])
            await journal.close()
            let count = fault == .notSent || fault == .unheard ? exchanges.next() - 1 : commits.next() - 1
            guard count >= failing else { break }
            cases += 1
        }
        #expect(cases >= 5)
        print("n-th failure over SQLite, \(fault): \(cases) cases")
    }
}
