extension JSONPullReader {
    /// What has been built so far; a stack of its own, so that no function calls itself for a nested value.
    private struct Tree {
        /// An array or an object that is being filled.
        private struct Level {
            let isObject: Bool
            var array: [JSON] = []
            var object = JSONObject()
            /// The name of the member whose value comes next.
            var key = ""
        }

        /// The innermost level stands beside the stack: nearly everything happens there.
        private var level = Level(isObject: false)
        private var outer: [Level] = []

        /// The value that the outermost level, an array of our own, has got.
        var root: JSON { level.array.first ?? .null }

        mutating func open(_ isObject: Bool) {
            outer.append(level)
            level = Level(isObject: isObject)
        }

        /// Names the member whose value comes next.
        mutating func name(_ key: String) { level.key = key }

        mutating func close(_ duplicateKeys: JSONReadOptions.DuplicateKeys) {
            let value: JSON = level.isObject ? .object(level.object) : .array(level.array)
            level = outer.removeLast()
            add(value, duplicateKeys)
        }

        mutating func add(_ value: JSON, _ duplicateKeys: JSONReadOptions.DuplicateKeys) {
            guard level.isObject else {
                level.array.append(value)
                return
            }
            switch duplicateKeys {
            case .refuse: level.object.append(level.key, value)
            case .keepLast: level.object[level.key] = value
            }
        }
    }

    /// Reads the value that comes next, whatever it is.
    ///
    /// - Throws: `outOfTurn` when no value is due, or what is wrong with the text.
    public mutating func value() throws(JSONError) -> JSON {
        let depth = depth
        var tree = Tree()
        repeat {
            switch try peekType() {
            case .null: tree.add(try null(), options.duplicateKeys)
            case .bool: tree.add(.bool(try bool()), options.duplicateKeys)
            case .number: tree.add(.number(try number()), options.duplicateKeys)
            case .string: tree.add(.string(try string()), options.duplicateKeys)
            case .array:
                _ = try push(isObject: false)
                tree.open(false)
            case .object:
                _ = try push(isObject: true)
                tree.open(true)
            }
        } while try moveOn(&tree, above: depth)
        return tree.root
    }

    private mutating func null() throws(JSONError) -> JSON {
        _ = try skipNull()
        return .null
    }

    /// Moves to the next value inside the levels above `depth`, closing what ends on the way.
    private mutating func moveOn(_ tree: inout Tree, above depth: Int) throws(JSONError) -> Bool {
        while self.depth > depth {
            if try advance() {
                if current.isObject { tree.name(key) }
                return true
            }
            tree.close(options.duplicateKeys)
        }
        return false
    }
}
