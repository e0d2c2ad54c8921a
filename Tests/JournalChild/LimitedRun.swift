import Glibc
import PaymentAbstraction
import PaymentSQLite
import PaymentTestJournal
import PaymentTestPipes

/// Writes attempts until the system gives no more room.
struct LimitedRun {
    private static let attemptsMax = 100_000
    let path: String
    let bytesMax: UInt

    /// Takes the journal and how large a file may become.
    init(_ words: [String]) throws {
        guard words.count == 2, let bytesMax = UInt(words[1]) else { throw JournalChild.Misused() }
        (path, self.bytesMax) = (words[0], bytesMax)
    }

    func play() async throws {
        let journal = try await SQLiteJournal.open(path: path, processes: SingleProcess(JournalTestWriter.owner))
        let desk = JournalTestWriter(journal)
        // A write beyond the limit fails, as on a full disk, instead of ending the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytesMax, rlim_max: bytesMax)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
            throw JournalChild.Misused()
        }
        for number in 0..<Self.attemptsMax {
            do { try await desk.send(try JournalTestWriter.intent("a-\(number)")) } catch {
                try Channel.ofChild.send(.done("\(number);\(error)"))
                return
            }
        }
        throw JournalChild.Misused()
    }
}
