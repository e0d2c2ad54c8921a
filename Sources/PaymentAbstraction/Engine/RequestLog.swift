internal import PaymentBase

/// What a run has to write next, and what the journal said last. A value: the run's lock guards it.
struct RequestLog: Sendable {
    /// What an opening came to.
    enum Opened: Sendable {
        /// The request is this run's, and the newest.
        case mine(Int)
        /// The id was begun before; the record answers.
        case known
        case refused(JournalRefusal)
        /// Another process took the attempt over.
        case fenced
    }

    private let begin: Begin
    private let owner: String
    /// The attempt as the journal showed it last; nil while nothing is written.
    private(set) var attempt: Attempt?
    /// The number of the payment's last entry that is known.
    private(set) var entry = 0
    /// The run that this process began.
    private(set) var run: Int?
    private var request: (number: Int, ending: Attempt.Request.Ending?, names: [String])?
    /// What the last request was refused with, if a copy of an executed request gets that as well.
    private var copyRefusal: Finish.CopyRefusal?
    private var notes: [String: String] = [:]
    /// Whether another process decided the attempt or took it over.
    private(set) var isFenced = false
    private(set) var sendCount = 0

    init(_ begin: Begin, owner: String) { (self.begin, self.owner) = (begin, owner) }

    /// The request that has no end yet.
    var isOpen: Bool { request.map { $0.ending == nil } ?? false }
    /// Whether a request was opened in this run.
    var wasOpened: Bool { request != nil }
    var lastRequest: Int? { request?.number }

    /// Counts a request of the driver; its repeats have the same number.
    mutating func countSend() -> Int {
        sendCount += 1
        return sendCount
    }

    /// Keeps something for the next entry.
    mutating func note(_ name: String, _ value: String) { notes[name] = value }

    /// A note of this run, or of the record if the run has none.
    func note(_ name: String) -> String? {
        if let value = notes[name] { return value }
        guard let attempt else { return nil }
        return attempt.notes.last { $0.name == name && $0.run == (run ?? attempt.runInQuestion) }?.value
    }

    private var closing: Closing? {
        guard let request, let ending = request.ending else { return nil }
        return Closing(request.number, ending, names: request.names)
    }

    /// The entry that opens a request.
    func open(_ prepare: (inout OpenRequest) -> Void) -> OpenRequest {
        var open = OpenRequest(begin.intent.attempt, owner: owner, account: begin.account, sendLimit: nil)
        if let run { (open.run, open.closing) = (run, closing) } else { open.begin = begin }
        prepare(&open)
        open.notes.merge(notes) { mine, _ in mine }
        return open
    }

    /// Takes the journal's answer to an opening.
    mutating func opened(_ answer: JournalAnswer) -> Opened {
        switch answer {
        case .written(let attempt, let receipt):
            take(attempt)
            notes = [:]
            entry = max(entry, receipt.entry)
            if let number = receipt.run, run == nil { run = number }
            if receipt.refusal != nil {
                isFenced = true
                return .fenced
            }
            guard let number = receipt.request, let run else { return .fenced }
            (request, copyRefusal) = ((number, nil, []), nil)
            let isNewest = attempt.newest?.number == run && !attempt.isEnded && attempt.requests.last?.number == number
            if !isNewest { isFenced = true }
            return isNewest ? .mine(number) : .fenced
        case .known(let attempt):
            take(attempt)
            isFenced = true
            return .known
        case .refused(let why, let attempt):
            if run != nil {
                if let attempt { take(attempt) }
                isFenced = true
                return .fenced
            }
            return .refused(why)
        case .kept, .hint: return .fenced
        }
    }

    /// The request ended, with the provider's names in its reply.
    mutating func ended(
        _ ending: Attempt.Request.Ending, names: [String] = [], copyRefusal: Finish.CopyRefusal? = nil
    ) {
        guard request?.ending == nil else { return }
        request?.ending = ending
        request?.names = names
        self.copyRefusal = ending == .refused ? copyRefusal : nil
    }

    /// The last request may have been executed after all.
    mutating func doubt() {
        if request?.ending != .answered { request?.ending = .lost } else { request?.ending = .lost }
    }

    /// The entry that ends the run.
    func finish(_ verdict: Verdict?, names: [String] = []) -> Finish {
        var finish = Finish(begin.intent.attempt, owner: owner, account: begin.account)
        (finish.run, finish.closing, finish.verdict) = (run, closing, verdict)
        (finish.copyRefusal, finish.notes) = (verdict == nil ? copyRefusal : nil, notes)
        if run == nil { finish.begin = begin }
        if !names.isEmpty, let closing = finish.closing {
            finish.closing?.names = closing.names + names.filter { !closing.names.contains($0) }
        }
        return finish
    }

    /// The same outcome for a journal that does not know the run.
    func beginning(_ finish: Finish) -> Finish {
        var again = finish
        (again.begin, again.run, again.closing) = (begin, nil, nil)
        return again
    }

    /// Takes the journal's answer to the end of the run.
    mutating func finished(_ answer: JournalAnswer) {
        notes = [:]
        if let receipt = answer.receipt { entry = max(entry, receipt.entry) }
        if let attempt = answer.attempt { take(attempt) }
        if case .known = answer { isFenced = true }
    }

    /// Remembers how the attempt is, after something was read or written.
    mutating func take(_ attempt: Attempt, entry: Int = 0) {
        guard attempt.intent.attempt == begin.intent.attempt else { return }
        self.attempt = attempt
        self.entry = max(self.entry, entry)
    }
}
