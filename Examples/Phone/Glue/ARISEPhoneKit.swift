#if canImport(AriseMobileSdk)
import AriseMobileSdk
import Foundation
import PaymentBase
import PaymentKits
import UIKit

/// The ARISE Mobile SDK as the kit that our driver pays with; made on the main thread, as the SDK wants it.
@MainActor final class ARISEPhoneKit: ARISEKit.TappingSdk {
    private let sdk: AriseMobileSdk
    private let tap: ARISEPhoneTaps

    /// Makes the SDK.
    ///
    /// - Parameters:
    ///   - environment: Where payments go.
    ///   - screen: What Apple's lesson is shown from.
    init(_ environment: ARISEKit.Environment, screen: UIViewController) throws {
        sdk = try AriseMobileSdk(environment: environment == .production ? .production : .uat)
        tap = ARISEPhoneTaps(sdk.ttp, screen)
    }

    @MainActor var ttp: any ARISEKit.TTP { get async { tap } }

    @MainActor func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEKit.Failure) -> Bool {
        do { return try await sdk.authenticate(clientId: clientId, clientSecret: clientSecret.expose()) } catch {
            throw ARISEKit.Failure(error)
        }
    }

    @MainActor func getAccessToken() async -> Secret? { sdk.getAccessToken().map { Secret($0) } }

    @MainActor func refreshAccessToken() async throws(ARISEKit.Failure) -> Bool {
        do { return try await sdk.refreshAccessToken() } catch { throw ARISEKit.Failure(error) }
    }

    @MainActor func clearStoredToken() async { sdk.clearStoredToken() }

    @MainActor func calculateAmount(
        request: ARISEKit.CalculateAmountRequest
    ) async throws(ARISEKit.Failure) -> ARISEKit.CalculateAmountResponse {
        do {
            let said = try await sdk.calculateAmount(
                request: CalculateAmountRequest(
                    amount: request.amount.binary, percentageOffRate: request.percentageOffRate?.binary,
                    surchargeRate: request.surchargeRate?.binary, tipAmount: request.tipAmount?.binary,
                    tipRate: request.tipRate?.binary, useCardPrice: request.useCardPrice))
            let answer = try ARISEKit.CalculateAmountResponse(said, currency: request.currency)
            tap.calculated = (answer, said)
            return answer
        } catch { throw ARISEKit.Failure(error) }
    }
}

/// The part of the SDK that taps.
@MainActor final class ARISEPhoneTaps: ARISEKit.TTP {
    private let ttp: TTP
    private let screen: UIViewController
    /// The last calculation, which the SDK wants back as its own value.
    fileprivate var calculated: (ours: ARISEKit.CalculateAmountResponse, its: CalculateAmountResponse)?

    init(_ ttp: TTP, _ screen: UIViewController) { (self.ttp, self.screen) = (ttp, screen) }

    @MainActor func checkCompatibility() async -> ARISEKit.TTPCompatibilityResult {
        let said = ttp.checkCompatibility()
        return ARISEKit.TTPCompatibilityResult(
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

    @MainActor func getStatus() async throws(ARISEKit.Failure) -> ARISEKit.TTPStatus {
        do { return ARISEKit.TTPStatus(rawValue: try await ttp.getStatus().rawValue) } catch {
            throw ARISEKit.Failure(error)
        }
    }

    @MainActor func activate() async throws(ARISEKit.Failure) {
        do { try await ttp.activate() } catch { throw ARISEKit.Failure(error) }
    }

    @MainActor func showEducationalInfo() async throws(ARISEKit.Failure) {
        do { try await ttp.showEducationalInfo(from: screen) } catch { throw ARISEKit.Failure(error) }
    }

    @MainActor func prepare() async throws(ARISEKit.Failure) {
        do { try await ttp.prepare() } catch { throw ARISEKit.Failure(error) }
    }

    @MainActor func performTransaction(amount: KitDecimal) async throws(ARISEKit.Failure)
        -> ARISEKit.TTPTransactionResult
    {
        guard let exact = Decimal(string: amount.text, locale: Locale(identifier: "en_US_POSIX")) else {
            throw .api(.badRequest("the amount is no decimal number"))
        }
        do { return ARISEKit.TTPTransactionResult(try await ttp.performTransaction(amount: exact)) } catch {
            throw ARISEKit.Failure(error)
        }
    }

    @MainActor func performTransaction(
        calculationResult: ARISEKit.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEKit.Failure) -> ARISEKit.TTPTransactionResult {
        // Another price than the last one that was asked for is not the customer's.
        guard let calculated, calculated.ours == calculationResult else { throw .ttp(.sdkNotInitialized) }
        do {
            return ARISEKit.TTPTransactionResult(
                try await ttp.performTransaction(calculationResult: calculated.its, isDebitCard: isDebitCard))
        } catch { throw ARISEKit.Failure(error) }
    }

    @MainActor func abortTransaction() async throws(ARISEKit.Failure) -> Bool {
        do { return try await ttp.abortTransaction() } catch { throw ARISEKit.Failure(error) }
    }

    @MainActor func eventsStream() async throws(ARISEKit.Failure) -> AsyncStream<ARISEKit.TTPEvent> {
        let events: AsyncStream<TTPEvent>
        do { events = try ttp.eventsStream() } catch { throw ARISEKit.Failure(error) }
        return AsyncStream { continuation in
            let hearing = Task {
                for await event in events { continuation.yield(ARISEKit.TTPEvent(event)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in hearing.cancel() }
        }
    }
}
#endif
