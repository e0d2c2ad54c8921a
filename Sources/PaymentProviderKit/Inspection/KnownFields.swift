public import PaymentBase

/// The names that a provider's documents have for members, to tell what they don't name.
public struct KnownFields: Sendable {
    private let names: Set<String>
    private let open: Set<String>
    private let ignoresCase: Bool

    /// Takes names, with white space in between.
    ///
    /// - Parameters:
    ///   - open: Members whose own members have names that no document lists.
    ///   - ignoresCase: Whether the provider writes its names in more than one way.
    public init(_ names: String, open: String = "", ignoresCase: Bool = false) {
        func set(_ text: String) -> Set<String> {
            Set(text.split(whereSeparator: \.isWhitespace).map { ignoresCase ? $0.lowercased() : String($0) })
        }
        self.ignoresCase = ignoresCase
        self.open = set(open)
        self.names = set(names).union(self.open)
    }

    /// The paths from the root of all members that are not listed, with dots in between, in their order.
    public func unknown(in json: JSON) -> [String] { unknown(in: json, under: "") }

    /// What a message says, each with what the documents don't name in it.
    public func noting(_ found: [Inspection], in json: JSON) -> [Inspection] {
        let unknown = unknown(in: json)
        return found.map { item in
            var item = item
            item.unknownFields = unknown
            return item
        }
    }

    private func unknown(in json: JSON, under path: String) -> [String] {
        func below(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch json {
        case .object(let object):
            return object.members.flatMap { member in
                let name = ignoresCase ? member.key.lowercased() : member.key
                guard names.contains(name) else { return [below(member.key)] }
                return open.contains(name) ? [] : unknown(in: member.value, under: below(member.key))
            }
        case .array(let items):
            return items.enumerated().flatMap { unknown(in: $1, under: below("\($0)")) }
        case .null, .bool, .number, .string: return []
        }
    }
}
