#if canImport(ARISEMobileSDK) || canImport(FluteMobileSDK)
#if canImport(ARISEMobileSDK)
import ARISEMobileSDK
#else
import FluteMobileSDK

/// The successor's name for the same class; of the successor no more than this name and the calls of its readme is public.
typealias AriseMobileSdk = FluteMobileSdk
#endif
import Foundation
import PaymentBase
import PaymentMobileSDKs
import UIKit

/// The ARISE Mobile SDK as the kit that our driver pays with; made on the main thread, as the SDK wants it.
@MainActor final class ARISEPhoneKit: ARISEPhoneSDK.TappingSdk {
    private let sdk: Confined<AriseMobileSdk>
    private let tap: ARISEPhoneTaps

    /// Makes the SDK.
    ///
    /// - Parameters:
    ///   - environment: Where payments go.
    ///   - screen: What Apple's lesson is shown from.
    init(_ environment: ARISEPhoneSDK.Environment, screen: UIViewController) throws {
        let made = try AriseMobileSdk(environment: environment == .production ? .production : .uat)
        sdk = Confined(made)
        tap = ARISEPhoneTaps(made.ttp, screen)
    }

    @MainActor var ttp: any ARISEPhoneSDK.TTP { get async { tap } }

    @MainActor func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEPhoneSDK.Failure) -> Bool {
        let secret = clientSecret.expose()
        do { return try await unsafe sdk.leaving().authenticate(clientId: clientId, clientSecret: secret) } catch {
            throw ARISEPhoneSDK.Failure(error)
        }
    }

    @MainActor func getDeviceId() async -> String { sdk.object.getDeviceId() }

    @MainActor func getAccessToken() async -> Secret? {
        await unsafe sdk.leaving().getAccessToken().map(Secret.init)
    }

    @MainActor func refreshAccessToken() async throws(ARISEPhoneSDK.Failure) -> Bool {
        do { return try await unsafe sdk.leaving().refreshAccessToken() } catch { throw ARISEPhoneSDK.Failure(error) }
    }

    @MainActor func clearStoredToken() async { sdk.object.clearStoredToken() }

    @MainActor func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        guard let currency = Currency(rawValue: request.currency.rawValue) else {
            throw .api(.badRequest("the SDK has no currency of the number \(request.currency)"))
        }
        do {
            let asked = CalculateAmountRequest(
                amount: request.amount.binary, currency: currency,
                percentageOffRate: request.percentageOffRate?.binary,
                surchargeRate: request.surchargeRate?.binary, tipAmount: request.tipAmount?.binary,
                tipRate: request.tipRate?.binary, useCardPrice: request.useCardPrice)
            let said = try await unsafe sdk.leaving().calculateAmount(request: asked)
            let answer = try ARISEPhoneSDK.CalculateAmountResponse(said)
            tap.calculated = (answer, said)
            return answer
        } catch { throw ARISEPhoneSDK.Failure(error) }
    }
}

/// The part of the SDK that taps.
@MainActor final class ARISEPhoneTaps: ARISEPhoneSDK.TTP {
    private let ttp: Confined<AriseMobileTTP>
    private let screen: UIViewController
    /// The last calculation, which the SDK wants back as its own value.
    fileprivate var calculated: (ours: ARISEPhoneSDK.CalculateAmountResponse, its: CalculateAmountResponse)?

    init(_ ttp: AriseMobileTTP, _ screen: UIViewController) { (self.ttp, self.screen) = (Confined(ttp), screen) }

    @MainActor func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult {
        let said = ttp.object.checkCompatibility()
        return ARISEPhoneSDK.TTPCompatibilityResult(
            isCompatible: said.isCompatible,
            deviceModelCheck: .init(
                isCompatible: said.deviceModelCheck.isCompatible,
                modelIdentifier: said.deviceModelCheck.modelIdentifier),
            iosVersionCheck: .init(
                isCompatible: said.iosVersionCheck.isCompatible, version: said.iosVersionCheck.version,
                minimumRequiredVersion: said.iosVersionCheck.minimumRequiredVersion),
            locationPermission: .init(rawValue: said.locationPermission.rawValue),
            tapToPayEntitlement: .init(rawValue: said.tapToPayEntitlement.rawValue),
            incompatibilityReasons: said.incompatibilityReasons)
    }

    @MainActor func getStatus() async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPStatus {
        do { return ARISEPhoneSDK.TTPStatus(rawValue: try await unsafe ttp.leaving().getStatus().rawValue) } catch {
            throw ARISEPhoneSDK.Failure(error)
        }
    }

    @MainActor func activate() async throws(ARISEPhoneSDK.Failure) {
        do { try await unsafe ttp.leaving().activate() } catch { throw ARISEPhoneSDK.Failure(error) }
    }

    @MainActor func showEducationalInfo() async throws(ARISEPhoneSDK.Failure) {
        do { try await ttp.object.showEducationalInfo(from: screen) } catch { throw ARISEPhoneSDK.Failure(error) }
    }

    @MainActor func prepare() async throws(ARISEPhoneSDK.Failure) {
        do { try await unsafe ttp.leaving().prepare() } catch { throw ARISEPhoneSDK.Failure(error) }
    }

    @MainActor func performTransaction(amount: SDKDecimal) async throws(ARISEPhoneSDK.Failure)
        -> ARISEPhoneSDK.TTPTransactionResult
    {
        guard let exact = Decimal(string: amount.text, locale: Locale(identifier: "en_US_POSIX")) else {
            throw .api(.badRequest("the amount is no decimal number"))
        }
        do { return ARISEPhoneSDK.TTPTransactionResult(try await ttp.object.performTransaction(amount: exact)) } catch {
            throw ARISEPhoneSDK.Failure(error)
        }
    }

    @MainActor func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        // Another price than the last one that was asked for is not the customer's.
        guard let calculated, calculated.ours == calculationResult else { throw .ttp(.sdkNotInitialized) }
        do {
            return ARISEPhoneSDK.TTPTransactionResult(
                try await ttp.object.performTransaction(calculationResult: calculated.its, isDebitCard: isDebitCard))
        } catch { throw ARISEPhoneSDK.Failure(error) }
    }

    @MainActor func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool {
        do { return try await ttp.object.abortTransaction() } catch { throw ARISEPhoneSDK.Failure(error) }
    }

    @MainActor func eventsStream() async throws(ARISEPhoneSDK.Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
        let events: AsyncStream<TTPEvent>
        do { events = try ttp.object.eventsStream() } catch { throw ARISEPhoneSDK.Failure(error) }
        let (copy, continuation) = AsyncStream.makeStream(of: ARISEPhoneSDK.TTPEvent.self)
        let copying = Task {
            for await event in events { continuation.yield(ARISEPhoneSDK.TTPEvent(event)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in copying.cancel() }
        return copy
    }
}
#else
#error("No module ARISEMobileSDK or FluteMobileSDK: add one of the two packages, or leave this file out.")
#endif
