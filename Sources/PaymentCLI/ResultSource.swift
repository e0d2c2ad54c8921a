internal import PaymentBase
internal import PaymentConformance
internal import PaymentSimulator

/// Where a result of a comparison comes from. A simulation speaks messages whose form a provider has published, or that this
/// package assumes; what it answers to them is always an assumption, until a recording shows it.
struct ResultSource: Equatable {
    /// The messages whose form the provider publishes, by their names in its contract.
    var published: [String] = []
    /// The requests that no published contract describes.
    var assumed: [String] = []
    /// The recording that was played; nil if none was.
    var recording: String?

    /// What was learnt of one adapter while a scenario was played.
    ///
    /// - Parameter wire: The exchanges, each as its request, an arrow, and what came back.
    init(_ hearing: ContractValidator.Hearing, adapter: String, wire: [String]) {
        published = (hearing.named[adapter] ?? []).sorted()
        let calls = (hearing.calls[adapter] ?? [:]).keys.filter { $0.contains(" /") }.map(Self.steps)
        // A terminal's messages travel under one address, and are described by their own names.
        guard !published.contains(where: { $0.hasPrefix("terminal/") }) else { return }
        let requests = Set(wire.compactMap { $0.split(separator: "→").first.map(String.init) }).map {
            $0.split(separator: " ").prefix(2).joined(separator: " ")
        }
        assumed = Set(
            requests.filter { request in
                let path = Self.steps(request)
                return !calls.contains { call in
                    call.count == path.count && zip(call, path).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
                }
            }
        ).sorted()
    }

    /// A recording.
    init(recording: String) { self.recording = recording }

    /// A call in pieces: the method, and the steps of the path without its query.
    private static func steps(_ call: String) -> [String] {
        let plain = call.prefix { $0 != "?" }
        return plain.split { $0 == "/" || $0 == " " }.map(String.init)
    }

    /// The messages that a contract is said to describe and doesn't; none, as it should be.
    func unknown(of adapter: String) -> [String] {
        published.filter { SimulatorRegistry.contracts[adapter]?.describes($0) != true }
    }

    /// For people.
    var words: String {
        if let recording { return "recording \(recording)" }
        var parts: [String] = []
        if !published.isEmpty { parts.append("published form of \(published.joined(separator: ", "))") }
        if !assumed.isEmpty { parts.append("our assumption of \(assumed.joined(separator: ", "))") }
        return (parts + ["what it answers: our assumption"]).joined(separator: "; ")
    }

    var json: JSON {
        ["published": .texts(published), "assumed": .texts(assumed), "recording": .text(recording)]
    }
}
