#if canImport(AdyenPOS)
import AdyenPOS
import Foundation
import PaymentBase
import PaymentMobileSDKs
import UIKit

/// Adyen's POS Mobile SDK as the kit that our driver pays with.
@MainActor final class AdyenPhoneKit: AdyenPhoneSDK.PaymentService {
    private let service: Confined<PaymentService>
    /// Kept, since the SDK holds it weakly.
    private let delegate: AdyenRegistration
    /// What the payment's screen is shown over.
    private let screen: UIViewController

    init(_ registration: @escaping AdyenPhoneSDK.Registration, screen: UIViewController) {
        delegate = AdyenRegistration(registration)
        service = Confined(PaymentService(delegate: delegate))
        self.screen = screen
    }

    @MainActor var installationId: String {
        get async throws(AdyenPhoneSDK.ErrorCode) {
            do { return try service.object.installationId } catch { throw AdyenPhoneSDK.ErrorCode(error) }
        }
    }

    @MainActor func warmUp() async throws(AdyenPhoneSDK.ErrorCode) {
        do { try await service.object.warmUp() } catch { throw AdyenPhoneSDK.ErrorCode(error) }
    }

    @MainActor func getPaymentInterface(with interface: AdyenPhoneSDK.PaymentInterface) async throws(AdyenPhoneSDK
        .ErrorCode)
    {
        do { _ = try await unsafe service.leaving().getPaymentInterface(with: interface.type) } catch {
            throw AdyenPhoneSDK.ErrorCode(error)
        }
    }

    @MainActor func resetSession() async throws(AdyenPhoneSDK.ErrorCode) {
        do { try await service.object.resetSession() } catch { throw AdyenPhoneSDK.ErrorCode(error) }
    }

    @MainActor func performTransaction(
        with request: AdyenPhoneSDK.Payment.Request, paymentInterface: AdyenPhoneSDK.PaymentInterface,
        presentationMode: AdyenPhoneSDK.TransactionPresentationMode
    ) async -> AdyenPhoneSDK.Payment.Response {
        do {
            let interface = try await unsafe service.leaving().getPaymentInterface(with: paymentInterface.type)
            return .message(
                Array(
                    await unsafe service.leaving().performTransaction(
                        with: try Payment.Request(data: Data(request.data)), paymentInterface: interface,
                        presentationMode: try Self.mode(presentationMode, over: screen))))
        } catch { return .failed(AdyenPhoneSDK.ErrorCode(error)) }
    }

    @MainActor func performReversal(with request: AdyenPhoneSDK.Reversal.Request) async
        -> AdyenPhoneSDK.Reversal.Response
    {
        do {
            let asked = try Reversal.Request(data: Data(request.data))
            return .message(Array(await unsafe service.leaving().performReversal(with: asked)))
        } catch { return .failed(AdyenPhoneSDK.ErrorCode(error)) }
    }

    /// How the payment is shown, made apart from the main actor, which it leaves with the payment.
    private nonisolated static func mode(
        _ said: AdyenPhoneSDK.TransactionPresentationMode, over screen: UIViewController
    ) throws -> sending TransactionPresentationMode {
        // The application's own modifier has the logo and the time then.
        if said.style == .viewModifier { return .viewModifier }
        let parameters = try said.parameters.successScreenTimeout.map {
            try PaymentService.Parameters(successScreenTimeout: TimeInterval($0) / 1_000)
        }
        let logo = said.parameters.logo.flatMap { UIImage(data: Data($0)) }
        return .presentingViewController(screen, logo: logo, parameters: parameters)
    }
}

/// Gets a session from the application's server, on whatever thread the SDK asks for it.
private nonisolated final class AdyenRegistration: PaymentServiceDelegate {
    private let registration: AdyenPhoneSDK.Registration
    init(_ registration: @escaping AdyenPhoneSDK.Registration) { self.registration = registration }

    func register(with setupToken: String) async throws -> String {
        try await registration(Secret(setupToken)).expose()
    }
}

nonisolated extension AdyenPhoneSDK.PaymentInterface {
    fileprivate var type: PaymentInterfaceType { self == .cardReader ? .cardReader : .tapToPay }
}

nonisolated extension AdyenPhoneSDK.ErrorCode {
    /// The SDK's error by its case, which its description doesn't give; one of another type proves nothing.
    fileprivate init(_ error: any Error) {
        guard let error = error as? AdyenPOSError else {
            self.init(rawValue: String(describing: type(of: error)))
            return
        }
        self =
            switch error {
            case .backgroundWarmupNotAllowed: .backgroundWarmupNotAllowed
            case .bluetoothFirmwareUpdateError: .bluetoothFirmwareUpdateError
            case .deviceConnectionFailure: .deviceConnectionFailure
            case .firmwareDownloadError: .firmwareDownloadError
            case .firmwareUpdateError: .firmwareUpdateError
            case .invalidSuccessScreenTimeout: .invalidSuccessScreenTimeout
            case .malformedTransactionRequest: .malformedTransactionRequest
            case .noPairedReaders: .noPairedReaders
            case .paymentInterfaceNotSupported: .paymentInterfaceNotSupported
            case .tapToPayNotAllowed: .tapToPayNotAllowed
            case .tapToPayNotSupported: .tapToPayNotSupported
            case .tapToPayPaymentInterfaceFailure: .tapToPayPaymentInterfaceFailure
            case .transactionInProgress: .transactionInProgress
            case .unableToFetchCardReaderBatteryInfo: .unableToFetchCardReaderBatteryInfo
            case .unableToObtainInstallationId: .unableToObtainInstallationId
            @unknown default: Self(rawValue: "AdyenPOSError.\(error)")
            }
    }
}
#else
#error("No module AdyenPOS: add AdyenPOSTEST or AdyenPOSLIVE of adyen-pos-mobile-ios, or leave this file out.")
#endif
