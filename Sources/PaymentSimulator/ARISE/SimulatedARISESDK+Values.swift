internal import PaymentBase
public import PaymentMobileSDKs

extension SimulatedARISESDK {
    public func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        let fields: [(String, String?)] = [
            ("amount", request.amount.text), ("currencyId", String(request.currency.rawValue)),
            ("percentageOffRate", request.percentageOffRate?.text), ("surchargeRate", request.surchargeRate?.text),
            ("tipAmount", request.tipAmount?.text), ("tipRate", request.tipRate?.text),
            ("useCardPrice", request.useCardPrice.map { $0 ? "true" : "false" }),
        ]
        let query = fields.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
        let said = try await send("GET", "/pay-api/v1/transactions/calculate-amount?\(query)")
        guard let cash = Self.amounts(said?["cash"]), let credit = Self.amounts(said?["creditCard"]),
            let debit = Self.amounts(said?["debitCard"]), let bank = Self.amounts(said?["ach"])
        else { throw .api(.invalidResponse("the amounts can't be read")) }
        var response = ARISEPhoneSDK.CalculateAmountResponse(
            currency: request.currency, cash: cash, creditCard: credit, debitCard: debit,
            ach: state.withLock { $0.hasNoBankPrice } ? nil : bank)
        response.useCardPrice = said?["useCardPrice"]?.bool
        return response
    }

    private static func amounts(_ json: JSON?) -> ARISEPhoneSDK.AmountDto? {
        let names = [
            "baseAmount", "percentageOffAmount", "percentageOffRate", "cashDiscountAmount", "cashDiscountRate",
            "surchargeAmount", "surchargeRate", "tipAmount", "tipRate", "taxAmount", "taxRate", "totalAmount",
        ]
        let values = names.compactMap { json?[$0]?.number.flatMap { SDKDecimal($0.text) } }
        guard values.count == names.count else { return nil }
        return ARISEPhoneSDK.AmountDto(
            baseAmount: values[0], percentageOffAmount: values[1], percentageOffRate: values[2],
            cashDiscountAmount: values[3], cashDiscountRate: values[4], surchargeAmount: values[5],
            surchargeRate: values[6], tipAmount: values[7], tipRate: values[8], taxAmount: values[9],
            taxRate: values[10], totalAmount: values[11])
    }

    /// A tap's result as the SDK has it: its own word knows four ends, and takes all that is left for a failure.
    static func result(_ said: JSON) -> ARISEPhoneSDK.TTPTransactionResult {
        let outcome = said["transactionOutcome"]?.string
        let status: ARISEPhoneSDK.TTPTransactionStatus =
            switch outcome?.uppercased() {
            case "APPROVED": .approved
            case "DECLINED": .declined
            case "CANCELLED": .cancelled
            default: .failed
            }
        func text(_ name: String) -> String? { said[name]?.string }
        var result = ARISEPhoneSDK.TTPTransactionResult(status: status)
        (result.transactionId, result.transactionOutcome) = (text("transactionId"), outcome)
        (result.orderId, result.authorizedAmount) = (text("orderId"), text("authorizedAmount"))
        result.authorizationCode = text("authorizationCode")
        result.authorisationResponseCode = text("authorisationResponseCode")
        (result.authorizedDate, result.authorizedDateFormat) = (text("authorizedDate"), text("authorizedDateFormat"))
        (result.cardBrandName, result.maskedCardNumber) = (text("cardBrandName"), text("maskedCardNumber"))
        result.externalReferenceID = text("externalReferenceID")
        result.applicationIdentifier = text("applicationIdentifier")
        result.applicationPreferredName = text("applicationPreferredName")
        result.applicationCryptogram = text("applicationCryptogram").map { Secret($0) }
        result.applicationTransactionCounter = text("applicationTransactionCounter")
        result.terminalVerificationResults = text("terminalVerificationResults")
        result.issuerApplicationData = text("issuerApplicationData").map { Secret($0) }
        result.applicationPANSequenceNumber = text("applicationPANSequenceNumber")
        result.cvmAction = text("cvmAction")
        result.cvmTags = said["cvmTags"]?.array?.map { item in
            var tag = ARISEPhoneSDK.TTPCVMData()
            (tag.tag, tag.value) = (item["tag"]?.string, item["value"]?.string.map { Secret($0) })
            return tag
        }
        return result
    }
}
