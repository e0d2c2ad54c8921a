/// What an adapter takes for granted where its provider's documents allow more than one behaviour.
public struct ProviderAssumption: Hashable, Sendable, Identifiable {
    /// The reading that it builds on, such as `adyen.tip.as-asked`: a place of the documents and what happens there.
    public let id: String
    /// The place in the documents, such as `adyen.tip`.
    public let place: String
    /// The setting that changes it, of ours or of the provider's; nil where there is none.
    public let setting: String?
    /// How to find out what the real provider does.
    public let howToFindOut: String

    /// Names an assumption.
    public init(place: String, _ reading: String, setting: String?, _ howToFindOut: String) {
        (self.place, self.setting, self.howToFindOut) = (place, setting, howToFindOut)
        id = reading.count == 1 && reading.first?.isNumber == true ? "\(place)/\(reading)" : "\(place).\(reading)"
    }

    /// Reads assumptions, one on each line: `place|reading|setting|how to find out`, with `-` for no setting.
    public static func list(_ provider: String, _ text: String) -> [ProviderAssumption] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            precondition(parts.count == 4, "an assumption has four parts: \(line)")
            return ProviderAssumption(
                place: "\(provider).\(parts[0])", parts[1], setting: parts[2] == "-" ? nil : parts[2], parts[3])
        }
    }
}
