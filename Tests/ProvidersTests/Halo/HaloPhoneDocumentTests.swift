import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import HaloProvider

/// What the document says of the SDK's life outside payments.
@Suite struct HaloPhoneDocumentTests {
    /// An SDK that counts how often it is made ready and released.
    private final class Counting: HaloPhoneSDK.SDK {
        let inner: any HaloPhoneSDK.SDK
        let counts = Locked((beginnings: 0, ends: 0))
        init(_ inner: any HaloPhoneSDK.SDK) { self.inner = inner }

        func initialize(
            tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
        ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
            counts.withLock { $0.beginnings += 1 }
            return try await inner.initialize(tokenProvider: tokenProvider, environment: environment)
        }
        func startContactlessPayment(
            amountMinor: Int64, currency: String, merchantReference: String,
            passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
        ) async -> HaloPhoneSDK.HaloPaymentResult {
            await inner.startContactlessPayment(
                amountMinor: amountMinor, currency: currency, merchantReference: merchantReference,
                passthroughFields: passthroughFields, type: type)
        }
        func cancelPayment() async { await inner.cancelPayment() }
        func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
            await inner.setEventDelegate(delegate)
        }
        func deinitialize() async {
            counts.withLock { $0.ends += 1 }
            await inner.deinitialize()
        }
    }

    private static func counted() -> (HaloKitTill, Counting) {
        var till = HaloKitTill()
        let kit = Counting(till.kit)
        till.bend = { _ in kit }
        return (till, kit)
    }

    @Test(arguments: [
        (
            HaloPhoneSDK.HaloError.deviceNotSupported(.osVersionNotSupported),
            ReaderCompatibility.Check.Kind.systemVersion
        ),
        (.deviceNotSupported(.modelNotSupported), .model), (.deviceNotCompliant, .integrity),
    ])
    func refusalOfADevice_saysWhatIsInTheWay(
        _ error: HaloPhoneSDK.HaloError, _ kind: ReaderCompatibility.Check.Kind
    ) throws {
        let till = HaloKitTill()
        till.kit.failPreparation(error)
        let found = try #require(try till.play { try await $0.reader?.compatibility() })
        #expect(found.checks.filter { !$0.passed }.map(\.kind) == [kind])
    }

    @Test func errorOfThePreparation_bringsReasonAndDetail() throws {
        let till = HaloKitTill()
        till.kit.failPreparation(.readerError(.init(rawValue: "prepareFailed"), detail: "2023"))
        let error = till.failure { try await $0.reader?.prepare() }
        #expect(error?.provider?.code == "HaloError.readerError")
        #expect(error?.provider?.message == "prepareFailed: 2023")
    }

    /// The SDK may show terms and lessons while it is initialised: a look at the device and the preparation after it are one.
    @Test func lookAtTheDevice_andThePreparation_initialiseOnce() throws {
        let (till, kit) = Self.counted()
        try till.play { client in
            #expect(try await client.reader?.compatibility().isCompatible == true)
            #expect(try await client.reader?.compatibility().isCompatible == true)
            try await client.reader?.prepare()
            _ = try await HaloTill.sale(client)
        }
        #expect(kit.counts.withLock { $0.beginnings } == 1)
        // A later preparation is one of its own.
        try till.play { try await $0.reader?.prepare() }
        #expect(kit.counts.withLock { $0.beginnings } == 2)
    }

    @Test func signingOut_leavesNothingInTheKit() throws {
        let (till, kit) = Self.counted()
        try till.play { client in
            try await client.session?.open()
            try await client.reader?.prepare()
            try await client.session?.signOut()
            #expect(client.reader?.isReady == false)
            _ = try await HaloTill.sale(client)
        }
        #expect(kit.counts.withLock { $0.ends } == 1 && kit.counts.withLock { $0.beginnings } == 2)
    }

    /// Steps outside a payment are events of the client; each step has the SDK's own time.
    @Test func stepsOutsideAPayment_areAnnouncedWithTheirTime() throws {
        let till = HaloKitTill()
        let client = try till.client()
        let seen = try till.scheduler.run { [scheduler = till.scheduler] in
            let events = client.events()
            try await client.reader?.prepare()
            var seen: [PaymentEvent] = []
            for await event in events {
                if event.kind == .readerReady { break }
                seen.append(event)
            }
            _ = scheduler.now
            return seen
        }
        let kinds = seen.map(\.kind.rawValue)
        #expect(kinds.contains("halo.sdkInitialized") && kinds.contains("halo.sdkReaderPrepared"), "\(kinds)")
        let steps = seen.filter { $0.kind.rawValue.hasPrefix("halo.sdk") }
        #expect(steps.allSatisfy { $0.payment == nil && Int64($0.attributes["at"] ?? "") != nil })
    }

    @Test func errorEvent_bringsNameAndText() throws {
        let monitor = HaloEventMonitor()
        let told = Locked([String: String]())
        monitor.heard(
            .didReceiveError(
                .init(errorCode: .networkError, errorName: "network", errorDescription: "no route", source: "reader"))
        ) { kind, attributes in told.withLock { $0 = attributes.merging(["kind": kind.rawValue]) { own, _ in own } } }
        #expect(
            told.withLock { $0 } == [
                "kind": "halo.error", "code": "NETWORK_ERROR", "name": "network", "text": "no route",
                "source": "reader",
            ])
    }
}
