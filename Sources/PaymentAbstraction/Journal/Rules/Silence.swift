/// That a question found nothing of an attempt, or found it refused, with what is needed for that to prove something.
public struct Silence: Hashable, Sendable {
    /// What was found: a refusal, or nothing of it.
    public let found: Verdict?
    /// Which round was judged.
    public let round: Int
    /// The last send that was judged, by its number; 0 for none.
    public let lastSend: Int
    /// When the question was put.
    public let askedAt: JournalInstant
    /// How many words about the attempt were known then.
    public let knownCount: Int
    /// How long nothing may have happened before; nil where no time proves anything.
    public let quiet: Int64?
    /// Whether the provider documents that what isn't shown was never executed.
    public var isDocumented = true
    /// The account that was asked.
    public var provider: ProviderIdentity?
    /// What else the same kind of question showed, by the provider's names.
    public var witnesses: Set<String> = []

    /// Who says so: a question, or a person.
    public var source = AttemptFacts.Word.Source.lookup

    /// Says what a question found of the facts that were there when it was put.
    public init(_ found: Verdict?, of facts: AttemptFacts, askedAt: JournalInstant, quiet: Int64?) {
        (self.found, self.askedAt, self.quiet) = (found, askedAt, quiet)
        (round, lastSend, knownCount) = (facts.newest.number, facts.sends.last?.number ?? 0, facts.words.count)
    }
}
