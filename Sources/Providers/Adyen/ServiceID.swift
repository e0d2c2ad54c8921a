internal import PaymentBase

/// The names of messages: ten characters, never the same twice within the 48 hours that a terminal looks back.
///
/// The last six hold a number that the journal gives out once, over restarts and processes; it comes round after two
/// thousand million messages. The first four hold the time, so that tills with journals of their own differ too.
enum ServiceID {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    /// How many characters hold the number.
    static let numberCharacters = 6
    /// How many characters hold the time, in seconds.
    static let timeCharacters = 4

    /// The name of a number that was drawn at a moment.
    static func text(_ number: Int64, at now: Int64) -> String {
        let bytes = digits(now / 1_000, timeCharacters) + digits(number, numberCharacters)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digits(_ value: Int64, _ count: Int) -> [UInt8] {
        var rest = value.magnitude
        var bytes: [UInt8] = []
        for _ in 0..<count {
            bytes.append(digits[Int(rest % 36)])
            rest /= 36
        }
        return bytes.reversed()
    }
}
