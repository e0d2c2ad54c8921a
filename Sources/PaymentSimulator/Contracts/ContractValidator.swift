internal import PaymentBase
public import PaymentTransport

/// Holds everything that goes to simulated providers and comes from them against what their providers publish.
///
/// It changes nothing: it counts, and names what doesn't fit.
public final class ContractValidator: Sendable {
    /// What was heard.
    public struct Hearing: Sendable {
        /// How many messages were held against a description, by provider.
        public internal(set) var messageCounts: [String: Int] = [:]
        /// How often each described call or message was heard, by provider.
        public internal(set) var calls: [String: [String: Int]] = [:]
        /// What didn't fit, each with how often.
        public internal(set) var violations: [ContractViolation: Int] = [:]
        /// What is more than a published example shows, each with how often.
        public internal(set) var beyondExamples: [ContractViolation: Int] = [:]

        /// How many messages were held against a description.
        public var messageCount: Int { messageCounts.values.reduce(0, +) }
    }

    /// Who also hears everything that the connections carry which are laid meanwhile; nobody by default.
    @TaskLocal public static var chief: ContractValidator?

    private struct State: Sendable {
        var hearing = Hearing()
        /// The number of the last message of its own that was heard of each provider.
        var heard: [String: Int] = [:]
    }

    private let state = Locked(State())
    private let chief: ContractValidator?
    private let tell: @Sendable (ContractViolation) -> Void

    /// Makes a judge who has heard nothing; `tell` is called with each violation when it is heard first.
    public convenience init(_ tell: @escaping @Sendable (ContractViolation) -> Void = { _ in }) {
        self.init(nil, tell)
    }

    /// Makes a judge who has heard nothing, and who tells another one everything.
    public convenience init(under chief: ContractValidator?) { self.init(chief) { _ in } }

    private init(_ chief: ContractValidator?, _ tell: @escaping @Sendable (ContractViolation) -> Void) {
        (self.chief, self.tell) = (chief, tell)
    }

    /// What it has heard.
    public var hearing: Hearing { state.withLock { $0.hearing } }

    /// What didn't fit, each named once.
    public var violations: [ContractViolation] {
        hearing.violations.keys.sorted { "\($0)" < "\($1)" }
    }

    /// Hears one exchange, and what the provider has said by itself since.
    public func hear(_ provider: any SimulatedProvider, _ request: HTTPRequest, _ answer: SimulatorResponse) {
        guard let provider = provider as? any ContractedProvider else { return }
        note(provider, provider.described(request, answer.response))
        hear(provider)
    }

    /// Hears what a provider has said by itself since it was heard last.
    public func hear(_ provider: any SimulatedProvider) {
        guard let told = provider as? any WebhookSendingProvider, let provider = provider as? any ContractedProvider
        else {
            return
        }
        let entries = told.withOutbox { $0.entries }
        let last = state.withLock { state in
            let last = state.heard[provider.name, default: 0]
            state.heard[provider.name] = entries.last?.number ?? 0
            // Whoever was reset counts anew.
            return last > (entries.last?.number ?? 0) ? 0 : last
        }
        for entry in entries.suffix(while: { $0.number > last }) {
            guard let body = try? JSONReader().read(entry.message.body) else { continue }
            note(provider, provider.described(body))
        }
    }

    private func note(_ provider: any ContractedProvider, _ messages: [ContractMessage]) {
        let book = type(of: provider).contracts
        for message in messages {
            let findings = book.findings(message)
            record(provider.name, message, findings)
            chief?.record(provider.name, message, findings)
        }
    }

    private func record(_ provider: String, _ message: ContractMessage, _ findings: [ContractCheck.Finding]) {
        let new = state.withLock { state -> [ContractViolation] in
            var new: [ContractViolation] = []
            state.hearing.calls[provider, default: [:]][message.call, default: 0] += 1
            if message.name != nil { state.hearing.messageCounts[provider, default: 0] += 1 }
            for finding in findings {
                let violation = ContractViolation(
                    provider: provider, side: message.side, message: message.call, member: finding.member,
                    rule: finding.rule)
                if finding.isBeyondExample {
                    state.hearing.beyondExamples[violation, default: 0] += 1
                } else {
                    if state.hearing.violations.updateValue(
                        state.hearing.violations[violation, default: 0] + 1, forKey: violation) == nil
                    {
                        new.append(violation)
                    }
                }
            }
            return new
        }
        for violation in new { tell(violation) }
    }
}

extension Array {
    /// The longest end of which every element fits.
    fileprivate func suffix(while fits: (Element) -> Bool) -> ArraySlice<Element> {
        var start = endIndex
        while start > startIndex, fits(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
