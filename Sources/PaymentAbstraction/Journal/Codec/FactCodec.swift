package import PaymentBase

/// Turns what a journal keeps into bytes and back, for whoever writes a store.
///
/// The bytes are JSON in a form that is packed, and the same always gives the same bytes; plain JSON, which earlier software
/// wrote, is read as well. What can't be read, a word that only newer software knows among it, throws: a store names that
/// attempt as unreadable and goes on with the others.
///
/// ```swift
/// let bytes = FactCodec.bytes(change.facts)       // one row per entry
/// let facts = try AttemptFacts(rows.flatMap { try FactCodec.facts($0) })
/// ```
public enum FactCodec {
    /// Facts in their order.
    public static func bytes(_ facts: [JournalFact]) -> [UInt8] { packed(.array(facts.map { json($0) })) }

    /// Reads facts.
    ///
    /// - Throws: ``Unreadable``.
    public static func facts(_ bytes: [UInt8]) throws(Unreadable) -> [JournalFact] {
        try reading(bytes) { json in
            guard let array = json.array else { throw Unreadable() }
            return try array.map { try fact($0) }
        }
    }

    /// A message that waits for a name.
    public static func bytes(_ notice: KeptNotice) -> [UInt8] { packed(json(notice)) }

    /// A message that waits for a name, as a person may read it.
    package static func json(_ notice: KeptNotice) -> JSON {
        [
            "provider": json(notice.provider), "name": .string(notice.name),
            "operations": .array(notice.operations.map(\.rawValue).sorted().map { .string($0) }),
            "word": .object(json(notice.word)),
        ]
    }

    /// Reads a message that waits for a name.
    ///
    /// - Throws: ``Unreadable``.
    public static func notice(_ bytes: [UInt8]) throws(Unreadable) -> KeptNotice {
        try reading(bytes) { json in
            var members = try CodecMembers(json)
            let provider = try account(members.json("provider"))
            let name = try members.text("name")
            let operations: [PaymentOperation] = try (members.json("operations").array ?? []).map { json in
                guard let word = json.string.flatMap(PaymentOperation.init) else { throw Unreadable() }
                return word
            }
            let word = try word(members.json("word"))
            try members.end()
            return KeptNotice(provider, name, Set(operations), word)
        }
    }

    /// Steps of timelines.
    public static func bytes(_ events: [PaymentEvent]) -> [UInt8] {
        packed(.array(events.map { .object(json($0)) }))
    }

    /// Reads steps of timelines.
    ///
    /// - Throws: ``Unreadable``.
    public static func events(_ bytes: [UInt8]) throws(Unreadable) -> [PaymentEvent] {
        try reading(bytes) { json in
            guard let array = json.array else { throw Unreadable() }
            return try array.map { try event($0) }
        }
    }

    /// An account as one text, by which a store can find what belongs to it: different accounts have different texts.
    public static func text(_ account: ProviderIdentity) -> String {
        String(decoding: json(account).bytes(), as: UTF8.self)
    }

    /// Reads an account.
    ///
    /// - Throws: ``Unreadable``.
    public static func account(_ text: String) throws(Unreadable) -> ProviderIdentity {
        try reading(Array(text.utf8)) { try account($0) }
    }

    /// Whatever goes wrong while something is read means that it can't be read.
    static func reading<Value>(_ bytes: [UInt8], _ body: (JSON) throws -> Value) throws(Unreadable) -> Value {
        do {
            guard PackedJSON.isPacked(bytes) else { return try body(JSONReader().read(bytes)) }
            return try body(PackedJSON.value(bytes, JournalWords.packed))
        } catch { throw Unreadable() }
    }

    static func packed(_ json: JSON) -> [UInt8] { PackedJSON.bytes(json, JournalWords.packed) }
}
