internal import PaymentBase
internal import PaymentModel

/// One thing that an operation takes: declared once, read by its type.
///
/// ```swift
/// extension Parameter where Value == Money {
///     static let amount = Parameter("amount", .money, "What is charged in all.", example: …)
/// }
/// let amount = try input.need(.amount)
/// ```
struct Parameter<Value: Sendable>: Sendable {
    let any: AnyParameter

    init(_ name: String, _ form: Form<Value>, _ summary: String, example: JSON) {
        any = AnyParameter(
            name: name, summary: summary, schema: form.schema, example: example,
            read: { json throws(FormError) in try form.read(json) },
            parse: { text throws(FormError) in try form.parse(text) })
    }
}

/// A parameter without the type of its value.
struct AnyParameter: Sendable {
    let name: String
    let summary: String
    let schema: JSON
    let example: JSON
    let read: @Sendable (JSON) throws(FormError) -> any Sendable
    let parse: @Sendable (String) throws(FormError) -> any Sendable
    /// Whether a request must bring it.
    var isRequired = false

    /// The schema of the member.
    var described: JSON {
        var object = schema.object ?? [:]
        object["description"] = .string(summary)
        object["examples"] = .array([example])
        return .object(object)
    }
}

/// What an operation takes.
struct Takes: Sendable {
    private(set) var parameters: [AnyParameter] = []

    /// Adds one that a request must bring.
    func needs<Value>(_ parameter: Parameter<Value>) -> Takes { adding(parameter.any, isRequired: true) }

    /// Adds one that a request may bring.
    func may<Value>(_ parameter: Parameter<Value>) -> Takes { adding(parameter.any, isRequired: false) }

    private func adding(_ parameter: AnyParameter, isRequired: Bool) -> Takes {
        var (all, one) = (self, parameter)
        one.isRequired = isRequired
        all.parameters.append(one)
        return all
    }
}

/// What a request brought: each value was read by its declaration.
struct Input: Sendable {
    private var values: [String: any Sendable] = [:]

    /// The value of a parameter; nil if the request did not bring it.
    subscript<Value>(parameter: Parameter<Value>) -> Value? { values[parameter.any.name] as? Value }

    /// The value of a parameter that must be there.
    func need<Value>(_ parameter: Parameter<Value>) throws(Problem) -> Value {
        if let value = self[parameter] { return value }
        throw .wrong("/\(parameter.any.name)", "The member is missing.")
    }

    /// Reads everything that a request brings: the path's segments, then the body of a POST or the query of a GET.
    init(
        _ declared: [AnyParameter], path: [String: String], query: [FormField], body: JSONObject?
    ) throws(Problem) {
        var fields: [Problem.Field] = []
        let byName = Dictionary(declared.map { ($0.name, $0) }) { first, _ in first }
        for (name, text) in path {
            // What can't be an id names nothing.
            guard let parameter = byName[name], let value = try? parameter.parse(text) else {
                throw .notFound(name)
            }
            values[name] = value
        }
        for field in query {
            let pointer = "?\(Pointer.escaped(field.name))"
            guard let parameter = byName[field.name], path[field.name] == nil, body == nil else {
                fields.append(.init(pointer: pointer, detail: "There is no such parameter."))
                continue
            }
            guard values[field.name] == nil else {
                fields.append(.init(pointer: pointer, detail: "The parameter is there twice."))
                continue
            }
            do throws(FormError) { values[field.name] = try parameter.parse(field.value) } catch {
                fields.append(.init(pointer: pointer, detail: error.detail))
            }
        }
        for member in body?.members ?? [] {
            let pointer = "/\(Pointer.escaped(member.key))"
            guard let parameter = byName[member.key], path[member.key] == nil else {
                fields.append(.init(pointer: pointer, detail: "There is no such member."))
                continue
            }
            // A member that is null is one that is not there.
            if member.value.isNull { continue }
            do throws(FormError) { values[member.key] = try parameter.read(member.value) } catch {
                fields.append(.init(pointer: pointer + error.below, detail: error.detail))
            }
        }
        let isBody = body != nil
        let wrong = Set(fields.map(\.pointer))
        for parameter in declared where parameter.isRequired && values[parameter.name] == nil {
            let pointer = "\(isBody ? "/" : "?")\(parameter.name)"
            if wrong.contains(where: { $0.hasPrefix(pointer) }) { continue }
            fields.append(.init(pointer: pointer, detail: "It is missing. \(parameter.summary)"))
        }
        guard let first = fields.first else { return }
        throw Problem(
            .invalidRequest, "The request is wrong at \(first.pointer). \(first.detail)",
            fields: Array(fields.prefix(Self.fieldsMax)))
    }

    /// How many wrong members an answer names.
    private static let fieldsMax = 20
}

/// Reads the body of a request.
enum BodyReader {
    private static let depthMax = 16

    /// The members of a body; an empty body has none.
    static func members(_ bytes: [UInt8]) throws(Problem) -> JSONObject {
        if bytes.isEmpty { return [:] }
        var options = JSONReadOptions()
        options.depthMax = depthMax
        let json: JSON
        do throws(JSONError) { json = try JSONReader(options: options).read(bytes) } catch {
            if error.kind == .duplicateKey, let pointer = doubled(bytes, options) {
                throw .wrong(pointer, "The member is there twice.")
            }
            throw Problem(
                .invalidRequest,
                "The body is no JSON text: \(error.kind) at line \(error.line), column \(error.column).",
                fields: [.init(pointer: "", detail: "\(error.kind) at byte \(error.offset)")])
        }
        guard let object = json.object else { throw .wrong("", "The body is a JSON object.") }
        return object
    }

    /// The pointer of the first member that is there twice.
    private static func doubled(_ bytes: [UInt8], _ options: JSONReadOptions) -> String? {
        var lenient = options
        lenient.duplicateKeys = .keepLast
        guard var reader = try? JSONPullReader(bytes, options: lenient) else { return nil }
        return try? find(&reader, "")
    }

    /// Looks for it in the next value; the options limit how deep that goes.
    private static func find(_ reader: inout JSONPullReader, _ place: String) throws(JSONError) -> String? {
        switch try reader.nextType() {
        case .object:
            var seen: Set<String> = []
            let level = try reader.enterObject()
            while try reader.nextMember(of: level) {
                let below = "\(place)/\(Pointer.escaped(reader.key))"
                guard seen.insert(reader.key).inserted else { return below }
                if let found = try find(&reader, below) { return found }
            }
        case .array:
            let level = try reader.enterArray()
            var index = 0
            while try reader.nextElement(of: level) {
                if let found = try find(&reader, "\(place)/\(index)") { return found }
                index += 1
            }
        case .null, .bool, .number, .string: try reader.skip()
        }
        return nil
    }
}
