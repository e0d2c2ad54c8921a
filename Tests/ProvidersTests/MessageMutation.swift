import PaymentAbstraction
import PaymentBase
import Testing

@testable import PaymentProviderKit

/// Cuts things out of messages and writes things into them.
struct MessageMutation {
    let words: [JSON]
    var random: SeededRandom

    init(seed: UInt64, words: [JSON]) {
        self.words = words + ["", "teleported", .null, 0, -1, 1, true, [], [:], "XXX", "EUR"]
        random = SeededRandom(seed: seed)
    }

    /// Judges changed and torn copies of a sample; tells of each inspection, with what it was made of where it is JSON.
    mutating func judge(
        _ inspector: any Inspector, _ sample: String, rounds: Int, _ tell: (Inspection, JSON?, String) -> Void
    ) throws -> Int {
        let json = try JSONReader().read(Array(sample.utf8))
        var count = 0
        for _ in 0..<rounds {
            let mutated = mutate(json)
            for bytes in [mutated.bytes(), torn(mutated.bytes())] {
                count += 1
                let found = inspector.inspect(InspectedMessage(bytes))
                #expect(!found.isEmpty)
                for item in found { tell(item, try? JSONReader().read(bytes), String(decoding: bytes, as: UTF8.self)) }
            }
        }
        return count
    }

    private mutating func pick(_ count: Int) -> Int { Int(truncatingIfNeeded: random.next() >> 33) % max(1, count) }

    private mutating func word() -> JSON { words[pick(words.count)] }

    private mutating func mutate(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var changed = JSONObject()
            let (chosen, way) = (pick(object.members.count), pick(6))
            for (index, member) in object.members.enumerated() {
                switch index == chosen ? way : -1 {
                case 0: continue
                case 1: changed[member.key] = word()
                case 2: changed[member.key + "x"] = member.value
                case 3, 4, 5: changed[member.key] = mutate(member.value)
                default: changed[member.key] = member.value
                }
            }
            return .object(changed)
        case .array(let items):
            guard !items.isEmpty else { return word() }
            let chosen = pick(items.count)
            var changed: [JSON] = []
            for (index, item) in items.enumerated() { changed.append(index == chosen ? mutate(item) : item) }
            return .array(changed)
        case .null, .bool, .number, .string: return word()
        }
    }

    private mutating func torn(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var torn = bytes
        let position = pick(bytes.count)
        if pick(2) == 0 { return Array(bytes.prefix(position)) }
        torn[position] ^= UInt8(truncatingIfNeeded: random.next() & 0x0F) | 1
        return torn
    }
}

extension Inspector {
    /// The verdicts of a message, as `status/money`.
    func said(_ text: String, _ operation: PaymentOperation? = nil, status: Int? = nil) -> [String] {
        inspected(text, operation, status: status).map { "\($0.status.rawValue)/\($0.money.rawValue)" }
    }

    func inspected(
        _ text: String, _ operation: PaymentOperation? = nil, status: Int? = nil
    ) -> [Inspection] {
        var message = InspectedMessage(Array(text.utf8))
        (message.operation, message.httpStatus) = (operation, status)
        return inspect(message)
    }
}
