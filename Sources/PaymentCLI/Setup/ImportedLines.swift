internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

/// What is refused of lines to import before the journal reads them: what could be adopted and never be used.
enum ImportedLines {
    /// The last moment of the year 9999, in milliseconds since 1970.
    private static let takenAtMax: Int64 = 253_402_300_799_999

    /// Refuses the first line with something wrong; what is no line at all the journal refuses by itself.
    static func check(_ lines: [String], _ configuration: PaymentConfiguration) throws(UsageError) {
        for (index, line) in lines.enumerated() {
            guard let json = try? JSONReader().read(Array(line.utf8)), json.object != nil else { continue }
            if let problem = problem(json, configuration) {
                throw UsageError(message: "line \(index + 1): \(problem); nothing was adopted")
            }
        }
    }

    private static func problem(_ json: JSON, _ configuration: PaymentConfiguration) -> String? {
        if let at = json["takenAt"]?.int64, at > takenAtMax { return "takenAt is beyond the year 9999" }
        if let reference = json["reference"]?.string {
            if let problem = TypedReference.problem(reference) { return "reference \(problem)" }
            if reference.count > SaleRequest.referenceCharactersMax {
                return "reference has more than \(SaleRequest.referenceCharactersMax) characters"
            }
        }
        guard let name = json["provider"]?.string else { return nil }
        guard let provider = configuration.providers.first(where: { $0.id.rawValue == name }) else {
            let names = configuration.providers.map(\.id.rawValue).joined(separator: ", ")
            return "the provider \(name) is not configured; there are \(names)"
        }
        let given = [json["adapter"]?.string, json["environment"]?.string, json["merchant"]?.string]
        let known = [provider.entry.adapter, provider.environment, provider.merchant]
        guard given.contains(nil) || given == known else {
            return
                "\(name) is configured as \(known.joined(separator: ", ")), which could not give this payment back"
        }
        return nil
    }
}
