/// Powers of ten that fit into 64 bits.
enum PowerOfTen {
    /// The highest one that fits.
    static let exponentMax = 19

    /// Ten to the power of `exponent`; nil when it is negative or doesn't fit.
    static func value(_ exponent: Int) -> UInt64? {
        table.indices.contains(exponent) ? table[exponent] : nil
    }

    private static let table: [UInt64] = (0..<exponentMax).reduce(into: [1]) { powers, index in
        powers.append(powers[index] * 10)
    }
}
