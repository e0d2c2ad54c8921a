internal import PaymentConformance
internal import PaymentCore
internal import PaymentHarnesses
internal import PaymentModel
internal import PaymentProviderKit

/// Which link of which adapter a harness plays, and what of it only the simulator has: a comparison of links that no
/// merchant can have says nothing about a switch.
struct ComparedLink {
    /// The adapter.
    let adapter: String
    /// The link, as the setting `link` names it; empty if the adapter has one way only.
    let link: String
    /// The sources that the simulator alone takes over this link; nil for every one.
    private let simulatedOnly: Set<PaymentSource.Kind>?

    private init(_ adapter: String, _ link: String, simulatedOnly: Set<PaymentSource.Kind>? = []) {
        (self.adapter, self.link, self.simulatedOnly) = (adapter, link, simulatedOnly)
    }

    /// The links of the harnesses of this package, by the harness's name; docs/providers has the reasons.
    static let builtin: [String: ComparedLink] = [
        "adyen": .init("adyen", "cloudSync"), "adyen-async": .init("adyen", "cloudAsync"),
        "adyen-local": .init("adyen", "local"), "adyen-mobile": .init("adyen", "mobile"),
        "arise": .init("arise", "reader", simulatedOnly: [.reader]), "arise-kit": .init("arise", "kit"),
        "ecommpay": .init("ecommpay", "simulated", simulatedOnly: nil), "ecommpay-kit": .init("ecommpay", "kit"),
        "ecommpay-gate": .init("ecommpay", "gate"), "ecommpay-page": .init("ecommpay", "page"),
        "halo": .init("halo", "reader"), "halo-kit": .init("halo", "kit"),
        "memory": .init("memory", "", simulatedOnly: nil), "ni": .init("ni", "reader"), "ni-kit": .init("ni", "kit"),
    ]

    /// The harness that a word names: ADAPTER-LINK names one link exactly, every other word names itself.
    static func harness(_ word: String) -> String {
        builtin.first { !$1.link.isEmpty && "\($1.adapter)-\($1.link)" == word }?.key ?? word
    }

    /// Whether a word names a provider of this package alone, and leaves its link open.
    static func isOpen(_ word: String) -> Bool { builtin[word]?.adapter == word }

    /// Whether a real account has the link with money from a source; nil for every source that the provider takes.
    func isReal(_ source: PaymentSource.Kind?) -> Bool {
        guard let simulatedOnly else { return false }
        return source.map { !simulatedOnly.contains($0) } ?? simulatedOnly.isEmpty
    }

    /// What was played, in one line.
    func words(_ source: PaymentSource.Kind?) -> String {
        isReal(source) ? "\(name), simulated" : "\(name), simulated; \(onlySimulated(source))"
    }

    /// The adapter, over which link.
    private var name: String { link.isEmpty ? adapter : "\(adapter) over its link \(link)" }

    /// What of the link the simulator alone has, in one clause.
    func onlySimulated(_ source: PaymentSource.Kind?) -> String {
        let kinds = source.map { [$0] } ?? PaymentSource.Kind.allCases.filter { simulatedOnly?.contains($0) == true }
        let from = kinds.map(\.rawValue).joined(separator: " or ")
        let what = simulatedOnly == nil ? "the link \(link)" : "money from \(from) over the link \(link)"
        return "\(simulatedOnly == nil && link.isEmpty ? "the provider" : what) exists in the simulator only"
    }
}

/// The links that a comparison plays.
struct ComparedLinks {
    /// The comparison of them.
    let comparison: ProviderComparison
    /// What a provider's bare name means, by the harness that is played: the one of that name.
    private(set) var meant: [String: String] = [:]

    /// Takes the harnesses that are named; where a provider's name leaves the link open, and the simulator alone has the link
    /// of that name, the first link that a real account has.
    init(
        _ harnesses: [any ConformanceHarness], open: Set<String>, of registry: CommandRegistry, seed: UInt64,
        source: PaymentSource.Kind?
    ) throws {
        var (chosen, known) = (harnesses, registry.harnesses(over: .inProcess).harnesses)
        known.sort { Self.rank($0.name, registry) < Self.rank($1.name, registry) }
        while true {
            let comparison = try ProviderComparison(chosen, seed: seed, source: source)
            let found = try chosen.indices.lazy.filter { open.contains(chosen[$0].name) }.compactMap { index in
                try Self.real(chosen[index].name, known, but: chosen.map(\.name), comparison.source).map { (index, $0) }
            }.first
            guard let (index, link) = found else {
                self.comparison = comparison
                return
            }
            meant[link.name] = chosen[index].name
            chosen[index] = link
        }
    }

    /// The place of a link in its adapter's list: the best one first.
    private static func rank(_ name: String, _ registry: CommandRegistry) -> Int {
        guard let link = ComparedLink.builtin[name] else { return .max }
        return registry.providers.entry(link.adapter)?.links.firstIndex { $0.name == link.link } ?? .max
    }

    /// A link that a real account has with money from a source, in the place of one that has not; nil if none is needed or
    /// there.
    private static func real(
        _ name: String, _ known: [any ConformanceHarness], but named: [String], _ source: PaymentSource.Kind?
    ) throws -> (any ConformanceHarness)? {
        guard let link = ComparedLink.builtin[name], !link.isReal(source) else { return nil }
        return try known.first { harness in
            guard let other = ComparedLink.builtin[harness.name], other.adapter == link.adapter, other.isReal(source),
                !named.contains(harness.name)
            else { return false }
            guard let source else { return true }
            return try ProviderComparison([harness]).capabilities().first?["source.\(source.rawValue)"] ?? false
        }
    }

    /// What was played of each provider, in their order; a provider that is added has one way only.
    var words: [String] {
        comparison.providers.map { name in
            if CassetteFile.isMeant(name) { return "\(name): a recording" }
            guard let link = ComparedLink.builtin[name] else { return "\(name): its simulation" }
            let words = "\(name): \(link.words(comparison.source))"
            guard let bare = meant[name], let other = ComparedLink.builtin[bare] else { return words }
            let (left, why) = ("\(other.adapter)-\(other.link)", other.onlySimulated(comparison.source))
            return "\(words). You named \(bare): \(name) was played, a link that a real account has. Not played was "
                + "\(left): \(why)."
        }
    }
}
