/// A word of a vendor's kit that keeps spellings which its document doesn't list.
public protocol SDKTextCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == String {
    /// Takes the word as the kit spells it.
    init(rawValue: String)
}

extension SDKTextCode {
    /// The word as the kit spells it.
    public var description: String { rawValue }
}
