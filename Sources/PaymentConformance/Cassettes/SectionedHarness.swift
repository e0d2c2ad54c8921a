/// A harness that does something else for each check or scenario.
protocol SectionedHarness: ConformanceHarness {
    /// The same for one check or scenario.
    func taking(_ name: String) -> any ConformanceHarness
    /// Why a check or scenario can't be played here; nil when it can.
    func lacks(_ name: String) -> String?
}

extension ConformanceHarness {
    /// The harness for a check or scenario.
    func take(_ name: String) -> any ConformanceHarness { (self as? any SectionedHarness)?.taking(name) ?? self }
}
