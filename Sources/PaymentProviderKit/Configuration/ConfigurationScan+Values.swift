internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ConfigurationScan {
    /// Reads a value of a kind.
    mutating func value(
        _ node: ConfigurationNode, _ path: String, _ kind: ProviderSetting.Kind, _ environment: ProviderEnvironment?
    ) -> SettingValue? {
        switch kind {
        case .text(let charactersMax): return text(node, path, charactersMax).map { .text($0) }
        case .integer(let bounds): return integer(node, path, bounds, kind).map { .integer($0) }
        case .milliseconds(let bounds): return integer(node, path, bounds, kind).map { .milliseconds($0) }
        case .boolean:
            if case .boolean(let value) = node.value { return .boolean(value) }
            let isQuoted = node.text == "true" || node.text == "false"
            problems.add(node, path, expected: kind.expected, isQuoted ? "Write it without quotes." : "")
            return nil
        case .choice(let words):
            if let text = node.text, words.contains(text) { return .text(text) }
            problems.add(node, path, expected: kind.expected, advice(near: node.text, words, otherwise: ""))
            return nil
        case .currencies: return currencies(node, path).map { .currencies($0) }
        case .origin: return origin(node, path, environment).map { .origin($0) }
        case .address: return address(node, path, environment).map { .address($0) }
        }
    }

    /// Reads a list of currencies, none of them twice.
    mutating func currencies(_ node: ConfigurationNode, _ path: String) -> [Currency]? {
        guard let nodes = list(node, path, of: "currency codes") else { return nil }
        if nodes.isEmpty { problems.add(node, path, expected: ProviderSetting.Kind.currencies.expected) }
        var currencies: [Currency] = []
        for (index, item) in nodes.enumerated() {
            guard let currency = currency(item, "\(path)[\(index)]") else { continue }
            if currencies.contains(currency) {
                problems.add(item.offset, "\(path)[\(index)]", "\(currency) stands here twice. Remove one of them.")
                continue
            }
            currencies.append(currency)
        }
        return currencies
    }

    /// Reads the code of a currency.
    mutating func currency(_ node: ConfigurationNode, _ path: String) -> Currency? {
        guard let text = node.text else {
            problems.add(node, path, expected: "a currency code of ISO 4217, like \"EUR\"")
            return nil
        }
        do { return try Currency(text) } catch {
            problems.add(node.offset, path, "\(error.detail).")
            return nil
        }
    }

    /// Reads where a provider is: scheme, host and port, and a path that goes before all of its own.
    mutating func endpoint(
        _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> WebURL? {
        if isUnfilled(node, path) { return nil }
        guard let address = node.text.flatMap({ WebURL($0) }), Self.isSound(address.origin),
            !address.target.contains("?")
        else {
            problems.add(
                node, path, found: found(address: node),
                expected: "an address like \"https://host\", \"https://host:8443\" or \"https://host/path\"")
            return nil
        }
        guard check(address.origin, node, path, environment) else { return nil }
        var target = address.target[...]
        while target.hasSuffix("/") { target = target.dropLast() }
        return WebURL(address.origin, path: String(target))
    }

    /// Reads a scheme, a host and a port.
    mutating func origin(
        _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> Origin? {
        if isUnfilled(node, path) { return nil }
        let expected = ProviderSetting.Kind.origin.expected
        guard let text = node.text, let origin = Origin(text), Self.isSound(origin) else {
            let isLonger = node.text.map { $0.hasPrefix("http") && !$0.contains("@") } ?? false
            problems.add(
                node, path, found: found(address: node), expected: expected,
                isLonger ? "Leave out the path; only scheme, host and port belong here." : "")
            return nil
        }
        return check(origin, node, path, environment) ? origin : nil
    }

    private mutating func address(
        _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> WebURL? {
        if isUnfilled(node, path) { return nil }
        guard let address = node.text.flatMap({ WebURL($0) }), Self.isSound(address.origin) else {
            problems.add(node, path, found: found(address: node), expected: ProviderSetting.Kind.address.expected)
            return nil
        }
        return check(address.origin, node, path, environment) ? address : nil
    }

    private mutating func check(
        _ origin: Origin, _ node: ConfigurationNode, _ path: String, _ environment: ProviderEnvironment?
    ) -> Bool {
        guard origin.isPlainBeyondThisMachine, environment?.allowsPlainHTTP == false else { return true }
        problems.add(
            node, path, found: found(address: node), expected: "an address that begins with https://",
            "Credentials would travel in the clear; plain http is for this machine alone (http://127.0.0.1).")
        return false
    }

    private func found(address node: ConfigurationNode) -> String {
        node.text.map { $0.isEmpty ? "an empty text" : Shown.address($0) } ?? node.found
    }

    /// Whether a host has no characters that no host has.
    private static func isSound(_ origin: Origin) -> Bool {
        origin.host.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || "-._[]:".utf8.contains(byte)
        }
    }
}
