import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// How a stranger changes a message that he has seen, and the table of what that can do.
enum Replay {
    /// One way to change a value.
    static func changed(_ value: JSON) -> [JSON] {
        switch value {
        case .string(let text) where Timestamp(text) != nil:
            // Another moment that can be: a day before and half a day later.
            [-86_400_000, 43_200_000].compactMap { shift in
                Timestamp(text).flatMap { Timestamp(milliseconds: $0.milliseconds + shift) }.map { .string($0.text()) }
            } + [.string(text + "1"), .string(""), .null]
        case .string(let text): [.string(text + "1"), .string(""), .string(text == "true" ? "false" : "true"), .null]
        case .number: [.number(JSONNumber(987_654)), .string("1"), .null]
        case .bool(let flag): [.bool(!flag), .null]
        case .null: [.string("1")]
        case .array, .object: []
        }
    }

    /// Every value of a message with the names that lead to it.
    static func leaves(_ json: JSON, _ path: [String] = []) -> [(path: [String], value: JSON)] {
        if let object = json.object { return object.members.flatMap { leaves($0.value, path + [$0.key]) } }
        if let items = json.array { return items.enumerated().flatMap { leaves($1, path + [String($0)]) } }
        return [(path, json)]
    }

    /// The message with another value at a path; without one, the member is gone.
    static func setting(_ json: JSON, _ path: ArraySlice<String>, _ value: JSON?) -> JSON {
        guard let name = path.first else { return value ?? .null }
        if let items = json.array, let index = Int(name), items.indices.contains(index) {
            var items = items
            items[index] = setting(items[index], path.dropFirst(), value)
            return .array(items)
        }
        guard let object = json.object else { return json }
        var changed = JSONObject()
        for member in object.members {
            if member.key != name {
                changed[member.key] = member.value
            } else if path.count > 1 || value != nil {
                changed[name] = setting(member.value, path.dropFirst(), value)
            }
        }
        return .object(changed)
    }

    /// Other values of one kind that a signature over texts can't tell from this one.
    static func alike(_ value: JSON) -> [JSON] {
        switch value {
        case .string(let text):
            var others: [JSON] = text.isEmpty ? [.null, .array([]), .object([:])] : []
            if Int64(text) != nil { others.append(.number(JSONNumber(Int64(text) ?? 0))) }
            if ["true", "false"].contains(text) { others.append(.bool(text == "true")) }
            if let colon = text.firstIndex(of: ":") {
                others.append(.object([String(text[..<colon]): .string(String(text[text.index(after: colon)...]))]))
            }
            return others
        case .number(let number): return [.string(number.text)]
        case .bool(let flag): return [.string(flag ? "true" : "false"), .string(flag ? "1" : "0")]
        case .null: return [.string("")]
        case .array, .object: return []
        }
    }

    /// A row of the table: a member of a provider's messages, and what it may decide.
    static func row(_ provider: String, _ member: String, _ role: String?) -> String {
        "| \(provider) | `\(member)` | \(role == nil ? "yes" : "no") | \(role ?? "everything") |"
    }

    /// The rows that the documents have of a provider.
    static func documented(_ provider: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/webhooks.md")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| \(provider) |") }
        // A row has one member, or several of which the same is said.
        return rows.flatMap { row in
            let cells = row.components(separatedBy: " | ")
            return (cells.count == 4 ? cells[1].components(separatedBy: ", ") : []).map {
                [cells[0], $0, cells[2], cells[3]].joined(separator: " | ")
            }
        }.sorted()
    }

    /// Prints what was found of a provider, and compares it with the documents.
    static func expectDocumented(_ provider: String, _ rows: Set<String>) throws {
        print(rows.sorted().joined(separator: "\n"))
        let documented = try documented(provider)
        #expect(rows.sorted() == documented, "docs/webhooks.md has other rows of \(provider)")
    }
}

/// Messages that a provider has sent, none of which has arrived.
struct ReplayStory: Sendable {
    let provider: ProviderID
    let scheduler: TestScheduler
    let client: PaymentClient
    let messages: [OutgoingWebhook]

    /// What the payments are worth once these messages have arrived, one after the other.
    func worth(after bodies: [(body: [UInt8], headers: [String: String])]) throws -> [String] {
        try scheduler.run {
            for message in bodies {
                _ = try? await client.receiveWebhook(message.body, headers: message.headers, from: provider)
                // Every lookup that a message owes is made by then.
                try await scheduler.sleep(until: scheduler.now + 30_000)
            }
            var lines: [String] = []
            for try await record in client.allPayments() {
                let states = record.attempts.map { "\($0.intent.operation.rawValue) \($0.state)" }.sorted()
                lines.append("\(record.amounts) \(states)")
            }
            return lines.sorted()
        }
    }
}
