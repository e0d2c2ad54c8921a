internal import PaymentAbstraction
internal import PaymentBase

extension ProviderSetting.Kind {
    /// What a value has to be, in words.
    package var expected: String {
        switch self {
        case .text(let charactersMax): "a text of 1 to \(charactersMax) characters on one line, in quotes"
        case .integer(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .boolean: "true or false"
        case .choice(let words): Shown.choices(words)
        case .currencies: "a list of currency codes, like [\"EUR\"]"
        case .milliseconds(let bounds):
            "a whole number of milliseconds from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .origin: "an origin like \"https://host\" or \"https://host:8443\""
        case .address: "an address like \"https://host/path\""
        }
    }

    /// Whether a default fits.
    func holds(_ value: SettingValue) -> Bool {
        switch (self, value) {
        case (.text(let charactersMax), .text(let text)): !text.isEmpty && text.unicodeScalars.count <= charactersMax
        case (.choice(let words), .text(let text)): words.contains(text)
        case (.integer(let bounds), .integer(let value)): bounds.contains(value)
        case (.milliseconds(let bounds), .milliseconds(let value)): bounds.contains(value)
        case (.currencies, .currencies(let list)): !list.isEmpty && Set(list).count == list.count
        case (.boolean, .boolean), (.origin, .origin), (.address, .address): true
        case (.text, _), (.choice, _), (.integer, _), (.milliseconds, _), (.currencies, _), (.boolean, _), (.origin, _),
            (.address, _):
            false
        }
    }

    /// The same as JSON Schema.
    var schema: JSON {
        switch self {
        case .text(let charactersMax):
            ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(Int64(charactersMax)))]
        case .integer(let bounds), .milliseconds(let bounds):
            [
                "type": "integer", "minimum": .number(JSONNumber(bounds.lowerBound)),
                "maximum": .number(JSONNumber(bounds.upperBound)),
            ]
        case .boolean: ["type": "boolean"]
        case .choice(let words): ["enum": .array(words.map { .string($0) })]
        case .currencies: ConfigurationShape.currencies
        case .origin: ["type": "string", "pattern": .string(ConfigurationShape.originPattern)]
        case .address: ["type": "string", "pattern": "^https?://[^#@ ]+$"]
        }
    }
}

extension SettingValue {
    /// A default as JSON Schema shows it.
    var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let value), .milliseconds(let value): .number(JSONNumber(value))
        case .boolean(let value): .bool(value)
        case .currencies(let list): .array(list.map { .string($0.code) })
        case .origin(let origin): .string("\(origin)")
        case .address(let address): .string("\(address.origin)\(address.target)")
        }
    }
}
