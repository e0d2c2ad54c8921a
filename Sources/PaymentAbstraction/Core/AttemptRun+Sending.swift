internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// The one loop that repeats a request for money, and the step that lets its bytes leave.
extension AttemptRun {
    /// How often one request is tried.
    static let triesMax = 3
    /// How long to wait before the first repeat, in milliseconds; doubled for each further one.
    static let repeatWaitMilliseconds: Int64 = 250

    /// Sends a request: again only what was provably not executed, what carries an idempotency key, and once with a renewed
    /// access.
    ///
    /// - Parameters:
    ///   - prepare: What is recorded with the request; nothing has left while it runs.
    ///   - transmit: Sends the request and reads the reply.
    func send<Reply>(
        _ effect: RequestEffect, _ cards: Attempt.Request.Cards, names: (Reply) -> [String],
        asksForMore: (Reply) -> Bool,
        prepare: (Transmission) async throws -> RecordedRequest,
        transmit: (Transmission) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        let count = state.withLock { $0.log.countSend() }
        let key = effect == .idempotent ? "\(count)" : nil
        var (number, hasRenewed, wasLost) = (1, false, false)
        while true {
            let current: (access: AccessToken, generation: Int)
            // A kit waits for a card with the access that it gets now.
            let lasting = effect == .visible ? Self.readMilliseconds : 0
            do { current = try await provider.access?.current(services, lasting: lasting) ?? (.none, 0) } catch {
                throw wrapped(error)
            }
            _ = hiding(current.access)
            let attempt = Transmission(number: number, access: current.access)
            let recorded: RecordedRequest
            do { recorded = try await prepare(attempt) } catch { throw wrapped(error) }
            // What limits the bytes runs from before the opening is written.
            let opened = RequestTimer(services.clock)
            try await open(cards, key, recorded)
            let call = observation?.begin(.call, [ObservedAttribute(.number, .number(Int64(number)))])
            let failure: any Error
            do {
                let reply = try await RequestTimer.$current.withValue(opened) { try await transmit(attempt) }
                ended(asksForMore(reply) && !wasLost ? .refused : .answered, names(reply))
                if let call { observation?.end(call, .answered) }
                return reply
            } catch { failure = error }
            let fault = provider.driver.classify(failure)
            let isRefusedAccess = fault.code == .authentication && !hasRenewed && provider.access != nil
            // The next request gets another access than the one that was refused.
            if isRefusedAccess { provider.access?.refused(current.generation) }
            let ending = Attempt.Request.Ending(fault.delivery)
            if let call { observation?.end(call, ending, fault.code) }
            wasLost = wasLost || ending == .lost
            if ending == .notSent { state.withLock { $0.sentCount = max(0, $0.sentCount - 1) } }
            // Once a request may have been executed, a refusal of a later one under its key proves nothing about it.
            ended(ending, [], copyRefusal: copyRefusal(failure, fault))
            let isProven = ending != .lost && !wasLost
            let isHarmless = key != nil && wasLost && !(failure is CancellationError)
            let mayRepeat = fault.isRetryable && fault.code != .authentication && isProven
            let renews = isRefusedAccess && (isProven || key != nil)
            guard renews || (isHarmless || mayRepeat) && number < Self.triesMax, effect != .visible, !Task.isCancelled
            else {
                throw PaymentError(wrapping: failure, outcome, nil, provider.driver, scrub: scrub)
            }
            if renews {
                hasRenewed = true
            } else {
                let wait = fault.retryAfterMilliseconds ?? Self.repeatWaitMilliseconds << Int64(number - 1)
                try? await services.clock.sleep(until: services.clock.now + wait)
            }
            number += 1
            emit(.repeated, ["try": String(number)])
        }
    }

    /// What a reply says that a copy of an executed request gets as well.
    private func copyRefusal(_ failure: any Error, _ fault: RequestFailure) -> Finish.CopyRefusal? {
        if (failure as? PaymentError)?.excludesCopy == true { return nil }
        let isFollowUp = intent.payment != nil
        switch fault.code {
        case .conflict: return isFollowUp ? .nothingLeft : .alreadyThere
        case .amountTooHigh, .invalidRequest, .notFound: return isFollowUp ? .nothingLeft : nil
        default: return nil
        }
    }

    private func ended(
        _ ending: Attempt.Request.Ending, _ names: [String], copyRefusal: Finish.CopyRefusal? = nil
    ) {
        state.withLock { state in
            state.log.ended(ending, names: names, copyRefusal: copyRefusal)
            state.run.ended(ending, isAwaited: state.maySend)
        }
    }

