public import PaymentBase
public import PaymentTransport

/// Holds everything that goes to simulated providers and comes from them against what their providers publish.
///
/// It changes nothing: it counts, and names what doesn't fit.
public final class ContractValidator: Sendable {
    /// What was received.
    public struct Hearing: Sendable {
        /// How many messages were compared with a description, by provider.
        public internal(set) var messageCounts: [String: Int] = [:]
        /// How often each described call or message was received, by provider.
        public internal(set) var calls: [String: [String: Int]] = [:]
        /// The names under which received messages are described, by provider.
        public internal(set) var named: [String: Set<String>] = [:]
        /// What didn't fit, each with how often.
        public internal(set) var violations: [ContractViolation: Int] = [:]
        /// What is more than a published example shows, each with how often.
        public internal(set) var beyondExamples: [ContractViolation: Int] = [:]

        /// How many messages were compared with a description.
        public var messageCount: Int { messageCounts.values.reduce(0, +) }
    }

    /// A second judge of all that connections carry which are opened in the meantime; none by default.
    @TaskLocal public static var chief: ContractValidator?

    private struct State: Sendable {
        var hearing = Hearing()
        /// The number of the last message of its own that was learnt of each provider.
        var heard: [String: Int] = [:]
    }

    private let state = Locked(State())
    private let chief: ContractValidator?
    private let tell: @Sendable (ContractViolation) -> Void

    /// Makes a judge who has received nothing; `tell` is called with each violation when it is received first.
    public convenience init(_ tell: @escaping @Sendable (ContractViolation) -> Void = { _ in }) {
        self.init(nil, tell)
    }

    /// Makes a judge that has received nothing, and that passes everything on to another one.
    public convenience init(under chief: ContractValidator?) { self.init(chief) { _ in } }

    private init(_ chief: ContractValidator?, _ tell: @escaping @Sendable (ContractViolation) -> Void) {
        (self.chief, self.tell) = (chief, tell)
    }

    /// What it has received.
    public var hearing: Hearing { state.withLock { $0.hearing } }

    /// What didn't fit, each named once.
    public var violations: [ContractViolation] {
        hearing.violations.keys.sorted { "\($0)" < "\($1)" }
    }

    /// Receives one exchange, and what the provider has said on its own since.
    public func hear(_ provider: any SimulatedProvider, _ request: HTTPRequest, _ answer: SimulatorResponse) {
        guard let provider = provider as? any ContractedProvider else { return }
        note(provider, provider.described(request, answer.response))
        hear(provider)
    }

    /// Receives what a provider has said on its own since it was received last.
    public func hear(_ provider: any SimulatedProvider) {
        guard let told = provider as? any WebhookSendingProvider, let provider = provider as? any ContractedProvider
        else {
            return
        }
        let entries = told.withOutbox { $0.entries }
        let last = state.withLock { state in
            let last = state.heard[provider.name, default: 0]
            state.heard[provider.name] = entries.last?.number ?? 0
            // A provider that was reset counts from the start.
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
            if let name = message.name {
                state.hearing.messageCounts[provider, default: 0] += 1
                state.hearing.named[provider, default: []].insert(name)
            }
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

extension ContractValidator.Hearing {
    /// What was received, in lines: how many messages, how many of the described calls, and everything that didn't fit.
    public var lines: [String] {
        let counts = messageCounts.sorted { $0.key < $1.key }.map { provider, count in
            let (heard, all) = coverage(provider)
            return "\(provider) \(count) (\(heard) of \(all) described calls)"
        }
        var lines = ["Contracts: \(messageCount) messages compared with what is published: \(list(counts))."]
        if !beyondExamples.isEmpty {
            lines.append("  \(beyondExamples.count) members are more than the published examples show.")
        }
        lines.append(violations.isEmpty ? "  No message differs." : "  \(violations.count) DIFFERENCES:")
        return lines + Self.sorted(violations).map { "  \($0.value)× \($0.key)" }
    }

    /// The same for programs.
    public var json: JSON {
        let providers = messageCounts.sorted { $0.key < $1.key }.map { provider, count -> JSON in
            let (heard, all) = coverage(provider)
            return [
                "id": .string(provider), "messages": .whole(count), "callsHeard": .whole(heard),
                "callsDescribed": .whole(all),
            ]
        }
        return [
            "messages": .whole(messageCount), "providers": .array(providers), "violations": Self.json(violations),
            "beyondExamples": Self.json(beyondExamples),
        ]
    }

    /// How many of a provider's described calls were received, and how many there are.
    public func coverage(_ provider: String) -> (heard: Int, all: Int) {
        let described = Set(SimulatorRegistry.contracts[provider]?.calls ?? [])
        return (described.intersection(calls[provider, default: [:]].keys).count, described.count)
    }

    private func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ", ") }

    private static func sorted(
        _ counts: [ContractViolation: Int]
    ) -> [(key: ContractViolation, value: Int)] { counts.sorted { "\($0.key)" < "\($1.key)" } }

    private static func json(_ counts: [ContractViolation: Int]) -> JSON {
        .array(
            sorted(counts).map { violation, count in
                [
                    "provider": .string(violation.provider), "side": .string(violation.side.rawValue),
                    "message": .string(violation.message), "member": .string(violation.member),
                    "rule": .string(violation.rule), "count": .whole(count),
                ]
            })
    }
}

extension SimulatorRegistry {
    /// What the providers publish about their messages, by provider.
    public static let contracts: [String: APIContract] = [
        "adyen": .adyen, "arise": .arise, "ecommpay": .ecommpay, "halo": .halo, "ni": .ni,
    ]
}

/// Compares one message with its shape; pure.
struct ContractCheck {
    /// What doesn't fit, and where.
    struct Finding: Hashable {
        let member: String
        let rule: String
        /// Whether it is only more than an example shows.
        var isBeyondExample = false

