internal import PaymentAbstraction
internal import PaymentBase

extension ConfigurationScan {
    /// Reads the routes, in order; those with problems are left out.
    mutating func routes(
        _ node: ConfigurationNode?, _ names: Names, _ draining: [ProviderID], _ providers: [ConfiguredProvider]
    ) -> [Routing.Rule] {
        guard let node, let nodes = list(node, "routes", of: "routes") else { return [] }
        if nodes.count > ConfigurationShape.routesMax {
            problems.add(
                node.offset, "routes",
                "there are \(nodes.count) routes, and at most "
                    + "\(ConfigurationShape.routesMax) are allowed.")
        }
        var rules: [Routing.Rule] = []
        var catchesAll: Int?
        for (index, node) in nodes.prefix(ConfigurationShape.routesMax).enumerated() {
            let path = "routes[\(index)]"
            if let catchesAll {
                problems.add(
                    node.offset, path,
                    "this route is never reached: routes[\(catchesAll)] has no condition and takes "
                        + "every payment. Move that one to the end, or give it a condition.")
            }
            guard let members = object(node, path, ConfigurationShape.route) else { continue }
            let conditions = ConfigurationShape.route.map(\.key).filter { $0 != "providers" }
            if catchesAll == nil, conditions.allSatisfy({ members[$0] == nil }) { catchesAll = index }
            if let rule = route(members, path, names, draining) {
                checkCurrency(rule, members, path, providers)
                rules.append(rule)
            }
        }
        return rules
    }

    private mutating func route(
        _ members: [String: ConfigurationNode], _ path: String, _ names: Names, _ draining: [ProviderID]
    ) -> Routing.Rule? {
        var rule = Routing.Rule(takers(members["providers"], path + ".providers", names, draining))
        rule.currency = members["currency"].flatMap { currency($0, path + ".currency") }
        rule.routingLabel = members["label"].flatMap { text($0, path + ".label", ConfigurationShape.textCharactersMax) }
        if let node = members["source"] {
            let kinds = PaymentSource.Kind.allCases.map(\.rawValue)
            rule.source = node.text.flatMap(PaymentSource.Kind.init(rawValue:))
            if rule.source == nil {
                problems.add(
                    node, path + ".source", expected: Shown.choices(kinds),
                    advice(near: node.text, kinds, otherwise: ""))
            }
        }
        for key in ["least", "most"] where members["currency"] == nil {
            guard let node = members[key] else { continue }
            problems.add(
                node.offset, "\(path).\(key)",
                "an amount needs a currency. Add \"currency\": \"EUR\", or whichever "
                    + "it is, to this route.")
        }
        guard let currency = rule.currency else { return rule.providers.isEmpty ? nil : rule }
        rule.minimum = members["least"].flatMap { amount($0, path + ".least", currency) }
        rule.maximum = members["most"].flatMap { amount($0, path + ".most", currency) }
        if let least = rule.minimum, let most = rule.maximum, let node = members["most"],
            most.minorUnits < least.minorUnits
        {
            problems.add(
                node.offset, path + ".most",
                "\(most) is less than the least amount, \(least), so the route takes "
                    + "nothing. Swap the two.")
        }
        return rule.providers.isEmpty ? nil : rule
    }

    private mutating func takers(
        _ node: ConfigurationNode?, _ path: String, _ names: Names, _ draining: [ProviderID]
    ) -> [ProviderID] {
        guard let node, let nodes = list(node, path, of: "names of providers") else { return [] }
        if nodes.isEmpty {
            problems.add(node, path, expected: "at least one provider", "Name who takes these payments.")
        }
        var takers: [ProviderID] = []
        for (index, item) in nodes.enumerated() {
            let path = "\(path)[\(index)]"
            guard let id = name(item, path, names) else { continue }
            if draining.contains(id) {
                problems.add(
                    item.offset, path, "\(id) is draining and takes nothing new. Take it out of this route.")
            } else if takers.contains(id) {
                problems.add(item.offset, path, "\(id) stands here twice. Remove one of them.")
                continue
            }
            takers.append(id)
        }
        return takers
    }

    private mutating func amount(_ node: ConfigurationNode, _ path: String, _ currency: Currency) -> Money? {
        guard let text = node.text else {
            var advice = ""
            if case .number = node.value { advice = "Write amounts in quotes, so that nothing is rounded." }
            problems.add(
                node, path, expected: "an amount as text, like \"\(Money.zero(currency).decimalText)\"", advice)
            return nil
        }
        do { return try Money(text, currency) } catch {
            problems.add(node.offset, path, "\(error.detail).")
            return nil
        }
    }

    /// A provider that doesn't take the route's currency would refuse every payment of the route.
    private mutating func checkCurrency(
        _ rule: Routing.Rule, _ members: [String: ConfigurationNode], _ path: String, _ providers: [ConfiguredProvider]
    ) {
        guard let currency = rule.currency, let node = members["currency"] else { return }
        for id in rule.providers {
            guard let takes = providers.first(where: { $0.id == id })?.currencies, !takes.contains(currency) else {
                continue
            }
            let codes = takes.map(\.code).sorted().joined(separator: ", ")
            problems.add(
                node.offset, path + ".currency",
                "\(id) does not take \(currency), only \(codes). Route it elsewhere, "
                    + "or add it to providers.\(id).currencies.")
        }
    }
}
