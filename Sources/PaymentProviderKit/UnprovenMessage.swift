extension WebhookMessage {
    /// How many values a message may have before anything proves who sent it. Providers document messages with a tenth of
    /// them.
    public static var unprovenValuesMax: Int { 2_048 }

    /// The body as JSON, before anything proves who sent it.
    ///
    /// A value of one byte becomes a value of some dozens of bytes, so that values are counted before the first is built. An
    /// adapter that can check a signature over the bytes alone does that first, and needs no such limit.
    ///
    /// - Throws: `unreadableReply`, nothing moved, if the body is no JSON or has too many values.
    public func unprovenJSON() throws(PaymentError) -> JSON {
        guard valuesAtMost <= Self.unprovenValuesMax else {
            throw .notExecuted(
                .unreadableReply,
                "the message has more than \(Self.unprovenValuesMax) values; no provider documents one of this size")
        }
        do { return try JSONReader().read(body) } catch {
            throw .notExecuted(
                .unreadableReply, "the message is no JSON: \(error.kind) at line \(error.line), column \(error.column)")
        }
    }

    /// How many values the body can have at most: one, one behind each comma, and one in each list or object. Counting ends
    /// where there are too many.
    private var valuesAtMost: Int {
        var (count, index, isText) = (1, 0, false)
        while index < body.count, count <= Self.unprovenValuesMax {
            switch body[index] {
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "\\") where isText: index += 1
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += isText ? 0 : 1
            default: break
            }
            index += 1
        }
        return count
    }
}
