public import PaymentBase

/// Adyen's POS Mobile SDK for iOS, which takes card payments on a phone or a paired reader, as values and a protocol.
///
/// The name space is not called `Adyen`, which would hide the module of that name. A payment's request and answer are
/// Terminal API messages as JSON bytes; what they mean is the adapter's business, as with a terminal.
public enum AdyenPhoneSDK {
    /// The SDK's payment service, which makes card payments and refunds; an application makes the SDK conform.
    ///
    /// The SDK opens and renews its session by itself. Payments and refunds don't throw: what went wrong is in the
    /// answer.
    public protocol PaymentService: Sendable {
        /// The installation that a payment's `MessageHeader` names as its `POIID`; throws while there is no session.
        var installationId: String { get async throws(ErrorCode) }

        /// Looks after the session and the reader ahead of the first payment, at each return to the foreground.
        func warmUp() async throws(ErrorCode)

        /// Asks whether the phone has the reader that payments are to use, so that a payment doesn't fail for it.
        func getPaymentInterface(with interface: PaymentInterface) async throws(ErrorCode)

        /// Forgets the session, so that the SDK asks for another one before the next payment; the document leaves it out,
        /// and the SDK's public interface has it.
        func resetSession() async throws(ErrorCode)

        /// Makes a payment or an unreferenced refund, with the SDK's own screens.
        func performTransaction(
            with request: Payment.Request, paymentInterface: PaymentInterface,
            presentationMode: TransactionPresentationMode
        ) async -> Payment.Response

        /// Makes a referenced refund; its answer says only that the refund was received.
        func performReversal(with request: Reversal.Request) async -> Reversal.Response
    }

    /// The server leg: gives the session's `sdkData` for the SDK's set-up token.
    ///
    /// The application's server calls `/checkout/possdk/v68/sessions` with its own key; no key for payments is on the
    /// phone. A conformance hands the function to the SDK as the delegate that registers it.
    public typealias Registration = @Sendable (_ setupToken: Secret) async throws -> Secret

    /// The messages of payments and unreferenced refunds.
    public enum Payment {
        /// A payment's request, of which the SDK refuses what it can't read.
        public struct Request: Hashable, Sendable {
            /// The Terminal API request as JSON.
            public let data: [UInt8]
            /// Wraps a payment's request.
            public init(data: [UInt8]) { self.data = data }
        }

        /// A payment's answer.
        public typealias Response = Answer
    }

    /// The messages of referenced refunds.
    public enum Reversal {
        /// A refund's request, of which the SDK refuses what it can't read.
        public struct Request: Hashable, Sendable {
            /// The Terminal API request as JSON.
            public let data: [UInt8]
            /// Wraps a refund's request.
            public init(data: [UInt8]) { self.data = data }
        }

        /// A refund's answer.
        public typealias Response = Answer
    }

    /// What the SDK answers to a payment or a refund.
    public enum Answer: Hashable, Sendable {
        /// The Terminal API answer as JSON, with the payment's result or with errors in it.
        case message([UInt8])
        /// The SDK ended the payment without such an answer; the document speaks only of errors inside one.
        case failed(ErrorCode)
    }

    /// Which reader takes the payment's card.
    public struct PaymentInterface: SDKTextCode {
        /// The reader's spelling in the SDK.
        public let rawValue: String
        /// Takes a reader's spelling in the SDK.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A paired card reader.
        public static let cardReader = Self(rawValue: "cardReader")
        /// The phone itself; the document names the solution, not the case.
        public static let tapToPay = Self(rawValue: "tapToPay")
    }

    /// How a payment's screen is shown; the view itself stays with the application.
    public struct TransactionPresentationMode: Hashable, Sendable {
        /// Which framework of Apple's shows the payment's screen.
        public let style: Style
        /// What of the payment's screen can be changed.
        public var parameters: Parameters

        /// Chooses how a payment's screen is shown.
        public init(_ style: Style, parameters: Parameters = Parameters()) {
            (self.style, self.parameters) = (style, parameters)
        }

        /// The payment's screen inside a SwiftUI view.
        public static let viewModifier = Self(.viewModifier)
        /// The payment's screen over a UIKit view controller.
        public static let presentingViewController = Self(.presentingViewController)

        /// Which framework of Apple's shows the payment's screen.
        public enum Style: String, Hashable, Sendable, CaseIterable {
            /// SwiftUI, around the payment's button.
            case viewModifier
            /// UIKit, over the till's own screen.
            case presentingViewController
        }
    }

    /// What of a payment's screen can be changed.
    public struct Parameters: Hashable, Sendable {
        /// The shortest time that the success screen may stay after a payment, in milliseconds.
        public static let successScreenMillisecondsMin: Int64 = 500
        /// The longest time that the success screen may stay after a payment, in milliseconds.
        public static let successScreenMillisecondsMax: Int64 = 4_000

        /// A bitmap to show in the payment, with a transparent ground, at most 40 points high.
        public var logo: [UInt8]?
        /// How long the success screen stays after a payment, in milliseconds; four seconds without it.
        public var successScreenTimeout: Int64?

        /// Leaves the payment's screen as it is.
        public init(logo: [UInt8]? = nil, successScreenTimeout: Int64? = nil) {
            (self.logo, self.successScreenTimeout) = (logo, successScreenTimeout)
        }
    }
}
