/// How long the provider waits before it sends a callback again.
enum EcommpayRetries {
    /// How often it tries at all.
    static let triesMax = 120
    /// The first tries follow each other by this, in milliseconds.
    private static let firstMilliseconds: Int64 = 10_000
    private static let firstTries = 6
    /// The longest time between two tries, in milliseconds: four hours.
    static let longestMilliseconds: Int64 = 4 * 3_600_000

    /// The time after so many tries; nil when it was the last one.
    static func milliseconds(after tries: Int) -> Int64? {
        guard tries < triesMax else { return nil }
        if tries <= firstTries { return firstMilliseconds }
        // 70 s and 10 s that grow by twelve in a hundred with each try.
        var growing: Int64 = 10_000
        for _ in 4..<tries {
            growing = growing * 112 / 100
            if growing > longestMilliseconds { return longestMilliseconds }
        }
        return min(70_000 + growing, longestMilliseconds)
    }
}
