extension JSONPullReader {
    /// What has been built so far; a stack of its own, so that no function calls itself for a nested value.
    private struct Tree {
        var isObject: [Bool] = []
        var arrays: [[JSON]] = []
        var objects: [JSONObject] = []
        var keys: [String] = []
        var root = JSON.null

        mutating func open(_ isObject: Bool) {
            self.isObject.append(isObject)
            if isObject { objects.append(JSONObject()) } else { arrays.append([]) }
        }

        mutating func close(_ duplicateKeys: JSONReadOptions.DuplicateKeys) {
            let isObject = self.isObject.removeLast()
            add(isObject ? .object(objects.removeLast()) : .array(arrays.removeLast()), duplicateKeys)
        }

        mutating func add(_ value: JSON, _ duplicateKeys: JSONReadOptions.DuplicateKeys) {
            guard let isObject = isObject.last else {
                root = value
                return
            }
            guard isObject else {
                arrays[arrays.count - 1].append(value)
                return
            }
            let key = keys.removeLast()
            switch duplicateKeys {
            case .refuse: objects[objects.count - 1].append(key, value)
            case .keepLast: objects[objects.count - 1][key] = value
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
                if current.isObject { tree.keys.append(key) }
                return true
            }
            tree.close(options.duplicateKeys)
        }
        return false
    }
}
