/// A harness that does something else for each check or scenario.
protocol TakingHarness: Harness {
    /// The same for one check or scenario.
    func taking(_ name: String) -> any Harness
    /// Why a check or scenario can't be played here; nil when it can.
    func lacks(_ name: String) -> String?
}

extension Harness {
    /// The harness for a check or scenario.
    func take(_ name: String) -> any Harness { (self as? any TakingHarness)?.taking(name) ?? self }
}
