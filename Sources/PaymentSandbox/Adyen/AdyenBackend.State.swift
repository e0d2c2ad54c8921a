internal import PaymentBase

extension AdyenBackend {
    /// What the provider knows.
    struct State: Sendable {
        var ledger = Ledger()
        var terminals = [AdyenBackend.terminal: Terminal()]
        /// Payments by their name in the back office.
        var payments: [String: Payment] = [:]
        /// The name in the back office by our reference, the latest one.
        var byReference: [String: String] = [:]
        var modifications: [Modification] = []
        /// Whose each instrument is that is kept.
        var tokens = [AdyenBackend.savedInstrument: AdyenBackend.savedCustomer]
        /// What was answered under a key, for the back office does everything once.
        var answers: [String: JSON] = [:]
        /// Items that were decided and not yet sent, with their time.
        var outbox: [JSON] = []
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
        let psp: String
        /// The reference that the request carried.
        let reference: String
        let currency: String
        var held: Int64 = 0
        var captured: Int64 = 0
        var refunded: Int64 = 0
    }

    /// Something that was received and is decided later.
    struct Modification: Sendable {
        enum Kind: String, Sendable { case capture, refund, cancel, reversal, adjust, terminalRefund, cardRefund }

        let kind: Kind
        let psp: String
        let payment: String
        let reference: String
        let currency: String
        let amount: Int64
        let dueAt: Int64
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
            let at: Int64
            let message: JSON
            let category: String
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

    /// Works out everything that should have happened by now.
    static func advance(_ state: inout State, _ now: Int64) {
        for poiID in state.terminals.keys.sorted() { advance(poiID, &state, now) }
        for index in state.modifications.indices {
            let modification = state.modifications[index]
            if !modification.isDone, modification.dueAt <= now {
                decide(index, succeeds: true, &state, at: modification.dueAt)
            }
        }
    }

    private static func advance(_ poiID: String, _ state: inout State, _ now: Int64) {
        guard var terminal = state.terminals[poiID], var work = terminal.work else { return }
        let earliest = max(work.startedAt + cardMilliseconds, terminal.cardSince)
        if work.cardAt == nil, !work.isAborted, terminal.card != nil, now >= earliest { work.cardAt = earliest }
        terminal.work = work
        state.terminals[poiID] = terminal
        if let cardAt = work.cardAt {
            let end = cardAt + decisionMilliseconds - cardMilliseconds
            if now >= end {
                finish(poiID, work, decide(work, terminal.card ?? Card(), poiID, &state, end), &state, end)
            }
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
        remember(work.request, body, poiID, &state, at)
    }

    /// Keeps an answer for those who ask for it again.
    static func remember(
        _ request: NexoRequest, _ body: JSON, _ poiID: String, _ state: inout State, _ at: Int64
    ) {
        let message = request.reply(body)
        state.terminals[poiID]?.answers[request.key] = Terminal.Answer(
            at: at, message: message, category: request.category)
    }
}
