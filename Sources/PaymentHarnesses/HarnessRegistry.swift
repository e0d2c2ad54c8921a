public import PaymentConformance
public import PaymentSimulator

/// The harnesses by the names of their providers.
public struct HarnessRegistry: Sendable {
    /// Every harness, in the order in which reports list them.
    public let harnesses: [any ConformanceHarness]

    /// Makes a registry.
    public init(_ harnesses: [any ConformanceHarness]) { self.harnesses = harnesses }

    /// The harnesses of our own providers.
    public static let builtin = builtin(over: .inProcess)

    /// The same, with their providers behind another front.
    public static func builtin(over injector: ConnectionKind) -> HarnessRegistry {
        HarnessRegistry(
            AdyenHarness.all(injector) + ARISEHarness.all(injector) + EcommpayHarness.all(injector)
                + HaloHarness.all(injector) + [MemoryHarness(injector)] + NIHarness.all(injector))
    }

    /// The harness of a provider.
    public subscript(name: String) -> (any ConformanceHarness)? { harnesses.first { $0.name == name } }

    /// A registry with more harnesses.
    public static func + (one: HarnessRegistry, more: [any ConformanceHarness]) -> HarnessRegistry {
        HarnessRegistry(one.harnesses + more)
    }
}

/// A harness whose simulated provider can play other readings of its provider's documents.
///
/// ```swift
/// extension AcmeHarness: VariantHarness {
///     var readings: [BehaviorVariant] { AcmeBackend.readings }
///     func using(variant reading: String) -> AcmeHarness { var copy = self; copy.reading = reading; return copy }
/// }
/// ```
public protocol VariantHarness: ConformanceHarness {
    /// Every reading of the documents, played or not.
    var readings: [BehaviorVariant] { get }
    /// The same with a provider that plays a reading.
    func using(variant reading: String) -> Self
}

extension VariantHarness {
    /// The readings that are played when they are named.
    public var playable: [BehaviorVariant] { readings.filter { $0.word != nil && !$0.isUsual } }

    /// What all checks come to under each reading that can be played; `step` learns which comes next.
    ///
    /// With `every` above 1 each reading is played under a share of the checks alone, the next reading under the next share.
    public func readingReports(
        _ checks: [Check] = Check.all, seed: UInt64? = 1, only names: Set<String>? = nil, every: Int = 1,
        step: (String) -> Void = { _ in }
    ) -> [VariantReport] {
        let played = playable.filter { names?.contains($0.id) ?? true }
        step("\(name), as usual")
        let plain = ConformanceRunner(self, seed: seed)
        let usual = checks.map { plain.outcome(of: $0) }
        let statuses = Dictionary(usual.map { ($0.check, $0.status) }) { first, _ in first }
        return played.enumerated().map { place, reading in
            step("\(name), \(reading.id)")
            let conformance = ConformanceRunner(using(variant: reading.id), seed: seed)
            let share = checks.enumerated().filter { ($0.offset + place) % max(every, 1) == 0 }
            let outcomes = share.map { conformance.outcome(of: $0.element, naming: reading.setting) }
            return VariantReport(reading.id, outcomes, usual: statuses)
        }
    }
}

extension BehaviorVariant {
    /// The setting that an error has to name under it; nil where none has to.
    public var setting: String? {
        switch word {
        case .stops(let setting)?, .stopsOrOpen(let setting)?: setting
        case .works?, .unknown?, nil: nil
        }
    }

    /// Whether what the checks came to is what its author expects, or better.
    public func isMet(by report: VariantReport) -> Bool {
        switch word {
        case .works: report.result <= .reportedCorrectly
        case .stops: report.result <= .stoppedWithError
        case .stopsOrOpen, .unknown, nil: report.result <= .leftOpen
        }
    }
}
