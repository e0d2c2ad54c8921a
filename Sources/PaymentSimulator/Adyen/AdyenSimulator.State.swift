internal import PaymentBase

extension AdyenSimulator {
    /// What the provider knows.
    struct State: Sendable {
        var ledger = Ledger()
        var terminals = [AdyenSimulator.terminal: Terminal()]
        /// The terminals that work on a payment.
        var busy: Set<String> = []
        /// Payments by their name in the back office.
        var payments = Records<Payment>()
        /// The name in the back office by our reference, the latest one.
        var byReference: [String: String] = [:]
        var modifications = Records<Modification>()
        /// Whose each instrument is that is kept.
        var tokens = [AdyenSimulator.savedInstrument: AdyenSimulator.savedCustomer]
        /// What was answered under a key, for the back office does everything once.
        var answers: [String: JSON] = [:]
        /// Webhooks, one item in each.
        var outbox = WebhookOutbox()
        let signer: AdyenSigner
        /// Which reading of the documents is played; a reset keeps it.
        var reading = AdyenReading()
        /// How often a terminal was asked about a message, or told that it is to end.
        var questions: [String: Int] = [:]
        var nextNumber: Int64 = 0
        var repeatedNames = 0
        /// Amounts whose script was played once.
        var playedOnce: Set<String> = []
        /// Payments that were approved offline and wait to be forwarded.
        var stored: [String] = []
        /// What the next payment on a phone fails by.
        var attestation: String?
        /// Phones by their name, with the end of their session.
        var sessions: [String: Int64] = [:]

        mutating func number() -> Int64 {
            nextNumber += 1
            return nextNumber
        }

        /// A name in the back office: sixteen characters.
        mutating func reference() -> String {
            let digits = String(number())
            return "8815" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        }
    }

    struct Payment: Sendable {
        /// What is held, captured and given back.
        var amounts = SimulatedPayment()
        /// The reference that the request carried.
        var reference = ""

        var psp: String { amounts.name }
        var currency: String { amounts.currency }

        init() {}

        init(psp: String, reference: String, currency: String) {
            amounts = SimulatedPayment(name: psp, currency: currency)
            self.reference = reference
        }
    }

    /// Something that was received and is decided later.
    struct Modification: Sendable {
        enum Kind: String, Sendable { case capture, refund, cancel, reversal, adjust, terminalRefund, cardRefund }

        var kind = Kind.capture
        var psp = ""
        var payment = ""
        var reference = ""
        var currency = ""
        var amount: Int64 = 0
        var decidesAt: Int64 = 0
        var isTechnical = false
        /// Whether it was decided; a later failure is still possible.
        var isDone = false
        var succeeded = false
    }

    struct Terminal: Sendable {
        var card: Card? = Card()
        /// Since when the card lies there.
        var cardSince: Int64 = 0
        var isReachable = true
        var work: Work?
        /// Answers by message, as long as they are remembered.
        var answers: [String: Answer] = [:]
        /// Messages about which another amount is said once.
        var echoesOther: Set<String> = []

        struct Answer: Sendable {
            var at: Int64 = 0
            var message: JSON = .null
            var category = ""
        }
    }

    /// A payment that a terminal works on.
    struct Work: Sendable {
        let request: NexoRequest
        let startedAt: Int64
        let label: String
        /// When the card came.
        var cardAt: Int64?
        var isAborted = false
    }

    /// Works out everything that should have happened by now, in order of time.
    static func advance(_ state: inout State, _ now: Int64) {
        while let next = nextDue(&state), next < now { step(&state, next) }
        step(&state, now)
    }

    private static func step(_ state: inout State, _ now: Int64) {
        for poiID in state.busy.sorted() { advance(poiID, &state, now) }
        while let due = state.modifications.takeDue(by: now) {
            decide(due.value, succeeds: true, &state, at: due.at)
        }
    }

    /// When something happens by itself that a webhook tells of.
    static func nextDue(_ state: inout State) -> Int64? {
        let works = state.busy.compactMap { poiID -> Int64? in
            guard let terminal = state.terminals[poiID], let work = terminal.work else { return nil }
            if terminal.card == nil, work.cardAt == nil { return work.startedAt + waitMilliseconds }
            let cardAt = work.cardAt ?? comes(terminal, work)
            return cardAt + decisionMilliseconds - cardMilliseconds
        }
        return (works + [state.modifications.nextDue()].compactMap { $0 }).min()
    }

    /// When the card that lies there is in the terminal.
    private static func comes(_ terminal: Terminal, _ work: Work) -> Int64 {
        max(work.startedAt + (terminal.card?.comesAfterMilliseconds ?? cardMilliseconds), terminal.cardSince)
    }

    private static func advance(_ poiID: String, _ state: inout State, _ now: Int64) {
        guard var work = state.terminals[poiID]?.work else { return }
        let card = state.terminals[poiID]?.card
        let earliest = state.terminals[poiID].map { comes($0, work) } ?? 0
        if work.cardAt == nil, !work.isAborted, card != nil, now >= earliest { work.cardAt = earliest }
        state.terminals[poiID]?.work = work
        if let cardAt = work.cardAt {
            let end = cardAt + decisionMilliseconds - cardMilliseconds
            if now >= end { finish(poiID, work, decide(work, card ?? Card(), poiID, &state, end), &state, end) }
        } else if work.isAborted {
            let answer = failure("Aborted", "message=104+Merchant+cancelled")
            finish(poiID, work, answer, &state, now)
        } else if now >= work.startedAt + waitMilliseconds {
            let answer = failure("Cancel", "message=108+Shopper+cancelled+tx")
            finish(poiID, work, answer, &state, work.startedAt + waitMilliseconds)
        }
    }

    private static func finish(_ poiID: String, _ work: Work, _ body: JSON, _ state: inout State, _ at: Int64) {
        state.terminals[poiID]?.work = nil
        state.busy.remove(poiID)
        remember(work.request, body, poiID, &state, at)
    }

    /// Keeps an answer for those who ask for it again.
    static func remember(
        _ request: NexoRequest, _ body: JSON, _ poiID: String, _ state: inout State, _ at: Int64
    ) {
        let message = request.reply(said(body, request, state.reading, at))
        state.terminals[poiID]?.answers[request.key] = Terminal.Answer(
            at: at, message: message, category: request.category)
    }
}
