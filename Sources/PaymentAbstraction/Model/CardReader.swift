public import PaymentBase

/// The hardware that reads cards. Adapters never see it; the client hands its reads to them.
///
/// A reader may live on the main actor. Its class is then `@MainActor`, and each witness repeats the attribute, so
/// that it is clear at the declaration on which actor it runs:
///
/// ```swift
/// @MainActor final class PhoneReader: CardReader {
///     @MainActor func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
///     @MainActor func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { self.sink = sink }
///     @MainActor func prepare(token: Secret) async throws { … }
///     @MainActor func read(_ request: CardReadRequest) async throws -> CardReadResult { … }
///     @MainActor func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult { … }
///     @MainActor func cancel() async throws -> CancelResult { … }
/// }
/// ```
public protocol CardReader: Sendable {
    /// Checks what the device has and what is needed.
    func compatibility() async -> ReaderCompatibility
    /// Hands every event to `sink` from now on; called once, before anything else.
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async
    /// Gets ready with the provider's token; may be called again at any time and reports progress as events.
    func prepare(token: Secret) async throws
    /// Waits for a card; honours cancellation of the task.
    func read(_ request: CardReadRequest) async throws -> CardReadResult
    /// Captures the PIN for a card that was read a moment ago.
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult
    /// Ends the wait for a card, if it is not too late.
    func cancel() async throws -> CancelResult
}

/// What a card is read for; the amount goes into the card's own cryptogram.
public struct CardReadRequest: Hashable, Sendable {
    /// What the read is for.
    public enum Purpose: String, Hashable, Sendable {
        /// Money is taken.
        case purchase
        /// Money is given.
        case refund
        /// The card is only looked at.
        case verification
    }

    /// What the reader shows.
    public let amount: Money
    /// What the card is read for.
    public let purpose: Purpose
    /// How the reader presents itself.
    public var presentation = ReaderPresentation()
    /// The language of the customer.
    public var language: String?

    /// Asks for a read.
    public init(_ purpose: Purpose = .purchase, _ amount: Money) { (self.purpose, self.amount) = (purpose, amount) }
}

/// What came off a card; opaque to adapters, which pass it on.
public struct CardReadResult: Hashable, Sendable {
    /// The reader's name for this read.
    public let id: String
    /// The card's and the reader's tags that the provider asked for.
    public let generalCardData: Secret
    /// What only the provider can read.
    public let paymentCardData: Secret
    /// When the card was read, in milliseconds since 1970.
    public let at: Int64
    /// Whether the customer continued without a PIN.
    public var pinBypassed = false
    /// Whether the card itself refused.
    public var isDeclinedByCard = false

    /// Makes a read.
    public init(id: String, generalCardData: Secret, paymentCardData: Secret, at: Int64) {
        (self.id, self.generalCardData, self.paymentCardData, self.at) = (id, generalCardData, paymentCardData, at)
    }
}

/// A reader whose device has to be linked to the merchant's account, with terms to accept.
public protocol AccountLinkingReader: CardReader {
    /// Whether the terms were accepted for the token's merchant.
    func isLinked(token: Secret) async throws -> Bool
    /// Shows the terms and links the device; `again` links it to another account than before.
    func link(token: Secret, again: Bool) async throws
}

/// A reader that has a screen which teaches how to take a card.
public protocol MerchantEducationReader: CardReader {
    /// Shows the screen and returns when it was closed.
    func showEducation() async throws
}

/// What happened to the application around the reader.
public enum AppLifecycle: String, Hashable, Sendable {
    /// The application came to the front.
    case becameActive
    /// The application left the front.
    case enteredBackground
}

/// How the reader presents itself during a payment.
public struct ReaderPresentation: Hashable, Sendable {
    /// A picture to show, as the bytes of a PNG.
    public var logo: [UInt8]?
    /// How long the success screen stays; nil leaves it to the reader.
    public private(set) var successScreen: Duration?
    /// Whether the application's views present the reader's screens themselves, as a modifier of SwiftUI does; else they
    /// are presented from a view controller. Readers without that choice ignore it.
    public var isPresentedByViews = false
    /// What reads the card of this payment, where a phone has both; nil leaves it to the configuration. Readers without that
    /// choice ignore it.
    public var hardware: Hardware?

    /// What can read a card at a phone.
    public enum Hardware: String, Hashable, Sendable, CaseIterable {
        /// The phone itself.
        case phone
        /// A reader that is paired with it.
        case reader
    }

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
