import PaymentBase

/// What must hold for any bytes whatever: all readers agree, and what was read is written and read again unchanged.
enum Trial {
    /// What two ways of reading did not agree on.
    enum Finding: Error, Sendable, Equatable {
        case checkDisagrees, walkDisagrees, laxerIsStricter, rewrittenDiffers, prettyDiffers
    }

    /// Tries one text; says whether it was accepted.
    static func run(_ bytes: [UInt8], choices: inout Mutator) throws(Finding) -> Bool {
        let read = Result { () throws(JSONError) in try JSONReader().read(bytes) }
        let check = Result { () throws(JSONError) in try JSONReader().check(bytes) }
        let walked = Result { () throws(JSONError) in try Self.walk(bytes, &choices) }
        switch read {
        case .failure(let error):
            guard case .failure(let other) = check, other == error else { throw .checkDisagrees }
            guard case .failure = walked else { throw .walkDisagrees }
            return false
        case .success(let value):
            guard case .success = check else { throw .checkDisagrees }
            guard case .success = walked else { throw .walkDisagrees }
            var lax = JSONReadOptions()
            lax.duplicateKeys = .keepLast
            guard (try? JSONReader(options: lax).read(bytes)) == value else { throw .laxerIsStricter }
            let compact = value.bytes()
            guard (try? JSONReader().read(compact)) == value else { throw .rewrittenDiffers }
            guard let pretty = try? JSONReader().read(value.bytes(layout: .pretty)), pretty.bytes() == compact else {
                throw .prettyDiffers
            }
            return true
        }
    }

    /// Reads a text with the pull reader the way a careless caller would: skipping, leaving early, asking twice.
    private static func walk(_ bytes: [UInt8], _ choices: inout Mutator) throws(JSONError) {
        var reader = try JSONPullReader(bytes)
        try visit(&reader, &choices, levels: 12)
        try reader.end()
    }

    private static func visit(
        _ reader: inout JSONPullReader, _ choices: inout Mutator, levels: Int
    ) throws(JSONError) {
        let choice = levels == 0 ? 1 : choices.below(8)
        if choice == 0 {
            _ = try reader.value()
            return
        }
        if choice == 1 {
            try reader.skip()
            return
        }
        switch try reader.nextType() {
        case .null: _ = try reader.skipNull()
        case .bool: _ = try reader.bool()
        case .number: _ = try reader.number()
        case .string: _ = try reader.string()
        case .array:
            let array = try reader.enterArray()
            while try reader.nextElement(of: array) {
                if choices.below(4) > 0 { try visit(&reader, &choices, levels: levels - 1) }
            }
        case .object:
            let object = try reader.enterObject()
            while try reader.nextMember(of: object) {
                _ = reader.isKey("a")
                _ = reader.key
                if choices.below(4) > 0 { try visit(&reader, &choices, levels: levels - 1) }
                _ = reader.isKey("Currency")
            }
        }
    }
}
