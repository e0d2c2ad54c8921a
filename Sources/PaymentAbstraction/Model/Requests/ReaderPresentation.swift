/// How the reader presents itself during a payment.
public struct ReaderPresentation: Hashable, Sendable {
    /// A picture to show, as the bytes of a PNG.
    public var logo: [UInt8]?
    /// How long the success screen stays; nil leaves it to the reader.
    public private(set) var successScreen: Duration?

    /// How long a success screen may stay.
    public static let successScreenRange: ClosedRange<Duration> = .milliseconds(500)...(.seconds(4))
    /// The largest logo.
    public static let logoBytesMax = 1_024 * 1_024

    /// Leaves everything as the reader has it.
    public init() {}

    /// Sets how long the success screen stays.
    ///
    /// - Throws: `invalidRequest`, nothing moved, outside of 500 to 4,000 milliseconds.
    public mutating func showSuccess(for duration: Duration) throws(PaymentError) {
        guard Self.successScreenRange.contains(duration) else {
            throw PaymentError.notExecuted(
                .invalidRequest, "a success screen stays for 500 to 4,000 milliseconds, not \(duration)")
        }
        successScreen = duration
    }
}
