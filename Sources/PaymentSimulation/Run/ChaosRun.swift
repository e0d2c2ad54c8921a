/// What came of one simulated world.
public struct ChaosRun: Sendable {
    /// What it was drawn from.
    public let seed: UInt64
    /// The providers in it.
    public let providers: [String]
    /// What happened in it, in order.
    public let steps: [ChaosStep]
    /// The first thing that was wrong; nil for nothing.
    public let violation: String?
    /// How many calls about money callers made.
    public let calls: Int
    /// How many attempts were listed as open in the end.
    public let openCount: Int
    /// How much time passed in it, in milliseconds.
    public let milliseconds: Int64
    /// How often which event met an attempt in which state, as the judge sees both.
    public let visits: [String: [String: Int]]
    /// Everything that happened, where that was asked for.
    public let log: [String]

    /// What kind of violation it is: its words without names and numbers.
    var kind: String? {
        violation.map {
            String($0.split(separator: " ").filter { word in !word.contains { $0.isNumber } }.joined(separator: " "))
        }
    }
}
