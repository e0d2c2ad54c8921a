internal import PaymentBase

/// A change of two members of a configuration that leaves every other byte as it is, comments too.
struct ConfigurationEdit {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The file with another active provider, and with a list of those that take nothing new; nil when it is no file
    /// that can be changed so.
    func switching(to active: String, draining: [String]) -> [UInt8]? {
        guard let (activePlace, drainingPlace) = try? places(), let activePlace else { return nil }
        let list = JSON.array(draining.map { .string($0) }).line
        var edits = [(activePlace, JSON.string(active).line)]
        if let drainingPlace {
            edits.append((drainingPlace, list))
        } else {
            edits[0].1 += ",\n  \"draining\": \(list)"
        }
        var changed = bytes
        for (place, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            changed.replaceSubrange(place, with: Array(text.utf8))
        }
        return changed
    }

    /// Where the values of the two members stand.
    private func places() throws -> (active: Range<Int>?, draining: Range<Int>?) {
        var reader = try JSONPullReader(bytes)
        var places: (active: Range<Int>?, draining: Range<Int>?)
        let root = try reader.enterObject()
        while try reader.nextMember(of: root) {
            let (isActive, isDraining) = (reader.isKey("active"), reader.isKey("draining"))
            guard isActive || isDraining else { continue }
            _ = try reader.nextType()
            let start = reader.offset
            try reader.skip()
            if isActive { places.active = start..<reader.offset } else { places.draining = start..<reader.offset }
        }
        try reader.end()
        return places
    }
}
