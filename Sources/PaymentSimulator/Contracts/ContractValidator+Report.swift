public import PaymentBase

extension ContractValidator.Hearing {
    /// What was heard, in lines: how many messages, how many of the described calls, and everything that didn't fit.
    public var lines: [String] {
        let counts = messageCounts.sorted { $0.key < $1.key }.map { provider, count in
            let (heard, all) = coverage(provider)
            return "\(provider) \(count) (\(heard) of \(all) described calls)"
        }
        var lines = ["Contracts: \(messageCount) messages held against what is published: \(list(counts))."]
        if !beyondExamples.isEmpty {
            lines.append("  \(beyondExamples.count) members are more than the published examples show.")
        }
        lines.append(violations.isEmpty ? "  No message differs." : "  \(violations.count) DIFFERENCES:")
        return lines + Self.sorted(violations).map { "  \($0.value)× \($0.key)" }
    }

    /// The same for programs.
    public var json: JSON {
        let providers = messageCounts.sorted { $0.key < $1.key }.map { provider, count -> JSON in
            let (heard, all) = coverage(provider)
            return [
                "id": .string(provider), "messages": .whole(count), "callsHeard": .whole(heard),
                "callsDescribed": .whole(all),
            ]
        }
        return [
            "messages": .whole(messageCount), "providers": .array(providers), "violations": Self.json(violations),
            "beyondExamples": Self.json(beyondExamples),
        ]
    }

    /// How many of a provider's described calls were heard, and how many there are.
    public func coverage(_ provider: String) -> (heard: Int, all: Int) {
        let described = Set(SimulatorRegistry.contracts[provider]?.calls ?? [])
        return (described.intersection(calls[provider, default: [:]].keys).count, described.count)
    }

    private func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ", ") }

    private static func sorted(
        _ counts: [ContractViolation: Int]
    ) -> [(key: ContractViolation, value: Int)] { counts.sorted { "\($0.key)" < "\($1.key)" } }

    private static func json(_ counts: [ContractViolation: Int]) -> JSON {
        .array(
            sorted(counts).map { violation, count in
                [
                    "provider": .string(violation.provider), "side": .string(violation.side.rawValue),
                    "message": .string(violation.message), "member": .string(violation.member),
                    "rule": .string(violation.rule), "count": .whole(count),
                ]
            })
    }
}

extension SimulatorRegistry {
    /// What the providers publish about their messages, by provider.
    public static let contracts: [String: APIContract] = [
        "adyen": .adyen, "arise": .arise, "ecommpay": .ecommpay, "halo": .halo, "ni": .ni,
    ]
}
