internal import PaymentBase

/// A value of a configuration with the place where it stands.
struct ConfigurationNode {
    enum Value {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case text(String)
        case list([ConfigurationNode])
        case object([Member])
    }

    struct Member {
        let key: String
        /// How many bytes stand before the key's quote.
        let keyOffset: Int
        let node: ConfigurationNode
    }

    let value: Value
    /// How many bytes stand before the value.
    let offset: Int

    /// The text, if it is one.
    var text: String? {
        if case .text(let text) = value { return text }
        return nil
    }

    /// What stands there, in words.
    var found: String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): "the number \(Shown.plain(number.text))"
        case .text(let text): Shown.text(text)
        case .list(let nodes): nodes.isEmpty ? "an empty list" : "a list of \(nodes.count)"
        case .object(let members): members.isEmpty ? "an empty object" : "an object"
        }
    }

    /// The kind of what stands there and nothing of its content.
    var foundKind: String {
        switch value {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number (not shown)"
        case .text(let text): text.isEmpty ? "an empty text" : "a text (not shown)"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension ConfigurationNode {
    /// How deep a configuration may nest.
    static let depthMax = 8

    /// Reads a whole text.
    ///
    /// - Parameter path: The innermost value that was begun; after an error, the one that it is in.
    static func read(
        _ bytes: [UInt8], bytesMax: Int, path: inout String
    ) throws(JSONError) -> ConfigurationNode {
        var options = JSONReadOptions()
        (options.bytesMax, options.depthMax) = (bytesMax, depthMax)
        var reader = try JSONPullReader(bytes, options: options)
        let node = try ConfigurationNode(&reader, bytes, &path)
        try reader.end()
        return node
    }

    /// Reads the value that comes next; what it nests is bounded by the reader's depth.
    private init(_ reader: inout JSONPullReader, _ bytes: [UInt8], _ path: inout String) throws(JSONError) {
        let own = path
        let type = try reader.nextType()
        offset = reader.offset
        switch type {
        case .null:
            _ = try reader.skipNull()
            value = .null
        case .bool: value = .boolean(try reader.bool())
        case .number: value = .number(try reader.number())
        case .string: value = .text(try reader.string())
        case .array:
            var nodes: [ConfigurationNode] = []
            let level = try reader.enterArray()
            while try reader.nextElement(of: level) {
                path = "\(own)[\(nodes.count)]"
                nodes.append(try ConfigurationNode(&reader, bytes, &path))
                path = own
            }
            value = .list(nodes)
        case .object:
            var members: [Member] = []
            let level = try reader.enterObject()
            var before = reader.offset
            while try reader.nextMember(of: level) {
                let (key, keyOffset) = (reader.key, Self.quote(bytes, from: before))
                path = ConfigurationScan.path(own, key)
                let node = try ConfigurationNode(&reader, bytes, &path)
                path = own
                members.append(Member(key: key, keyOffset: keyOffset, node: node))
                before = reader.offset
            }
            value = .object(members)
        }
    }

    /// Where the next quote stands; between two members there is only white space and a comma.
    private static func quote(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? start
    }
}
