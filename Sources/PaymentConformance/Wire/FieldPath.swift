public import PaymentBase

/// Names members of a JSON by their path: `amount.minorUnits`; `*` stands for any one step, `**` for any number.
public struct FieldPath: Hashable, Sendable, ExpressibleByStringLiteral {
    private let steps: [String]

    /// Reads a path, its steps separated by dots; a step of an array is its index.
    public init(_ text: String) { steps = text.split(separator: ".").map(String.init) }
    public init(stringLiteral value: String) { self.init(value) }

    /// Puts `change` in the place of every value that the path names; nil takes the member away.
    public func changing(_ json: JSON, _ change: (JSON) -> JSON?) -> JSON {
        Self.changing(json, steps[...], change) ?? .null
    }

    private static func changing(_ json: JSON, _ steps: ArraySlice<String>, _ change: (JSON) -> JSON?) -> JSON? {
        guard let step = steps.first else { return change(json) }
        let rest = steps.dropFirst()
        var given = json
        if step == "**" {
            guard let here = changing(json, rest, change) else { return nil }
            given = here
        }
        let next = step == "**" ? steps : rest
        switch given {
        case .null, .bool, .number, .string: return given
        case .array(let items):
            return .array(
                items.enumerated().compactMap { index, item in
                    step == "*" || step == "**" || step == String(index) ? changing(item, next, change) : item
                })
        case .object(let object):
            var changed = JSONObject()
            for member in object.members {
                let fits = step == "*" || step == "**" || step == member.key
                changed[member.key] = fits ? changing(member.value, next, change) : member.value
            }
            return .object(changed)
        }
    }

    /// Every member that is there, as one path each, from the outside in.
    public static func all(in json: JSON) -> [FieldPath] { paths(json).map { FieldPath($0.joined(separator: ".")) } }

    private static func paths(_ json: JSON) -> [[String]] {
        switch json {
        case .null, .bool, .number, .string: []
        case .array(let items):
            items.enumerated().flatMap { index, item in [[String(index)]] + paths(item).map { [String(index)] + $0 } }
        case .object(let object):
            object.members.flatMap { member in [[member.key]] + paths(member.value).map { [member.key] + $0 } }
        }
    }
}

extension FieldPath: CustomStringConvertible {
    public var description: String { steps.joined(separator: ".") }
}
