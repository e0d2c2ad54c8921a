internal import PaymentAbstraction
internal import PaymentBase

/// A question: statements of which each is of one moment, and what is made of their answers.
struct ReadWork: QueuedWork {
    let calls: [PostgresCall]
    /// Takes the answers, and says how to tell of them.
    let take: @Sendable (ArraySlice<PostgresRows>) throws -> @Sendable () -> Void
    let failed: @Sendable (JournalFailure) -> Void
    let postedAt = DedicatedThread.monotonicNow

    var keys: [Int64] { [] }
    var isAlone: Bool { false }
    func fail(_ failure: JournalFailure) { failed(failure) }

    /// Answers questions together; where one is refused, each alone.
    static func answer(_ line: PostgresConnection, _ works: [ReadWork]) -> ConnectionThread<ReadWork>.Progress {
        do {
            var rows = try line.exchange(works.flatMap(\.calls))[...]
            for work in works {
                work.end(rows.prefix(work.calls.count))
                rows = rows.dropFirst(work.calls.count)
            }
            return .done
        } catch {
            guard case .refused = error else { return .lost(works) }
            if works.count == 1 {
                works[0].fail(.notWritten(error.words))
                return .done
            }
            for (index, work) in works.enumerated() {
                if case .lost(let left) = answer(line, [work]) { return .lost(left + works[(index + 1)...]) }
            }
            return .done
        }
    }

    private func end(_ rows: ArraySlice<PostgresRows>) {
        do { try take(rows)() } catch let failure as PostgresStoreError { fail(failure.meaning) } catch {
            fail(.notWritten("\(type(of: error))"))
        }
    }
}
