internal import PaymentBase

/// What may stand at one place of a message, as a published description has it.
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
