/// How the reader presents itself during a payment.
public struct ReaderPresentation: Hashable, Sendable {
    /// A picture to show, as the bytes of a PNG.
    public var logo: [UInt8]?
    /// How long the success screen stays, in milliseconds.
    public private(set) var successScreenMilliseconds: Int64?

    /// How long a success screen may stay.
    public static let successScreenMillisecondsRange: ClosedRange<Int64> = 500...4_000
    /// The largest logo.
    public static let logoBytesMax = 1_024 * 1_024

    /// Leaves everything as the reader has it.
    public init() {}

    /// Sets how long the success screen stays.
    ///
    /// - Throws: `invalidRequest`, nothing moved, outside of 500 to 4,000 milliseconds.
    public mutating func showSuccess(forMilliseconds milliseconds: Int64) throws(PaymentError) {
        guard Self.successScreenMillisecondsRange.contains(milliseconds) else {
            throw PaymentError.nothingMoved(
                .invalidRequest, "a success screen stays for 500 to 4,000 milliseconds, not \(milliseconds)")
        }
        successScreenMilliseconds = milliseconds
    }
}
