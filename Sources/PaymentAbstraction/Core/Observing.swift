internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

// What an observer sees of the client's work. Nothing here decides anything.

extension Services {
    /// The spans of work on an attempt; nil where no observer is set.
    func observation(
        of intent: Attempt.Intent?, _ provider: ProviderID?, scrub: @escaping @Sendable () -> SecretScrubber
    ) -> Observation? {
        guard let observer else { return nil }
        let clean: @Sendable (String) -> String = { Masking.cardNumbers(in: scrub()($0)) }
        var attributes: [ObservedAttribute] = []
        if let intent {
            attributes.append(ObservedAttribute(.operation, ObservedText(of: intent.operation)))
            if let id = ObservedText(attempt: intent.attempt.text) {
                attributes.append(ObservedAttribute(.attempt, id))
            }
        }
        if let provider {
            attributes.append(ObservedAttribute(.provider, ObservedText(provider.rawValue, scrubbedBy: clean)))
        }
        let subject = Observation.Subject(attempt: intent?.attempt.text, attributes)
        return Observation(observer, clock, random, subject, clean: clean)
    }

    /// Does a piece of work as a span of its own, whose requests are parts of it.
    func observed<Value>(
        _ name: ObservedSpan.Name, _ intent: Attempt.Intent?, _ provider: ProviderID?,
        _ secrets: @autoclosure () -> [Secret], _ body: () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        guard observer != nil else { return try await body() }
        let scrub = SecretScrubber(secrets())
        guard let observation = observation(of: intent, provider, scrub: { scrub }) else { return try await body() }
        let span = observation.begin(name)
        let result: Result<Value, PaymentError> = await RequestInFlight.$current.withValue(
            RequestInFlight(observation, within: .current)
        ) {
            do throws(PaymentError) { return .success(try await body()) } catch { return .failure(error) }
        }
        if case .failure(let error) = result { observation.end(span, error) } else { observation.end(span) }
        return try result.get()
    }
}

extension Observation {
    /// Ends the span of an operation.
    func end(_ span: Open, _ answer: AttemptRun.Answer) {
        switch answer {
        case .success(let result):
            end(span, [ObservedAttribute(.outcome, result.observed)], counting: .operations)
        case .failure(let error): end(span, error, counting: .operations)
        }
    }

    /// Ends the span of what failed: with what is known of the money, the code, and where and why.
    func end(_ span: Open, _ error: PaymentError, counting counter: ObservedCount.Counter? = nil) {
        let shown = [
            ObservedAttribute(.outcome, ObservedText(of: error.outcome)),
            ObservedAttribute(.code, error.code.observed),
        ]
        end(span, hasFailed: true, shown, counting: counter)
    }

    /// Ends the span of one try of a request about money.
    func end(_ span: Open, _ ending: Attempt.Request.Ending, _ code: PaymentError.Code? = nil) {
        var shown = [ObservedAttribute(.outcome, ObservedText(of: ending))]
        if let code { shown.append(ObservedAttribute(.code, code.observed)) }
        end(span, hasFailed: code != nil, shown, counting: .calls)
    }

    /// Ends the span in which the journal recorded something: with the state that it has now, and the evidence for it.
    func end(_ span: Open, _ answer: JournalAnswer?, counting counter: ObservedCount.Counter? = nil) {
        guard let attempt = answer?.attempt else {
            let outcome: ObservedText = answer == nil ? "notRecorded" : "refused"
            return end(span, hasFailed: true, [ObservedAttribute(.outcome, outcome)], counting: counter)
        }
        var shown = [ObservedAttribute(.outcome, ObservedText(of: attempt.state))]
        if let evidence = attempt.evidence { shown.append(ObservedAttribute(.evidence, evidence.observed)) }
        end(span, shown, counting: counter)
    }
}

extension PaymentError.Code {
    /// An open set: of what drivers and applications add, nothing is shown.
    fileprivate var observed: ObservedText { ObservedText(rawValue, among: Self.knownWords) }

    private static let knownWords = Set(known.map(\.rawValue))
}

extension PaymentResult {
    fileprivate var observed: ObservedText {
        switch self {
        case .approved: "approved"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .pending: "pending"
        }
    }
}

extension LookupResult {
    /// What a look came to.
    var observed: ObservedText {
        switch self {
        case .found(let verdict), .changed(let verdict):
            switch verdict {
            case .approved: "approved"
            case .declined: "declined"
            case .cancelled: "cancelled"
            case .pending: "pending"
            }
        case .repeated: "repeated"
        case .candidates: "candidates"
        case .notFound: "notFound"
        case .cannotTell: "cannotTell"
        }
    }
}

extension Attempt.Evidence {
    fileprivate var observed: ObservedText {
        switch self {
        case .reply: "reply"
        case .lookup: "lookup"
        case .webhook: "webhook"
        case .person: "person"
        case .imported: "imported"
        }
    }
}

extension PaymentEvent {
    /// Shows an event as a log record, and counts it. Its attributes can hold what others wrote, so that none is shown but the
    /// number of a try.
    func show(_ observer: any PaymentObserver) {
        let event = kind.observed
        let observation = RequestInFlight.current?.observation
        var shared: [ObservedAttribute] = []
        if let provider {
            let clean: (String) -> String = { Masking.cardNumbers(in: $0) }
            let name = observation?.cleaned(provider.rawValue) ?? ObservedText(provider.rawValue, scrubbedBy: clean)
            shared.append(ObservedAttribute(.provider, name))
        }
        var shown = shared
        if let id = attempt.flatMap({ ObservedText(attempt: $0.text) }) {
            shown.append(ObservedAttribute(.attempt, id))
        }
        if kind == .repeated, let number = attributes["try"].flatMap({ Int64($0) }) {
            shown.append(ObservedAttribute(.number, .number(number)))
        }
        observer.logged(ObservedRecord(at: at, event.severity, event: event.name, in: observation?.innermost, shown))
        observer.counted(
            ObservedCount(.events, shared + [ObservedAttribute(.event, event.name)]))
    }
}

extension PaymentEvent.Kind {
    /// The name and the severity of an event: of the client's own, and `other` for all that drivers and applications add.
    fileprivate var observed: (name: ObservedText, severity: ObservedRecord.Severity) {
        if let name = Self.ordinary[rawValue] { return (name, .info) }
        if let name = Self.unusual[rawValue] { return (name, .warning) }
        if let name = Self.urgent[rawValue] { return (name, .error) }
        return ("other", .info)
    }

    private static let ordinary = named([
        "begun", "submitted", "readerReady", "educationShown", "readyForCard", "cardRead", "pinRequested", "pinEntered",
        "asked", "answered", "waiting", "lookedUp", "approved", "declined", "cancelled", "pending", "webhook",
        "resolved",
        "accessRenewed",
    ])
    private static let unusual = named([
        "repeated", "readerFailed", "unanswered", "failed", "inDoubt", "failedLater", "otherAccount",
    ])
    private static let urgent = named([
        "notRecorded", "contradiction", "nameTaken", "otherAmount", "disputed", "activeTwice", "messagesDropped",
        "chargedBack",
    ])

    private static func named(_ names: [ObservedText]) -> [String: ObservedText] {
        Dictionary(uniqueKeysWithValues: names.map { ($0.description, $0) })
    }
}
