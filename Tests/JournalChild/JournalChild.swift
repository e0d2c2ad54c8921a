import PaymentTestPipes

/// The process that is killed, or that competes with others: `journal-child <what> <arguments…>`.
@main struct JournalChild {
    /// The arguments were not understood.
    struct Misused: Error {}

    static func main() async throws {
        var words = CommandLine.arguments.dropFirst()
        switch words.popFirst() {
        case "money": try await MoneyRun(Array(words)).play()
        case "race": try await RaceRun(Array(words)).play()
        case "refunds": try await RefundRun(Array(words)).play()
        case "failover": try await FailoverRun(Array(words)).play()
        case "limited": try await LimitedRun(Array(words)).play()
        case "numbers": try await NumberRun(Array(words)).play()
        default: throw Misused()
        }
    }
}
