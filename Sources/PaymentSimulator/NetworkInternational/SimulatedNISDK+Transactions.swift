public import PaymentBase
public import PaymentMobileSDKs

extension SimulatedNISDK {
    public func getTransactions(
        limit: Int, offset: Int, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionsResponse {
        let said = try await send("GET", "/reporting/payments?limit=\(limit)&offset=\(offset)", authToken)
        guard let items = said?["items"]?.array else { throw .dataParsingError(310) }
        let read = items.compactMap { Self.transaction($0) }
        guard read.count == items.count else { throw .dataParsingError(310) }
        return NIPhoneSDK.GetTransactionsResponse(items: read)
    }

    public func getTransactionDetails(
        reference: String, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionDetailsResponse {
        let said = try await send("GET", "/reporting/orders/\(reference)", authToken)
        guard let captured = said?["paymentInfo"]?["captured"]?["value"]?.int64,
            let refunded = said?["paymentInfo"]?["refunded"]?["value"]?.int64,
            let made = said?["createDateTime"]?.string.flatMap({ Timestamp($0)?.milliseconds })
        else { throw .dataParsingError(310) }
        // Until midnight in Dubai it is voided, from then on refunded.
        let isSettled = clock.now >= NISimulator.cutOff(after: made)
        return NIPhoneSDK.GetTransactionDetailsResponse(
            refundEnabled: isSettled && captured > refunded, voidEnabled: !isSettled && captured > 0 && refunded == 0)
    }

    public func refundTransaction(
        authToken: Secret, transactionId: String, amount: String, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.RefundTransactionResponse {
        guard let units = Self.units(amount) else { throw .invalidAmount }
        let body: JSON = [
            "amount": ["currencyCode": .string(currencyCode), "value": .number(JSONNumber(units))]
        ]
        let said = try await send(
            "POST", "/payment/card/orders/\(transactionId)/actions/refund", authToken, body,
            missing: .invalidTransactionId)
        guard let name = said?["refundId"]?.string, let status = said?["status"]?.string else {
            throw .dataParsingError(610)
        }
        return NIPhoneSDK.RefundTransactionResponse(refundId: name, status: status)
    }

    public func voidTransaction(
        authToken: Secret, transactionId: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.VoidTransactionResponse {
        let said = try await send(
            "POST", "/payment/card/orders/\(transactionId)/actions/cancel", authToken, missing: .invalidTransactionId)
        guard let name = said?["voidId"]?.string, let status = said?["status"]?.string else {
            throw .dataParsingError(710)
        }
        return NIPhoneSDK.VoidTransactionResponse(voidId: name, status: status)
    }

    private static func transaction(_ item: JSON) -> NIPhoneSDK.Transaction? {
        guard let reference = item["reference"]?.string else { return nil }
        var read = NIPhoneSDK.Transaction(reference: reference)
        (read.createdDateTime, read.action) = (item["createdDateTime"]?.string, item["action"]?.string)
        (read.currencyCode, read.status) = (item["currencyCode"]?.string, item["status"]?.string)
        read.amount = item["amount"]?.string.flatMap { SDKDecimal($0) }
        read.refundedAmount = item["refundedAmount"]?.string.flatMap { SDKDecimal($0) }
        (read.channel, read.outletName) = (item["channel"]?.string, item["outletName"]?.string)
        (read.cardScheme, read.cardPan) = (item["cardScheme"]?.string, item["cardPan"]?.string)
        read.cardholderName = item["cardholderName"]?.string.map { PersonalData($0) }
        (read.lastEvent, read.rrn, read.authCode) = (
            item["lastEvent"]?.string, item["rrn"]?.string, item["authCode"]?.string
        )
        return read
    }
}
