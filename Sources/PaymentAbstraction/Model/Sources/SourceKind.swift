/// The kinds of source that there are.
public enum SourceKind: String, Hashable, Sendable, CaseIterable {
    case reader, card, external, wallet, saved, token, bank
}
