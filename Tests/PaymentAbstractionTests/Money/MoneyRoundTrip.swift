import PaymentAbstraction
import PaymentBase

/// Sends random amounts on a journey and looks whether they come back the same.
enum MoneyRoundTrip {
    /// An amount that came back different, with what it takes to see it again.
    struct Loss: Error, CustomStringConvertible {
        let seed: UInt64
        let number: Int
        let sent: Money
        let back: String

        var description: String { "seed \(seed), number \(number): \(sent) came back as \(back)" }
    }

    /// One currency for each exponent that the standard has.
    static let currencies: [Currency] = [.jpy, .usd, .kwd, .clf]

    /// Makes `count` amounts from the seed and sends each on its journey; the first that changes ends it.
    static func check(count: Int, seed: UInt64, journey: (Money) throws -> Money) throws {
        let random = SeededRandom(seed: seed)
        for number in 0..<count {
            let sent = amount(number, random)
            let back: Money
            do {
                back = try journey(sent)
            } catch {
                throw Loss(seed: seed, number: number, sent: sent, back: String(reflecting: error))
            }
            guard back == sent else { throw Loss(seed: seed, number: number, sent: sent, back: "\(back)") }
        }
    }

    /// Both ends of the range come first; then every magnitude is as likely as any other.
    private static func amount(_ number: Int, _ random: SeededRandom) -> Money {
        let currency = currencies[number % currencies.count]
        if number < currencies.count { return Money(minorUnits: .min, currency) }
        if number < 2 * currencies.count { return Money(minorUnits: .max, currency) }
        let (bits, width) = (Int64(bitPattern: random.next()), random.next() % 64)
        return Money(minorUnits: bits >> Int64(width), currency)
    }
}
