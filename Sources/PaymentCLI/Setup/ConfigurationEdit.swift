internal import PaymentBase

/// Changes of a configuration that leave every other byte as it is, comments too.
struct ConfigurationEdit {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The file with another active provider, and with a list of those that take nothing new; nil when it is no file
    /// that can be changed so.
    func switching(to active: String, draining: [String]) -> [UInt8]? {
        guard let places = try? places(), let activePlace = places["active"] else { return nil }
        let list = JSON.texts(draining).line
        var edits = [(activePlace, JSON.string(active).line)]
        if let drainingPlace = places["draining"] {
            edits.append((drainingPlace, list))
        } else {
            edits[0].1 += ",\n  \"draining\": \(list)"
        }
        return changed(edits)
    }

    /// The providers that the file names, as far as a comment-tolerant look tells; nil when it is no configuration.
    func providers() -> [(name: String, adapter: String, environment: String)]? {
        guard let members = try? JSONReader().read(bytes)["providers"]?.object?.members else { return nil }
        return members.filter { !$0.key.hasPrefix("//") && !$0.key.hasPrefix("$") }.map { member in
            (member.key, member.value["adapter"]?.string ?? "", member.value["environment"]?.string ?? "")
        }
    }

    /// The file with more providers behind those that are there; nil when it is no file that can be changed so.
    func adding(_ providers: [(name: String, members: JSONObject)]) -> [UInt8]? {
        guard let place = try? places()["providers"], bytes[place.upperBound - 1] == UInt8(ascii: "}"),
            let there = self.providers()
        else { return nil }
        // What stands before the brace stays, but for the white space.
        var end = place.upperBound - 1
        while end > place.lowerBound, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[end - 1]) { end -= 1 }
        let isEmpty = there.isEmpty && bytes[end - 1] == UInt8(ascii: "{")
        let texts = providers.map { name, members in
            let text = String(decoding: JSON.object(members).bytes(layout: .pretty), as: UTF8.self)
            return "\n    \(JSON.string(name).line): " + text.replacing("\n", with: "\n    ")
        }
        return changed([(end..<(place.upperBound - 1), (isEmpty ? "" : ",") + texts.joined(separator: ",") + "\n  ")])
    }

    private func changed(_ edits: [(Range<Int>, String)]) -> [UInt8] {
        var changed = bytes
        for (place, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            changed.replaceSubrange(place, with: Array(text.utf8))
        }
        return changed
    }

    /// Where the values of the file's own members stand.
    private func places() throws -> [String: Range<Int>] {
        var reader = try JSONPullReader(bytes)
        var places: [String: Range<Int>] = [:]
        let root = try reader.enterObject()
        while try reader.nextMember(of: root) {
            let key = reader.key
            _ = try reader.nextType()
            let start = reader.offset
            try reader.skip()
            places[key] = start..<reader.offset
        }
        try reader.end()
        return places
    }
}
