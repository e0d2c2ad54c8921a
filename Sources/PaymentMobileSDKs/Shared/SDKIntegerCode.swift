/// A number that stands for a word of a vendor's kit and keeps values which its document doesn't list.
public protocol SDKIntegerCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == Int {
    /// Takes the number as the kit has it.
    init(rawValue: Int)
}

extension SDKIntegerCode {
    /// The kit's number in digits.
    public var description: String { String(rawValue) }
}
