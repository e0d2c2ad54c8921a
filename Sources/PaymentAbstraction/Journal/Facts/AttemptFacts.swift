/// Everything that was appended about one attempt, in order; nothing of it is ever overwritten or deleted.
///
/// Where the attempt stands, what it moved and when it is looked at again are computed from this, and from nothing else.
public struct AttemptFacts: Hashable, Sendable {
    /// What was asked for.
    public let intent: AttemptIntent
    /// How often it was begun; each time after the one before was proven not to have been executed.
    public private(set) var rounds: [Round]
    /// Which rounds are over.
    public private(set) var ends: [End] = []
    /// Exchanges that may move money, each opened before its first byte.
    public private(set) var sends: [Send] = []
    /// How exchanges ended.
    public private(set) var closes: [Close] = []
    /// What was said about it.
    public private(set) var words: [Word] = []
    /// What the provider calls it.
    public private(set) var names: [Name] = []
    /// What the adapter, a person or an import remembered.
    public private(set) var notes: [Note] = []
    /// Whether the caller of the attempt was handed that it moved, or that it is pending.
    public private(set) var isTold = false
    /// Whether it moved although something else had been believed.
    public private(set) var isContradicted = false

    /// The last beginning.
    public private(set) var newest: Round

    /// Begins with what was asked for, and the first round.
    public init(_ intent: AttemptIntent, _ round: Round) { (self.intent, newest, rounds) = (intent, round, [round]) }

    /// Appends a fact; another intent changes nothing.
    public mutating func append(_ fact: JournalFact) {
        switch fact {
        case .intent: break
        case .round(let round):
            rounds.append(round)
            newest = round
        case .end(let end): ends.append(end)
        case .send(let send): sends.append(send)
        case .close(let close): closes.append(close)
        case .word(let word): words.append(word)
        case .name(let name): names.append(name)
        case .note(let note): notes.append(note)
        case .told: isTold = true
        case .contradiction: isContradicted = true
        }
    }

    /// Reads an attempt off its facts; nil when they don't begin with an intent and a round.
    public init?(_ facts: some Sequence<JournalFact>) {
        var iterator = facts.makeIterator()
        guard case .intent(let intent)? = iterator.next(), case .round(let round)? = iterator.next() else { return nil }
        self.init(intent, round)
        while let fact = iterator.next() { append(fact) }
    }

    /// One beginning.
    public struct Round: Hashable, Sendable {
        /// Counts from 1.
        public let number: Int
        /// Who is asked.
        public let provider: ProviderIdentity
        /// Which process runs it.
        public let owner: String
        /// When it was begun.
        public let begunAt: JournalInstant

        /// Who runs what the provider has begun by itself.
        public static let providers = "provider"

        package init(number: Int, provider: ProviderIdentity, owner: String, begunAt: JournalInstant) {
            (self.number, self.provider, self.owner, self.begunAt) = (number, provider, owner, begunAt)
        }
    }

    /// Nobody opens a send in this round any more.
    public struct End: Hashable, Sendable {
        /// Who said so.
        public enum Cause: String, Hashable, Sendable, CaseIterable {
            /// The process that ran it.
            case owner
            /// Another one, to which it was proven gone.
            case takeOver
            /// A person.
            case person
            /// It was adopted from elsewhere.
            case imported
            /// Nobody of ours has begun it.
            case provider
        }

        /// Which round.
        public let round: Int
        /// Who said so.
        public let by: Cause
        /// When.
        public let at: JournalInstant

        package init(round: Int, by: Cause, at: JournalInstant) { (self.round, self.by, self.at) = (round, by, at) }
    }

    /// An exchange after whose beginning nobody can stop the money.
    public struct Send: Hashable, Sendable {
        /// In which round.
        public let round: Int
        /// Counts from 1 over all rounds.
        public let number: Int
        /// The key under which the provider does it once, however often it comes.
        public let key: String?
        /// For how long bytes of it can leave, in milliseconds from its opening; nil for as long as it likes.
        public let leavesWithin: Int64?
        /// When it was opened.
        public let openedAt: JournalInstant

        package init(round: Int, number: Int, key: String?, leavesWithin: Int64?, openedAt: JournalInstant) {
            (self.round, self.number, self.key) = (round, number, key)
            (self.leavesWithin, self.openedAt) = (leavesWithin, openedAt)
        }
    }

    /// How an exchange ended.
    public struct Close: Hashable, Sendable {
        /// What is proven by it.
        public enum Proof: String, Hashable, Sendable, CaseIterable {
            /// No byte left.
            case notSent
            /// An answer proves that it was refused before it was executed.
            case refused
            /// It was answered.
            case answered
            /// Nothing.
            case lost
        }

        /// Which send.
        public let send: Int
        /// What is proven by it.
        public let proof: Proof
        /// When.
        public let at: JournalInstant

        package init(send: Int, proof: Proof, at: JournalInstant) {
            (self.send, self.proof, self.at) = (send, proof, at)
        }
    }

    /// What somebody said about the attempt.
    public struct Word: Hashable, Sendable {
        /// Who said it.
        public enum Source: String, Hashable, Sendable, CaseIterable {
            /// The answer to the exchange itself.
            case reply
            /// A question to the provider afterwards.
            case lookup
            /// A message of the provider's.
            case webhook
            /// A person's decision.
            case person
            /// It was adopted from elsewhere.
            case imported
        }

        /// What is said.
        public enum Content: Hashable, Sendable {
            /// What the provider made of it.
            case verdict(Verdict)
            /// It was never executed and never will be.
            case neverArrived
            /// A person takes back that it moved.
            case withdrawn
        }

        /// Who said it.
        public let source: Source
        /// What is said.
        public let content: Content
        /// The round that it is about; nil for the attempt as a whole.
        public var round: Int?
        /// The send that it names.
        public var send: Int?
        /// The provider's own time of what it says, in milliseconds since 1970.
        public var providerTime: Int64?
        /// When the question was put that it answers.
        public var askedAt: JournalInstant?
        /// How many words about the attempt were known when that question was put.
        public var knownCount: Int?
        /// The provider's own name for this message, so that the same twice is one.
        public var id: String?
        /// When it was written down.
        public internal(set) var at: JournalInstant

        /// Says something at a moment.
        public init(_ source: Source, _ content: Content, at instant: JournalInstant) {
            (self.source, self.content, at) = (source, content, instant)
        }
    }

    /// What the provider calls it.
    public struct Name: Hashable, Sendable {
        /// Whose name it is.
        public let provider: ProviderIdentity
        /// The name.
        public let value: String
        /// The send after which it was learned.
        public let send: Int?

        package init(provider: ProviderIdentity, value: String, send: Int?) {
            (self.provider, self.value, self.send) = (provider, value, send)
        }
    }

    /// What was remembered.
    public struct Note: Hashable, Sendable {
        /// In which round.
        public let round: Int
        /// Under which name.
        public let name: String
        /// What.
        public let value: String

        package init(round: Int, name: String, value: String) {
            (self.round, self.name, self.value) = (round, name, value)
        }
    }
}
