import PaymentDriverKit
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// What a person has to look at.
@Suite struct MarkRuleTests {
    @Test("A further message about the same that says something else is a mark of its own")
    func furtherMessageOfAnotherKind() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        // A copy that differs in its time says the same.
        for (number, kind) in ["CHARGED", "CHARGED", "LATER"].enumerated() {
            let notice = Notice(
                "\(kind) sale name q2 \(number)", l.a, .name("q2"), [.sale], approved(10, "q2"), at: nil, names: ["q2"],
                original: "p1")
            _ = l.store.write(JournalEntry(.notice(notice)), WriteID("k\(number)"), at: l.instant) { _ in false }
        }
        let marks = l.store.notices.compactMap(\.mark)
        l.ought("two marks: \(marks)", marks == [.unbooked("s1", "q2 CHARGED"), .unbooked("s1", "q2 LATER")])
        l.ought("two alerts", l.store.alerts.count { $0 == .unclear("s1") } == 2)
        #expect(l.failures == [])
    }
}
