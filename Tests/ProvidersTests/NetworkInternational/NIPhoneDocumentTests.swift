import NetworkInternationalProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// What the document says of the reader's life, of errors beside payments, and of what can be done with a payment.
@Suite struct NIPhoneDocumentTests {
    /// The reader's session is good in front only.
    @Test func returnToTheFront_preparesBeforeTheNextPayment() throws {
        let till = NIKitTill()
        let client = try till.client()
        try till.scheduler.run {
            _ = try await NIKitTill.sale(client)
            await client.reader?.appDidEnterBackground()
            await client.reader?.appDidBecomeActive()
            _ = try await NIKitTill.sale(client, 1_500, "a-2")
        }
        #expect(till.kit.preparationCount == 2 && till.charged.count == 2)
    }

    @Test(arguments: [515, 516, 530]) func errorOfTheReadersSession_preparesBeforeTheNextPayment(_ number: Int) throws {
        let till = NIKitTill()
        let client = try till.client()
        try till.scheduler.run {
            _ = try await NIKitTill.sale(client)
            till.kit.play(.ends(.init(number, "of the session")))
            _ = try? await NIKitTill.sale(client, 1_500, "a-2")
            _ = try await NIKitTill.sale(client, 1_500, "a-3")
        }
        #expect(till.kit.preparationCount == 2 && till.charged.count == 2)
    }

    /// An error that belongs to no call, before anything was prepared.
    @Test func errorOfTheBeginning_isReportedAsAnEvent() throws {
        let till = NIKitTill()
        let client = try till.client()
        let told: PaymentEvent? = try till.scheduler.run { [kit = till.kit] in
            let events = client.events()
            _ = try await client.reader?.compatibility()
            kit.tell(.initializationError)
            for await event in events { return Optional(event) }
            return nil
        }
        #expect(told?.kind.rawValue == "ni.error" && told?.attributes["code"] == "101" && told?.payment == nil)
    }

    /// A kit that says something else about a payment than its order's states allow.
    private struct Saying: NIPhoneSDK.AppleTapToPayManager {
        typealias Failure = NIPhoneSDK.AppleTapToPaySDKError
        let kit: SimulatedNISDK
        let said: NIPhoneSDK.GetTransactionDetailsResponse?

        func onError(_ handler: @escaping @Sendable (Failure) -> Void) async { await kit.onError(handler) }
        func isSoftPOSSupported() async -> NIPhoneSDK.SoftPOSSupport { await kit.isSoftPOSSupported() }
        func prepare(
            authToken: Secret, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?
        ) async throws(Failure) {
            try await kit.prepare(authToken: authToken, currencyCode: currencyCode, onProgress: onProgress)
        }
        func isAccountLinked(authToken: Secret, currencyCode: String) async throws(Failure) -> Bool {
            try await kit.isAccountLinked(authToken: authToken, currencyCode: currencyCode)
        }
        func linkAccount(using token: Secret) async throws(Failure) { try await kit.linkAccount(using: token) }
        func processPayment(
            authToken: Secret, paymentType: NIPhoneSDK.PaymentType, amount: String, currencyCode: String,
            dryRun: Bool, onProgress: (@Sendable (Int) -> Void)?
        ) async throws(Failure) -> NIPhoneSDK.PaymentResponse {
            try await kit.processPayment(
                authToken: authToken, paymentType: paymentType, amount: amount, currencyCode: currencyCode,
                dryRun: dryRun, onProgress: onProgress)
        }
        func getTransactions(
            limit: Int, offset: Int, authToken: Secret
        ) async throws(Failure) -> NIPhoneSDK.GetTransactionsResponse {
            try await kit.getTransactions(limit: limit, offset: offset, authToken: authToken)
        }
        func getTransactionDetails(
            reference: String, authToken: Secret
        ) async throws(Failure) -> NIPhoneSDK.GetTransactionDetailsResponse {
            guard let said else { throw .networkError }
            return said
        }
        func refundTransaction(
            authToken: Secret, transactionId: String, amount: String, currencyCode: String
        ) async throws(Failure) -> NIPhoneSDK.RefundTransactionResponse {
            try await kit.refundTransaction(
                authToken: authToken, transactionId: transactionId, amount: amount, currencyCode: currencyCode)
        }
        func voidTransaction(
            authToken: Secret, transactionId: String
        ) async throws(Failure) -> NIPhoneSDK.VoidTransactionResponse {
            try await kit.voidTransaction(authToken: authToken, transactionId: transactionId)
        }
    }

    @Test(arguments: [(true, false), (false, true), (false, false)])
    func details_followTheKitsOwnWord(refunds: Bool, voids: Bool) throws {
        #expect(try Self.operations(.init(refundEnabled: refunds, voidEnabled: voids)) == (refunds, voids))
    }

    /// Where the kit says nothing, what the order's states allow is left: on the day of a payment, a void.
    @Test func details_withoutTheKitsWord_areDerived() throws {
        #expect(try Self.operations(nil) == (false, true))
    }

    private static func operations(_ said: NIPhoneSDK.GetTransactionDetailsResponse?) throws -> (Bool, Bool) {
        let till = NIKitTill()
        var given = ClientOptions(journal: till.inner.journal)
        (given.clock, given.executor, given.random) = (till.scheduler, till.scheduler, till.inner.random)
        let driver = NIMobileDriver(
            NIDriver(till.inner.configuration, till.inner.tools), Saying(kit: till.kit, said: said))
        let client = try PaymentClient(driver, given)
        return try till.scheduler.run {
            let payment = try await NIKitTill.sale(client).payment
            let view = try client.provider(driver.identity.id)
            let details = try await view.transactions?.details(payment?.references ?? [:])
            let operations = Set((details?.operations ?? []).compactMap(\.operation))
            return (operations.contains(.refund), operations.contains(.void))
        }
    }
}
