public import PaymentConformance

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
