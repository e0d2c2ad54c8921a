// The names of Adyen's POS Mobile SDK for iOS as its document and its public interface have them, as far as Examples/Phone
// uses them, for Scripts/apple alone. Assumed: that the service belongs to the main actor, and what an answer looks like.
// Nothing of it ever runs.

public import Foundation
public import UIKit

@MainActor public protocol PaymentServiceDelegate: AnyObject {
    func register(with setupToken: String) async throws -> String
}

@MainActor public final class PaymentService {
    public init(delegate: any PaymentServiceDelegate) {}
    public var installationId: String { get throws { "" } }
    public func warmUp() async throws {}
    public func getPaymentInterface(with type: PaymentInterfaceType) throws -> any PaymentInterface {
        throw PaymentError.tapToPayNotSupported
    }
    public func performTransaction(
        with request: Payment.Request, paymentInterface: any PaymentInterface,
        presentationMode: TransactionPresentationMode
    ) async -> Payment.Response { Payment.Response() }
    public func performReversal(with request: Reversal.Request) async -> Reversal.Response { Reversal.Response() }
    public func resetSession() {}
}

public enum PaymentInterfaceType: Sendable {
    case cardReader, tapToPay
}

public protocol PaymentInterface {}

public enum Payment {
    public struct Request: Sendable {
        public init(data: Data) throws {}
    }

    public struct Response: Sendable {
        public let data = Data()
    }
}

public enum Reversal {
    public struct Request: Sendable {
        public init(data: Data) throws {}
    }

    public struct Response: Sendable {
        public let data = Data()
    }
}

@MainActor public struct TransactionPresentationMode {
    public struct Parameters: Sendable {
        public init(successScreenTimeout: TimeInterval? = nil) {}
    }

    public static func presentingViewController(
        _ controller: UIViewController, parameters: Parameters = Parameters()
    ) -> Self { Self() }
}

public enum PaymentError: String, Error, Sendable {
    case transactionInProgress, tapToPayNotSupported, unableToObtainInstallationId
}
