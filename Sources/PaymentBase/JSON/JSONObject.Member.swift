extension JSONObject {
    /// One key with its value.
    public struct Member: Sendable, Hashable {
        /// The name.
        public let key: String
        /// What stands under it.
        public var value: JSON

        /// Makes a member.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }

        public static func == (one: Member, other: Member) -> Bool {
            one.key.isExactly(other.key) && one.value == other.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(text: key))
            hasher.combine(value)
        }
    }
}

extension JSONObject.Member: CustomStringConvertible, CustomReflectable {
    /// Nothing of the content.
    public var description: String { "JSONObject.Member" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
