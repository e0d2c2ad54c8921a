/// What a walk through every fault at every exchange found.
public struct FaultSweepReport: Sendable {
    /// How many cases were played.
    public internal(set) var cases = 0
    /// How many scenarios there were.
    public internal(set) var scenarios = 0
    /// How many exchanges the scenarios make together when nothing goes wrong.
    public internal(set) var exchanges = 0
    /// How many journal writes the scenarios make together when nothing goes wrong; each fails in two ways.
    public internal(set) var writes = 0
    /// How many attempts stayed open.
    public internal(set) var open = 0
    /// How many cases the provider booked more than once, as declared.
    public internal(set) var expectedDoubleCharges = 0
    /// How many lies were believed, since nothing distinguishes them from the truth.
    public internal(set) var undetectableFalseReplies = 0
    /// Where attempts stayed open, and how often under single faults.
    public internal(set) var openPlaces: [ConformanceProfile.FaultLocation: Int] = [:]
    /// Under which faults the provider booked more than once.
    public internal(set) var doubleCharges: Set<String> = []
    /// What was wrong, each with its scenario, exchange and fault.
    public internal(set) var problems: [String] = []

    /// One line of counts.
    public var summary: String {
        "\(scenarios) scenarios, \(exchanges) exchanges, \(writes) writes, \(cases) fault cases, \(open) open, "
            + "\(expectedDoubleCharges) booked twice as declared, \(undetectableFalseReplies) lies that can't be seen, "
            + "\(problems.count) problems"
    }
}
