internal import PaymentBase
public import PaymentTransport

/// What one provider publishes about its messages: which belongs to which call, and what may stand in each.
public struct APIContract: Sendable {
    private struct Binding: Sendable {
        let method: String
        let pattern: RoutePattern
        let request: String
        let answers: [(status: String, message: String)]
        /// The fields of the query, each with whether it must be there; nil where they are not described.
        let query: [String: Bool]?
    }

    private let shapes: [String: ContractShape]
    private let bindings: [Binding]

    init(_ text: ContractData) {
        shapes = ContractParser.messages(text.tables.joined())
        bindings = text.bindings.filter { $0 != "\n" }.split(separator: ";").map { Self.binding(String($0)) }
    }

    private static func binding(_ line: String) -> Binding {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let pattern = RoutePattern(parts[1]) else { preconditionFailure("no binding: \(line)") }
        let answers = parts[3].split(separator: ",").map { answer in
            let pair = answer.split(separator: "=", maxSplits: 1).map(String.init)
            return (status: pair[0], message: pair[1])
        }
        let fields = parts[4].split(separator: ",").map { field in
            (String(field.prefix { $0 != "!" }), field.hasSuffix("!"))
        }
        return Binding(
            method: parts[0], pattern: pattern, request: parts[2], answers: answers,
            query: parts[4] == "-" ? nil : Dictionary(fields) { first, _ in first })
    }

    /// How many messages are described.
    public var messageCount: Int { shapes.count }

    /// The calls that are described, each as a reader knows it.
    public var calls: [String] { bindings.map { "\($0.method) \($0.pattern.text)" } }

    /// Whether a message is described.
    public func describes(_ name: String) -> Bool { shapes[name] != nil }

    /// Everything that a message says against its description.
    func findings(_ message: ContractMessage) -> [ContractCheck.Finding] {
        let faults = message.faults.map { ContractCheck.Finding(member: "", rule: $0) }
        guard let name = message.name, let body = message.body, let shape = shapes[name] else { return faults }
        return faults + ContractCheck.findings(body, shape)
    }

    /// The messages of one exchange by the table of calls.
    public func messages(_ request: HTTPRequest, _ answer: HTTPResponse?) -> [ContractMessage] {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let pieces = RoutePattern.pieces(of: parts.first ?? "") else { return [] }
        let fitting = bindings.filter { $0.method == request.method && $0.pattern.match(pieces) != nil }
        guard let first = fitting.first else { return [] }
        let binding = fitting.dropFirst().reduce(first) { $1.pattern.isMoreExact(than: $0.pattern) ? $1 : $0 }
        let call = "\(binding.method) \(binding.pattern.text)"
        var asked = Self.message(.client, call, binding.request, request.body)
        asked.faults += Self.faults(parts.count > 1 ? String(parts[1]) : "", binding.query)
        guard let answer else { return [asked] }
        let status = String(answer.status)
        let classed = "\(status.prefix(1))xx"
        guard let found = binding.answers.first(where: { [status, classed, "*"].contains($0.status) }) else {
            var told = ContractMessage(.provider, call, nil, nil)
            told.faults = ["status \(status) is not described"]
            return [asked, told]
        }
        return [asked, Self.message(.provider, "\(call) \(status)", found.message, answer.body)]
    }

    private static func message(
        _ side: ContractViolation.Side, _ call: String, _ name: String, _ body: [UInt8]
    ) -> ContractMessage {
        if name == "*" { return ContractMessage(side, call, nil, nil) }
        if name == "-" {
            var message = ContractMessage(side, call, nil, nil)
            if side == .client, !body.isEmpty { message.faults = ["a body where none is described"] }
            return message
        }
        let json = try? JSONReader().read(body)
        var message = ContractMessage(side, call, name, json)
        if json == nil { message.faults = ["no JSON"] }
        return message
    }

    private static func faults(_ query: String, _ known: [String: Bool]?) -> [String] {
        guard let known, let fields = FormEncoding.decode(query) else { return [] }
        let given = Set(fields.map(\.name))
        let missing = known.filter { $0.value && !given.contains($0.key) }.keys.sorted()
        return missing.map { "\($0) is missing in the query" }
            + given.filter { known[$0] == nil }.sorted().map { "\($0) is not described in the query" }
    }
}

extension APIContract {
    /// The published interfaces, each read when it is first asked for.
    static let adyen = APIContract(ContractData.adyen)
    static let arise = APIContract(ContractData.arise)
    static let ecommpay = APIContract(ContractData.ecommpay)
    static let halo = APIContract(ContractData.halo)
    static let ni = APIContract(ContractData.ni)
}
