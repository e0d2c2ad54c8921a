import PaymentAbstraction
import PaymentBase
import PaymentTestPipes
import PaymentTesting

/// A journal that announces every write, before and after, and waits until the parent lets it happen.
struct AnnouncingJournal: JournalWrapper {
    let inner: any Journal
    let channel: Channel

    private func step(_ name: String) throws(JournalFailure) {
        do {
            try channel.send(.step(name, at: 0))
            if case .proceed? = try channel.receive() { return }
        } catch {}
        throw .notWritten("the parent is gone")
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try step("write, before")
        let answer = try await inner.write(entry, id, at: instant)
        try step("write, after")
        return answer
    }
}
