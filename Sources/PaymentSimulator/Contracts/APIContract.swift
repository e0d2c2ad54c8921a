public import PaymentBase
public import PaymentTransport

/// What one provider publishes about its messages: which belongs to which call, and what may be in each.
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

/// What may be at one place of a message, as a published description has it.
struct ContractShape: Sendable {
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt8
        static let string = Kinds(rawValue: 1)
        static let integer = Kinds(rawValue: 2)
        static let number = Kinds(rawValue: 4)
        static let bool = Kinds(rawValue: 8)
        static let object = Kinds(rawValue: 16)
        static let array = Kinds(rawValue: 32)
        static let null = Kinds(rawValue: 64)
        static let any = Kinds(rawValue: 128)
    }

    struct Member: Sendable {
        let isRequired: Bool
        let shape: ContractShape
    }

    var kinds: Kinds
    /// The members of an object; nil where none are described.
    var members: [String: Member]?
    /// Members by the beginning of their name.
    var beginnings: [(text: String, member: Member)] = []
    /// What a list holds: one shape, or none where nothing is described.
    var item: [ContractShape] = []
    var words: Set<String> = []
    /// Limits in millionths, or of a length or count.
    var low: Int64?
    var high: Int64?
    var isInstant = false
    var isNullable = false
    /// Whether only an example is known, so that what is not in it is not forbidden.
    var isExample = false

    init(_ kinds: Kinds = []) { self.kinds = kinds }

    /// The member of an object under a name.
    func member(_ name: String) -> Member? {
        members?[name] ?? beginnings.first { name.hasPrefix($0.text) }?.member
    }

    /// The names that must be there.
    var required: [String] { (members ?? [:]).filter(\.value.isRequired).map(\.key).sorted() }
}

/// One message on its way, with the name under which it is described.
public struct ContractMessage: Sendable {
    /// Who said it.
    public let side: ContractViolation.Side
    /// The call or the occasion, as a reader knows it: `POST /v72/payments`.
    public let call: String
    /// The name in the tables; nil where no document describes it.
    public let name: String?
    /// What it says; nil where there is nothing to read.
    public let body: JSON?
    /// What is wrong with it beside its body.
    public var faults: [String] = []

    /// Names a message.
    public init(_ side: ContractViolation.Side, _ call: String, _ name: String?, _ body: JSON?) {
        (self.side, self.call, self.name, self.body) = (side, call, name, body)
    }
}

/// Reads the language of ``ContractData``. What it can't read is a mistake of `Scripts/contracts`, which a test finds.
struct ContractParser {
    private let bytes: [UInt8]
    private var place = 0
    private var named: [String: ContractShape] = [:]

    private init(_ text: String) { bytes = text.utf8.filter { $0 != UInt8(ascii: "\n") } }

    /// The messages of a text by name.
    static func messages(_ text: String) -> [String: ContractShape] {
        var parser = ContractParser(text)
        while parser.place < parser.bytes.count {
            let name = parser.text(until: "=")
            parser.take("=")
            parser.named[name] = parser.shape()
            parser.take(";")
        }
        return parser.named.filter { !$0.key.hasPrefix("#") }
    }

    private func sees(_ character: UnicodeScalar) -> Bool {
        place < bytes.count && bytes[place] == UInt8(ascii: character)
    }

    /// Steps over a character, if it is there.
    @discardableResult
    private mutating func takes(_ character: UnicodeScalar) -> Bool {
        guard sees(character) else { return false }
        place += 1
        return true
    }

    private mutating func take(_ character: UnicodeScalar) {
        precondition(takes(character), "the tables have no \(character) at \(place)")
    }

    private mutating func text(until ends: UnicodeScalar...) -> String {
        let start = place
        while place < bytes.count, !ends.contains(where: sees) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func shape() -> ContractShape {
        if sees("#") { return named[text(until: ",", "}", "]", ";")] ?? ContractShape(.any) }
        var shape = ContractShape()
        if takes("{") { object(&shape) }
        if takes("[") {
            shape.kinds.insert(.array)
            shape.item = [self.shape()]
            take("]")
        }
        while place < bytes.count, let kind = Self.kinds[bytes[place]] {
            shape.kinds.insert(kind)
            place += 1
        }
        if takes("<") {
            repeat { shape.words.insert(text(until: "|", ">")) } while takes("|")
            take(">")
        }
        if takes("(") {
            let isCounted = shape.kinds.isDisjoint(with: [.integer, .number])
            shape.low = limit(text(until: ":"), isCounted)
            take(":")
            shape.high = limit(text(until: ")"), isCounted)
            take(")")
        }
        (shape.isInstant, shape.isNullable, shape.isExample) = (takes("@"), takes("?"), takes("^"))
        return shape
    }

    private mutating func object(_ shape: inout ContractShape) {
        shape.kinds.insert(.object)
        var members: [String: ContractShape.Member] = [:]
        while !takes("}") {
            let name = text(until: "=", "!")
            let isRequired = takes("!")
            take("=")
            let member = ContractShape.Member(isRequired: isRequired, shape: self.shape())
            if name.hasSuffix("*") {
                let begin = String(name.prefix { $0 != "*" })
                shape.beginnings.append((begin, member))
            } else {
                members[name] = member
            }
            takes(",")
        }
        shape.members = members
    }

    private func limit(_ text: String, _ isCounted: Bool) -> Int64? {
        isCounted ? Int64(text) : (try? JSONNumber(text))?.scaled(places: ContractCheck.places)
    }

    private static let kinds: [UInt8: ContractShape.Kinds] = [
        UInt8(ascii: "s"): .string, UInt8(ascii: "i"): .integer, UInt8(ascii: "n"): .number, UInt8(ascii: "b"): .bool,
        UInt8(ascii: "a"): .any, UInt8(ascii: "o"): .object, UInt8(ascii: "l"): .array, UInt8(ascii: "z"): .null,
    ]
}

/// The published interface of one provider as text, as `Scripts/contracts` makes it.
///
/// `tables` holds the messages, each as `name=shape;`, with `#number=shape;` for what comes twice:
///
/// | text | what may be there |
/// |---|---|
/// | `s i n b a o l z` | a text, a whole number, a number, a truth value, anything, any object, any list, null |
/// | `{name=…,name!=…,begin*=…}` | an object with these members; `!` is required, `*` is the rest of a name |
/// | `[…]` | a list of these |
/// | `<one|two>` | one of these words |
/// | `(1:80)` | a number, a text's length or a list's count in these limits |
/// | `@` `?` `^` | a text that is an instant; null is allowed; only an example is known |
///
/// `bindings` says which message belongs to which call: `METHOD|path|request|status=answer,…|query,…;`. `-` is nothing,
/// `*` is something that no document describes.
struct ContractData: Sendable {
    let tables: [String]
    let bindings: String
}
