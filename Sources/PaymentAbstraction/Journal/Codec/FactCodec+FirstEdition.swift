extension FactCodec {
    /// A verdict as the first edition kept it, in a column of its own.
    package static func verdict(_ bytes: [UInt8]) throws(Unreadable) -> Verdict {
        try reading(bytes) { try VerdictCodec.verdict($0) }
    }

    /// Names and values as the first edition kept them.
    package static func names(_ bytes: [UInt8]) throws(Unreadable) -> [String: String] {
        try reading(bytes) { try VerdictCodec.references($0) }
    }
}
