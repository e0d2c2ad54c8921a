internal import PaymentProviderKit

/// An error as `payctl` prints it: what is wrong and where, what is known of the money, and what to type next.
struct ErrorReport {
    private let error: PaymentError
    private let advised: AdvisedError
    private let call: Invocation

    init(_ error: PaymentError, _ call: Invocation) { self.init(AdvisedError(error), call) }

    init(_ advised: AdvisedError, _ call: Invocation) {
        (self.advised, error, self.call) = (advised, advised.error, call)
    }

    /// What is wrong, in a sentence.
    private var cause: String {
        let detail = call.placed(String(error.detail.drop { $0 == " " }))
        guard let diagnosis = error.diagnosis, !detail.contains(diagnosis.description) else { return detail }
        // What the journal's error says of its file is said once.
        if diagnosis.step == .journal, let host = diagnosis.host, detail.contains(host) { return detail }
        return [detail, diagnosis.description].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// What is known of the money.
    private var money: String {
        switch error.outcome {
        case .unknown where error.code == .notFound && error.attempt == nil:
            "Whether money moved under that name, this journal can't tell."
        case .notExecuted:
            isOfEarlier
                ? "This call moved nothing; whether the earlier one did is not known."
                : "Nothing moved."
        case .executed: "Money has moved already."
        case .unknown: "It is not known yet whether money moved. Do not charge again."
        }
    }

    /// Whether the command moves no money and the error is about no attempt: then nothing is said of an outcome, which a
    /// program would take for an answer about a payment.
    private var isAboutNoPayment: Bool {
        !call.takesAttempt && error.attempt == nil && error.outcome == .notExecuted
    }

    /// Whether the doubt is about an earlier payment.
    private var isOfEarlier: Bool { error.code == .inDoubt || error.isBlockedByOpen }

    /// The command to type next; nil where no command helps.
    private var next: String? {
        if let next = advised.next { return next }
        if error.outcome == .unknown, let attempt = error.attempt {
            return call.command("status --attempt \(attempt)")
        }
        if error.outcome == .executed || error.code == .referenceInUse, let attempt = error.attempt {
            return call.command("status --attempt \(attempt)")
        }
        switch error.code {
        case .inDoubt: return call.command("recover")
        case .network, .providerUnavailable, .rateLimited, .authentication, .permission, .timedOut:
            return call.command("doctor")
        case .configuration:
            if CommandFile.isThere(call.configurationPath) { return call.command("doctor") }
            // Without a file everything is simulated, and no file would help.
            return call.isBuiltin ? nil : "payctl init"
        case .unsupported: return call.command("providers")
        case .notFound: return call.command("list")
        case .amountTooHigh, .conflict:
            // What became of a call that moved nothing is known; the state of its payment is what helps.
            if error.outcome == .notExecuted, call.takesPayment {
                return call.operand(0).map { call.command("show \($0)") }
            }
            if let attempt = error.attempt { return call.command("status --attempt \(attempt)") }
            return call.operand(0).map { call.command("show \($0)") }
        case .journal: return call.command("journal check")
        default: return nil
        }
    }

    /// The same command once more, where that can't move money twice.
    private var again: String? {
        if let again = advised.again { return again }
        guard error.outcome == .unknown, call.takesAttempt, let attempt = error.attempt else { return nil }
        return call.again(attempt)
    }

    var json: JSON {
        [
            "code": .string(error.code.rawValue), "outcome": isAboutNoPayment ? .null : .string(error.outcome.rawValue),
            "retry": .string(error.retry.rawValue), "userAction": .bool(error.requiresUserAction),
            "message": .string(error.message), "detail": .string(MaskedMessage.of(cause)),
            "attempt": .text(error.attempt?.text),
            "provider": error.provider.map { ["code": .string($0.code), "message": .string($0.message)] } ?? .null,
            "host": .text(error.diagnosis?.host), "step": .text(error.diagnosis?.step.rawValue),
            "cause": .text(error.diagnosis?.cause.rawValue), "reason": .text(error.diagnosis?.reason),
            "next": .text(next.map(MaskedMessage.of)), "again": .text(again.map(MaskedMessage.of)),
        ]
    }

    /// What people read.
    var lines: [String] {
        let paint = call.paint
        let parts = (cause.isEmpty ? "no more is known" : cause).split(separator: "\n").map(String.init)
        var lines = ["\(paint.bad(error.code.rawValue)): \(parts.first ?? "")"] + parts.dropFirst().map { "  " + $0 }
        if let provider = error.provider { lines.append("the provider says: \(provider)") }
        if !isAboutNoPayment {
            lines.append(error.outcome == .notExecuted && !isOfEarlier ? money : paint.doubt(money))
        }
        if let next { lines.append("next       \(next)") }
        if let again { lines.append("repeat     \(again)") }
        if error.outcome == .unknown, error.attempt != nil {
            let recover = call.command("recover")
            lines.append(
                "The attempt is open, and this program looks no further: `\(recover)` does, for all that is open.")
        }
        return lines
    }
}

extension Invocation {
    /// Whether the command is one that can be repeated under its attempt.
    var takesAttempt: Bool { takes("attempt") && words.first != "status" }

