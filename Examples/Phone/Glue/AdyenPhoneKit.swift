#if canImport(AdyenPOS)
import AdyenPOS
import Foundation
import PaymentBase
import PaymentKits
import UIKit

/// Adyen's POS Mobile SDK as the kit that our driver pays with.
@MainActor final class AdyenPhoneKit: AdyenKit.PaymentService {
    private let service: PaymentService
    private let delegate: AdyenRegistration
    /// What the payment's screen is shown over.
    private let screen: UIViewController

    init(_ registration: @escaping AdyenKit.Registration, screen: UIViewController) {
        delegate = AdyenRegistration(registration)
        service = PaymentService(delegate: delegate)
        self.screen = screen
    }

    @MainActor var installationId: String {
        get async throws(AdyenKit.ErrorCode) {
            do { return try service.installationId } catch { throw AdyenKit.ErrorCode(error) }
        }
    }

    @MainActor func warmUp() async throws(AdyenKit.ErrorCode) {
        do { try await service.warmUp() } catch { throw AdyenKit.ErrorCode(error) }
    }

    @MainActor func getPaymentInterface(with interface: AdyenKit.PaymentInterface) async throws(AdyenKit.ErrorCode) {
        do { _ = try service.getPaymentInterface(with: interface.type) } catch { throw AdyenKit.ErrorCode(error) }
    }

    @MainActor func resetSession() async { service.resetSession() }

    @MainActor func performTransaction(
        with request: AdyenKit.Payment.Request, paymentInterface: AdyenKit.PaymentInterface,
        presentationMode: AdyenKit.TransactionPresentationMode
    ) async -> AdyenKit.Payment.Response {
        do {
            let interface = try service.getPaymentInterface(with: paymentInterface.type)
            let seconds = presentationMode.parameters.successScreenTimeout.map { TimeInterval($0) / 1_000 }
            let said = await service.performTransaction(
                with: try Payment.Request(data: Data(request.data)), paymentInterface: interface,
                presentationMode: .presentingViewController(screen, parameters: .init(successScreenTimeout: seconds)))
            return .message(Array(said.data))
        } catch { return .failed(AdyenKit.ErrorCode(error)) }
    }

    @MainActor func performReversal(with request: AdyenKit.Reversal.Request) async -> AdyenKit.Reversal.Response {
        do {
            return .message(
                Array(await service.performReversal(with: try Reversal.Request(data: Data(request.data))).data))
        } catch { return .failed(AdyenKit.ErrorCode(error)) }
    }
}

/// Gets a session from the application's server.
@MainActor private final class AdyenRegistration: PaymentServiceDelegate {
    private let registration: AdyenKit.Registration
    init(_ registration: @escaping AdyenKit.Registration) { self.registration = registration }

    @MainActor func register(with setupToken: String) async throws -> String {
        try await registration(Secret(setupToken)).expose()
    }
}

extension AdyenKit.PaymentInterface {
    fileprivate var type: PaymentInterfaceType { self == .cardReader ? .cardReader : .tapToPay }
}

extension AdyenKit.ErrorCode {
    fileprivate init(_ error: any Error) {
        self.init(rawValue: (error as? AdyenPOS.PaymentError)?.rawValue ?? String(describing: type(of: error)))
    }
}
#endif