    /// Writes the opening of a request, and looks again under the lock before the first byte: the decision that a caller waits
    /// and the state *sending* are one step.
    private func open(
        _ cards: Attempt.Request.Cards, _ key: String?, _ recorded: RecordedRequest
    ) async throws(PaymentError) {
        let mayOpen = state.withLock { $0.run.open(isAwaited: $0.maySend) }
        guard mayOpen else { throw nothingIsSent() }
        for value in recorded.notes.values where scrub.isSecret(value) {
            notSent()
            throw PaymentError(
                .invalidRequest, outcome: outcome, attempt: attempt, detail: "A note holds a secret of the request.")
        }
        let capabilities = provider.capabilities
        let request = state.withLock { state in
            let returnsMoney = state.returnsMoney
            return state.log.open { open in
                (open.cards, open.key, open.keyLifetime) = (cards, key, capabilities.keyLifetime)
                (open.sendLimit, open.transit) = (capabilities.sendLimit, capabilities.transit)
                if let valid = recorded.validMilliseconds { open.sendLimit = max(open.sendLimit ?? 0, valid) }
                (open.notes, open.names) = (recorded.notes, recorded.names)
                open.returnsMoney = returnsMoney
                if !recorded.canLookUp { open.begin?.canLookUp = false }
                guard cards == .several else { return }
                (open.mayBeOffline, open.forwardsWithin) = (capabilities.approvesOffline, capabilities.forwardsWithin)
            }
        }
        let answer: JournalAnswer
        do {
            answer = try await services.write(
                JournalEntry(.request(request), timeline: takeEvents()), of: intent.paymentID)
        } catch {
            notSent()
            throw services.failed(error, attempt, outcome)
        }
        let result = state.withLock { state -> RequestLog.Opened in
            let opened = state.log.opened(answer)
            guard case .mine = opened, state.maySend else { return opened }
            state.run.send()
            state.sentCount += 1
            return opened
        }
        switch result {
        case .mine:
            if state.withLock({ $0.run.isSending && $0.run.mayHaveMoved }) { return emit(.submitted) }
            // All callers left while the opening was being written.
            state.withLock { state in
                state.log.ended(.notSent)
                state.run.notSent(isAwaited: state.maySend)
            }
            throw nothingIsSent()
        case .known, .fenced:
            notSent()
            if case .refused(.inDoubt, let held) = answer { throw keyIsOver(held) }
            throw fenced(answer.attempt)
        case .refused(let refusal):
            notSent()
            throw await services.refused(refusal, intent)
        }
    }

    private func notSent() { state.withLock { $0.run.notSent(isAwaited: $0.maySend) } }

    private func nothingIsSent() -> PaymentError {
        let code = state.withLock { $0.stopCode } ?? .cancelled
        return PaymentError(code, outcome: outcome, attempt: attempt, detail: "Nothing more is sent.")
    }

    /// An earlier request of the run may have been executed, and the provider may not keep its key any more.
    private func keyIsOver(_ held: Attempt?) -> PaymentError {
        PaymentError(
            .inDoubt, outcome: held?.outcome ?? .unknown, attempt: attempt, retry: .afterStatusCheck,
            detail: "An earlier request may have been executed, and it is not sent again. Ask for its status.")
    }

    private func fenced(_ held: Attempt?) -> PaymentError {
        PaymentError(
            .inDoubt, outcome: held?.outcome ?? .unknown, attempt: attempt, retry: .afterStatusCheck,
            detail: "Another process works on this attempt or has decided it. Ask for its status.")
    }
}

extension Attempt.Request.Ending {
    init(_ delivery: Delivery) {
        switch delivery {
        case .notSent: self = .notSent
        case .refused: self = .refused
        case .maybeSent: self = .lost
        }
    }
}

/// What a run has to write next, and what the journal said last. A value: the run's lock guards it.
struct RequestLog: Sendable {
    /// What an opening came to.
    enum Opened: Sendable {
        /// The request is this run's, and the newest.
        case mine
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
            if let number = receipt.run, run == nil { run = number }
            if receipt.refusal != nil {
                isFenced = true
                return .fenced
            }
            guard let number = receipt.request, let run else { return .fenced }
            (request, copyRefusal) = ((number, nil, []), nil)
            let isNewest = attempt.newest?.number == run && !attempt.isEnded && attempt.requests.last?.number == number
            if !isNewest { isFenced = true }
            return isNewest ? .mine : .fenced
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

    /// Whether a record shows only the run that this one follows.
    func follows(_ held: Attempt) -> Bool { begin.follows(held, of: owner) }

    /// The entry that ends the run, or leaves it open for the next one.
    func finish(_ verdict: Verdict?, names: [String] = [], endsRun: Bool = true) -> Finish {
        var finish = Finish(begin.intent.attempt, owner: owner, account: begin.account)
        finish.endsRun = endsRun
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
        (again.begin, again.run, again.closing, again.endsRun) = (begin, nil, nil, true)
        return again
    }

    /// Takes the journal's answer to the end of the run.
    mutating func finished(_ answer: JournalAnswer) {
        notes = [:]
        if let attempt = answer.attempt { take(attempt) }
        if case .known = answer { isFenced = true }
    }

    /// Remembers how the attempt is, after something was read or written.
    mutating func take(_ attempt: Attempt) {
        guard attempt.intent.attempt == begin.intent.attempt else { return }
        self.attempt = attempt
    }
}