    /// Whether the command is about a payment that it names first.
    fileprivate var takesPayment: Bool {
        itself?.takes.operands.first?.hasPrefix("PAYMENT") == true && !given.has("unlinked")
    }

    /// Whether the command has an option.
    fileprivate func takes(_ name: String) -> Bool {
        itself?.takes.options.contains { $0.name == name } ?? false
    }

    private var itself: Command? {
        Payctl.commands.first { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
    }
}

/// What the exit status of a command means; one number for each thing that a program does next.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case fine = 0
    /// Declined or cancelled, or a check failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
    /// The outcome is unknown; goes before all others.
    case unknown = 3
    /// The provider was not reached or did not take it, and nothing moved.
    case unreached = 4
    /// What is recorded, here or there, does not allow it, or shows that the money of a repeated sale went back or may; this
    /// call moved nothing.
    case refused = 5
    /// Received, and decided later.
    case pending = 6

    /// What `--help` says about it.
    var summary: String {
        switch self {
        case .fine: "fine"
        case .failed: "declined or cancelled, or a check failed"
        case .usage: "wrong usage or configuration"
        case .unknown: "it is not known whether money moved: don't charge again, ask"
        case .unreached: "the provider didn't take it, and nothing moved"
        case .refused: "refused by what is recorded: a conflict, more than is left, not found; or money went back"
        case .pending: "received, and decided later"
        }
    }

    /// The status of an error: what is unknown comes first.
    init(_ error: PaymentError) {
        // The earlier payment may have been executed: a caller that reads another status might charge in another way.
        let isUnknown = error.outcome == .unknown || error.isBlockedByOpen
        self = isUnknown ? .unknown : Self.byCode[error.code] ?? .refused
    }

    /// The codes that don't mean a refusal, when nothing moved.
    private static let byCode: [PaymentError.Code: ExitStatus] = {
        let groups: [(ExitStatus, [PaymentError.Code])] = [
            (.failed, [.cancelled, .questionUnanswered, .signatureInvalid, .termsNotAccepted]),
            (
                .usage,
                [
                    .configuration, .invalidRequest, .unsupported, .authentication, .permission, .journal,
                    .deviceUnsupported, .deviceCompromised, .locationRequired, .accountNotLinked,
                ]
            ),
            // The earlier attempt may have moved money: a caller that sees another number might charge by other means.
            (.unknown, [.inDoubt]),
            (
                .unreached,
                [
                    .network, .providerUnavailable, .rateLimited, .timedOut, .notReceived, .providerFailed,
                    .unreadableReply,
                    .readerUnavailable, .readerBusy,
                ]
            ),
        ]
        var codes: [PaymentError.Code: ExitStatus] = [:]
        for (status, members) in groups { for code in members { codes[code] = status } }
        return codes
    }()

    /// The status of a result; what is only received may still come to nothing.
    init(_ result: PaymentResult) {
        switch result {
        case .approved: self = .fine
        case .declined, .cancelled: self = .failed
        case .pending: self = .pending
        }
    }

    /// What `--help` says about all of them.
    static var help: [String] {
        ["Exit status:"] + allCases.map { "  \($0.rawValue)  \($0.summary)" }
    }
}

extension PaymentError {
    /// Whether this call did nothing because it is not decided yet what became of an earlier payment under its reference.
    var isBlockedByOpen: Bool {
        guard code == .referenceInUse, let state else { return false }
        return state == .running || state == .inDoubt || state == .pending
    }
}

/// A command line that can't be understood.
struct UsageError: Error {
    let message: String

    /// The error of a name that is none of those that there are; the nearest is suggested.
    static func unknown(_ what: String, _ name: String, of names: [String]) -> UsageError {
        unknown(what, name, of: names, near: SpellingSuggestion.of(name, in: names))
    }

    /// The error of a scope that has no attempt.
    static func unknownScope(_ name: String, of names: [String]) -> UsageError {
        guard !names.isEmpty else { return UsageError(message: "there is no scope \(name); no scope has an attempt") }
        let isDefaultAlone = names == [""]
        guard !isDefaultAlone else {
            return UsageError(
                message: "there is no scope \(name); there is only the default one, typed as --scope \"\"")
        }
        return unknown("scope", name, of: names.map { $0.isEmpty ? "\"\" (the default one)" : $0 })
    }

    /// The same, where it is known which one was meant.
    static func unknown(_ what: String, _ name: String, of names: [String], near: String?) -> UsageError {
        // A name that is off by a letter needs no list, and a long one would hide the answer.
        if let near { return UsageError(message: "there is no \(what) \(name); did you mean \(near)?") }
        return UsageError(message: "there is no \(what) \(name); there are \(names.joined(separator: ", "))")
    }
}

extension Sequence {
    /// The named one; without it, the error lists the names or suggests the nearest.
    func picked(_ name: String, _ what: String, by key: (Element) -> String) throws(UsageError) -> Element {
        if let one = first(where: { key($0) == name }) { return one }
        throw .unknown(what, name, of: map(key))
    }
}

extension Invocation {
    /// The name of the command that accepts a restored journal, as messages of the journal have it.
    private static let acceptance = "journal accept-restored"

