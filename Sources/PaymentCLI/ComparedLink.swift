internal import PaymentConformance
internal import PaymentModel

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

    /// Whether a real account has the link with money from a source; nil source for what the provider takes itself.
    func isReal(_ source: PaymentSource.Kind?) -> Bool {
        guard let simulatedOnly else { return false }
        return source.map { !simulatedOnly.contains($0) } ?? true
    }

    /// What was played, in one line.
    func words(_ source: PaymentSource.Kind?) -> String {
        let name = link.isEmpty ? adapter : "\(adapter), link \(link)"
        if isReal(source) { return "\(name), simulated" }
        let what = simulatedOnly == nil ? "this link" : source.map { "money from \($0.rawValue) over this link" } ?? ""
        return "\(name), simulated; \(what) exists in the simulator only"
    }
}