        fileprivate func inside(_ name: String) -> Finding {
            let path = member.isEmpty ? name : member.hasPrefix("[") ? name + member : "\(name).\(member)"
            return Finding(member: path, rule: rule, isBeyondExample: isBeyondExample)
        }
    }

    /// The places to which limits of numbers are compared.
    static let places = 6

    /// Everything in a message that its shape does not allow.
    static func findings(_ json: JSON, _ shape: ContractShape) -> [Finding] {
        if json.isNull {
            if shape.isNullable || !shape.kinds.isDisjoint(with: [.null, .any]) { return [] }
            return [Finding(member: "", rule: "null instead of \(shape.kinds.words)")]
        }
        guard fits(json, shape.kinds) else {
            return [Finding(member: "", rule: "\(kind(json)) instead of \(shape.kinds.words)")]
        }
        switch json {
        case .object(let object): return members(object, shape)
        case .array(let items):
            let inner = shape.item.first.map { item in
                items.flatMap { findings($0, item).map { $0.inside("[]") } }
            }
            return limits(Int64(items.count), shape, "items") + Set(inner ?? []).sorted { $0.member < $1.member }
        case .string(let text): return said(text, shape)
        case .number(let number):
            let wrong = number.scaled(places: places).map { limits($0, shape, "value") } ?? []
            return wrong + word(number.text, shape)
        case .null, .bool: return []
        }
    }

    private static func members(_ object: JSONObject, _ shape: ContractShape) -> [Finding] {
        guard shape.members != nil else { return [] }
        var findings: [Finding] = []
        for name in shape.required where object[name] == nil {
            findings.append(Finding(member: name, rule: "missing"))
        }
        for member in object.members {
            if let known = shape.member(member.key) {
                findings += Self.findings(member.value, known.shape).map { $0.inside(member.key) }
            } else {
                let rule = shape.isExample ? "not in the example" : "not described"
                findings.append(Finding(member: member.key, rule: rule, isBeyondExample: shape.isExample))
            }
        }
        return findings
    }

    private static func said(_ text: String, _ shape: ContractShape) -> [Finding] {
        var findings = limits(Int64(text.count), shape, "characters") + word(text, shape)
        if shape.isInstant, !isInstant(text) { findings.append(Finding(member: "", rule: "not written as an instant")) }
        return findings
    }

    /// An unlisted word is named only where it can be nothing but a word.
    private static func word(_ text: String, _ shape: ContractShape) -> [Finding] {
        // A script that plays an unlisted word says this one.
        guard !shape.words.isEmpty, !shape.words.contains(text), text != ReplyFalsifier.unknownWord else { return [] }
        let isPlain = text.count <= 40 && text.allSatisfy { $0.isLetter || $0 == "_" }
        return [Finding(member: "", rule: isPlain ? "\(text) is not listed" : "a word that is not listed")]
    }

    private static func limits(_ value: Int64, _ shape: ContractShape, _ what: String) -> [Finding] {
        if let low = shape.low, value < low { return [Finding(member: "", rule: "too small: \(what)")] }
        if let high = shape.high, value > high { return [Finding(member: "", rule: "too large: \(what)")] }
        return []
    }

    private static func fits(_ json: JSON, _ kinds: ContractShape.Kinds) -> Bool {
        if kinds.contains(.any) || kinds.isEmpty { return true }
        switch json {
        case .null: return kinds.contains(.null)
        case .bool: return kinds.contains(.bool)
        case .number(let number): return kinds.contains(.number) || kinds.contains(.integer) && isWhole(number)
        case .string: return kinds.contains(.string)
        case .array: return kinds.contains(.array)
        case .object: return kinds.contains(.object)
        }
    }

    private static func isWhole(_ number: JSONNumber) -> Bool { number.text.allSatisfy { $0.isNumber || $0 == "-" } }

    private static func kind(_ json: JSON) -> String {
        if case .number(let number) = json { return isWhole(number) ? "integer" : "number" }
        return "\(json.type)"
    }

    /// `2026-01-31T12:00:00`, with or without a fraction, and with a zone.
    private static func isInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count > pattern.count else { return false }
        for (byte, wanted) in zip(bytes, pattern) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if wanted == UInt8(ascii: "0") ? !isDigit : byte != wanted { return false }
        }
        let rest = text.dropFirst(pattern.count)
        let zone = rest.first == "." ? rest.dropFirst().drop { $0.isNumber } : rest
        if zone == "Z" { return true }
        let digits = zone.dropFirst().filter { $0 != ":" }
        return (zone.first == "+" || zone.first == "-") && digits.count == 4 && digits.allSatisfy(\.isNumber)
    }
}

extension ContractShape.Kinds {
    /// The kinds in words.
    var words: String {
        let names: [(ContractShape.Kinds, String)] = [
            (.object, "object"), (.array, "array"), (.string, "string"), (.integer, "integer"), (.number, "number"),
            (.bool, "bool"), (.null, "null"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}

/// A message that is not as a published description has it.
public struct ContractViolation: Hashable, Sendable, CustomStringConvertible {
    /// Who said it.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// The application's side, in a request.
        case client
        /// The simulated provider, in an answer or a message of its own.
        case provider
    }

    /// The provider whose interface it is.
    public let provider: String
    /// Who said it.
    public let side: Side
    /// The message, as the tables name it, or the call.
    public let message: String
    /// The member, with dots between the steps and `[]` for the items of a list; empty for the message itself.
    public let member: String
    /// What is broken.
    public let rule: String

    public var description: String {
        let who = side == .client ? "sent to" : "said by"
        return "\(message) \(who) \(provider): \(member.isEmpty ? "" : member + " ")\(rule)"
    }
}