    /// A message of the journal with its command as it has to be typed here: without its place it would be about another
    /// journal.
    func placed(_ message: String) -> String {
        message.replacing("payctl \(Self.acceptance)", with: command(Self.acceptance))
    }
}

/// An error of a payment with what a command knows beyond it: the status and the command to type next, where they don't
/// follow from the error.
struct AdvisedError: Error {
    let error: PaymentError
    var status: ExitStatus?
    /// The command to type next.
    var next: String?
    /// The command that asks for the very same again.
    var again: String?

    init(_ error: PaymentError, status: ExitStatus? = nil, next: String? = nil, again: String? = nil) {
        (self.error, self.status, self.next, self.again) = (error, status, next, again)
    }
}

/// A message in which a typed card number and the login of an address are masked, while ids and amounts can still be read and typed.
enum MaskedMessage {
    static func of(_ message: String) -> String {
        // Ids and amounts are aside, and come back once everything else was looked through.
        var (kept, shown) = ([String](), [String]())
        let message = Masking.logins(in: message)
        guard let mark = freeMark(in: message) else { return Masking.cardNumbers(in: message) }
        let words = message.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for (index, word) in words.enumerated() {
            let core = word.trimmed
            let isAmount = isDecimal(core) && index + 1 < words.count && isCode(words[index + 1].trimmed)
            guard isUUID(core) || isAmount else {
                shown.append(word)
                continue
            }
            kept.append(core)
            shown.append(word.replacing(core, with: String(mark), maxReplacements: 1))
        }
        var left = kept[...]
        return Masking.cardNumbers(in: shown.joined(separator: " ")).map { character in
            character == mark ? left.popFirst() ?? "" : String(character)
        }.joined()
    }

    /// A letter of no language that the text does not have; nil if it has them all. One that the text has would take what was
    /// put aside: U+F8FF is the apple of some keyboards.
    private static func freeMark(in text: String) -> Character? {
        let taken = Set(text.unicodeScalars.map(\.value))
        let free = (UInt32(0xE000)...0xF8FF).reversed().first { !taken.contains($0) }
        return free.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// Digits with decimals behind a full stop, which no card number has.
    private static func isDecimal(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { "0123456789".contains($0) } }
    }

    private static func isCode(_ text: String) -> Bool {
        text.count == 3 && text.allSatisfy { ("A"..."Z").contains($0) }
    }
}

extension String {
    /// Without the marks that a sentence puts around a word.
    fileprivate var trimmed: String {
        let marks = "\"'`,;:()."
        let front = drop { marks.contains($0) }
        return String(front.reversed().drop { marks.contains($0) }.reversed())
    }
}

/// Counts the exchanges of a command with providers.
final class RequestWatch: Sendable {
    /// How many exchanges there were, by whether the provider dealt with the request.
    struct Counts: Sendable {
        var answered = 0
        /// Those without an answer, and those answered by no more than "later" or "not you".
        var unanswered = 0
    }

    private let counted = Locked(Counts())

    /// How many exchanges there were until now.
    var counts: Counts { counted.withLock { $0 } }

    /// A transport whose exchanges are counted.
    func over(_ inner: any HTTPTransport) -> any HTTPTransport { WatchedTransport(inner: inner, watch: self) }

    /// Counts an exchange by the status of its answer; nil where there was none.
    fileprivate func count(_ status: Int?) {
        counted.withLock { counts in
            switch status {
            case nil, 401, 403, 429, .some(500...): counts.unanswered += 1
            case .some: counts.answered += 1
            }
        }
    }
}

/// Carries requests as another transport does, and counts them.
private struct WatchedTransport: HTTPTransport {
    let inner: any HTTPTransport
    let watch: RequestWatch

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        do throws(TransportFailure) {
            let response = try await inner.send(request)
            watch.count(response.status)
            return response
        } catch {
            watch.count(nil)
            throw error
        }
    }
}

/// Remembers of which attempt a command told that it moved money or may have, and whether the program was asked to
/// stop.
final class OpenAttemptTracker: Sendable {
    private let told = Locked<AttemptID?>(nil)
    private let stopped = Locked(false)

    /// The attempt whose answer must be received; nil where nothing moved.
    var attempt: AttemptID? { told.withLock { $0 } }

    /// Whether the program was asked to stop.
    var isStopped: Bool { stopped.withLock { $0 } }

    /// Money moved by an attempt, or may have.
    func mayHaveMoved(_ attempt: AttemptID) { told.withLock { $0 = attempt } }

    /// The program was asked to stop.
    func stop() { stopped.withLock { $0 = true } }
}
