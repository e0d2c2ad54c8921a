internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// The names that the documents have for members.
enum ARISEMembers {
    static let names = """
        access_token accountHolderName accountHolderType accountHolderTypeId accountNumber accountType accountTypeId ac
        ach achDetails achProcessingDetails action actionId aid amount apiVersion applicationCryptogram
        applicationIdentifier applicationLabel applicationPANSequenceNumber applicationPreferredName
        applicationTransactionCounter asc authCode authenticated authorisationResponseCode authorizationCode
        authorizedAmount authorizedDate authorizedDateFormat availableAmount availableCardTypes availableCurrencies
        availableOperations availablePaymentProcessors availableTransactionTypes avs avsResponse baseAmount batchId
        billingAddress cardBrandName cardCreditDebitType cardCreditDebitTypeId cardDataSource cardDataSourceId
        cardProcessingDetails cardTokenType cardType cardTypeId cardholderAuthenticationMethod
        cardholderAuthenticationMethodId cash cashDiscountAmount cashDiscountRate cause city client_id client_secret
        clientId clientSecret code codeDescription companyName contactInfo correlationId countryId created creditCard
        currency currencyCode currencyId currencyIsoCode customerAccountNumber customerCompany customerEmail customerId
        customerInitiatedTransaction customerName customerPan customerPhone customerRoutingNumber cvmAction
        cvmResultMsg cvmTags data date debit debitCard defaultCashDiscountRate defaultDualPricingRate
        defaultSurchargeRate defaultTipsOptions details deviceId deviceName devices discount documentationUrl
        dutyCharges email emvFallbackCondition emvFallbackLastChipRead emvPaymentAppVersion emvTags entityId error
        error_description error_uri errorCode errors exceptionType expirationMonth expirationYear expires_in expiresAt
        externalReferenceID firstName generalCardData grant_type group groupId hostResponseCode hostResponseDefinition
        hostResponseMessage hours id invoiceNumber isCustomerCardSavingByTerminalEnabled isDefault isDuplicate
        isEnabled issuerApplicationData isTipsEnabled items jwtToken key l2 l3 lastLoginAt lastName line1 line2
        maskedCardNumber maskedPan maxTransactionAmount mccCode mccCodeDescription merchant merchantAddress
        merchantEmailAddress merchantId merchantName merchantPhoneNumber merchantWebsite message mid minutes
        mobileNumber name object operationMode operationType operationTypeId orderId orderNumber paymentCardData
        paymentMethodId paymentMethodName paymentMethodType paymentMethodTypeId paymentProcessorId percentageOffAmount
        percentageOffRate permissions pin pinKsn postalCode processCreditDebitType processCreditDebitTypeId
        processedAmount processor processorId processorResponseCode products profile profileId purchaseOrder rawTags
        referenceId refresh_token requesterIpAddress resolution resourceType responseCode responseDescription result resultId
        routingNumber rrn salesTaxRate scope secCode securityCode settlementBatchTimeSlots shippingAddress shippingCharges
        smsNotification source stateId stateName status statusCode statusId subTotal suggestedTips surchargeAmount
        surchargePercentage surchargeRate tag tapToPayEnabled tapToPayStatus tapToPayStatusId taxAmount taxId taxRate
        terminalVerificationResults tid timezoneName tip tipAmount tipPercent tipRate title token_type tokenName total
        totalAmount traceId traceNumber track1 track2 transactionDateTime transactionId transactionOutcome
        transactionReceipt transactionStatusId transactionType transactionTypeId tsi ttpIosTerminalProfileId tvr type
        typeId useCardPrice userProfiles value zeroCostProcessingOption zeroCostProcessingOptionId
        """
    /// Whose own members no document lists.
    static let open = "partnerDataMap tsysCardDetails achProcessingDetails errors raw"
}

/// The paths of ARISE's API.
enum ARISEPath {
    static let token = "/oauth2/token"
    static let transactions = "/pay-api/v1/transactions"
    static let authorize = transactions + "/auth"
    static let sale = transactions + "/sale"
    static let capture = transactions + "/capture"
    static let void = transactions + "/void"
    static let refund = transactions + "/return"
    static let unlinkedRefund = transactions + "/return/no-reference"
    static let tipAdjustment = transactions + "/tip-adjustment"
    static let calculate = transactions + "/calculate-amount"
    /// Ours: the public API has no path that takes a tap.
    static let tap = transactions + "/tap-to-pay"
    static let bankDebit = transactions + "/ach/payment"
    static let bankCredit = transactions + "/ach/payment/credit"
    static let settings = "/pay-api/v1/configurations/payments"
    static let permissions = "/api/available-api-permissions"
    static let devices = "/pay-api/v1/devices"
    static let readerToken = devices + "/tap-to-pay/jwt"

    static func transaction(_ segment: String) -> String { transactions + "/" + segment }
    static func bank(_ segment: String, _ verb: String) -> String { transactions + "/ach/" + segment + "/" + verb }
    static func device(_ segment: String) -> String { devices + "/" + segment }
    static func activation(_ segment: String) -> String { device(segment) + "/tap-to-pay/activate" }
}

/// What was or can be done, by ARISE's number; an open set.
struct ARISEOperation: RawRepresentable, Hashable, Sendable {
    let rawValue: Int64

    static let authorization = Self(rawValue: 1)
    static let sale = Self(rawValue: 2)
    static let capture = Self(rawValue: 3)
    static let void = Self(rawValue: 4)
    static let refund = Self(rawValue: 5)
    static let unlinkedRefund = Self(rawValue: 7)
    static let tipAdjustment = Self(rawValue: 8)
    static let bankDebit = Self(rawValue: 11)
    static let bankRefund = Self(rawValue: 12)
    static let bankCancel = Self(rawValue: 15)
    static let bankCredit = Self(rawValue: 16)

    /// What it may be called among what can be done with a bank transfer: the numbers of types have own ones for these,
    /// and no document shows which stands there.
    var ofTransfers: Set<Self> {
        switch self {
        case .void: [.void, .bankCancel]
        case .refund: [.refund, .bankRefund]
        default: [self]
        }
    }

    /// Every number of the wire with its name.
    static let names: [Int64: String] = [
        1: "Authorization", 2: "Sale", 3: "Capture", 4: "Void", 5: "Refund", 6: "CardAuthentication",
        7: "RefundWORef", 8: "TipAdjustment", 10: "Settle", 11: "AchDebit", 12: "AchRefund", 13: "AchHold",
        14: "AchUnHold", 15: "AchCancel", 16: "AchCredit",
    ]

    /// What it is here, where we have it.
    var neutral: PaymentOperation? {
        switch self {
        case .authorization: .authorize
        case .sale, .bankDebit: .sale
        case .capture: .capture
        case .void, .bankCancel: .void
        case .refund, .bankRefund: .refund
        case .unlinkedRefund, .bankCredit: .unlinkedRefund
        case .tipAdjustment: .tipAdjustment
        default: nil
        }
    }
}

/// Where a transaction is, in ARISE's word; an open set.
struct ARISEStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let authorized = Self(rawValue: "Authorized")
    static let captured = Self(rawValue: "Captured")
    static let voided = Self(rawValue: "Voided")
    static let refunded = Self(rawValue: "Refunded")
    static let verified = Self(rawValue: "Verified")
    static let settled = Self(rawValue: "Settled")
    static let partiallyAuthorized = Self(rawValue: "PartiallyAuthorized")
    static let informational = Self(rawValue: "Informational")
    static let scheduled = Self(rawValue: "Scheduled")
    static let pending = Self(rawValue: "Pending")
    static let declined = Self(rawValue: "Declined")
    static let failed = Self(rawValue: "Failed")
    static let cancelled = Self(rawValue: "Cancelled")
    static let chargedBack = Self(rawValue: "ChargedBack")
    static let inProgress = Self(rawValue: "InProgress")
    static let cleared = Self(rawValue: "Cleared")
    static let held = Self(rawValue: "Held")
    static let heldByProcessor = Self(rawValue: "HeldByProcessor")

    /// The numbers of the words that have one.
    static let byNumber: [Int64: Self] = [
        1: .authorized, 2: .captured, 3: .voided, 4: .refunded, 5: .verified, 6: .settled, 7: .partiallyAuthorized,
        8: .informational, 21: .scheduled, 24: .pending, 91: .declined, 92: .failed,
    ]
    /// Words without a number, which only bank transfers have.
    static let withoutNumber: Set<Self> = [.cancelled, .chargedBack, .inProgress, .cleared, .held, .heldByProcessor]
    /// Accepted and not final.
    static let waiting: Set<Self> = [.pending, .scheduled, .inProgress, .held, .heldByProcessor]

    init(rawValue: String) { self.rawValue = rawValue }

    /// Reads the word and its number; nil when both are missing, or when they say different things.
    init?(word: String?, number: Int64?) {
        let said = word.map { Self.listed($0) }
        guard let number else {
            guard let said else { return nil }
            self = said
            return
        }
        guard let known = Self.byNumber[number] else {
            // Bank transfers have words whose numbers are in no list.
            guard let said, Self.withoutNumber.contains(said) else { return nil }
            self = said
            return
        }
        guard said == nil || said == known else { return nil }
        self = known
    }

    /// A listed word in whatever spelling, else the word itself.
    private static func listed(_ word: String) -> Self {
        let plain = word.lowercased()
        let hasSpace = plain.utf8.contains(UInt8(ascii: " "))
        return byPlainWord[hasSpace ? plain.replacing(" ", with: "") : plain] ?? Self(rawValue: word)
    }

    /// The listed words, in lower case.
    private static let byPlainWord = Dictionary(
        uniqueKeysWithValues: (Array(byNumber.values) + withoutNumber).map { ($0.rawValue.lowercased(), $0) })
}

/// What ARISE answers about one transaction: an answer to a request, its receipt, its details, or an item of a list.
///
/// The four shapes share their names; what an answer lacks is taken from the receipt inside it.
struct ARISETransaction: Sendable {
    let body: JSON
    let receipt: JSON?
    /// Where it is; nil when nothing says it, or when a word is no word and a number no number.
    let status: ARISEStatus?

    /// One member of `availableOperations`.
    struct Available: Sendable {
        let operation: ARISEOperation
        let name: String
        let amount: Money?
        let suggestedTips: [Money]
    }

    init(_ body: JSON) {
        (self.body, receipt, status) = (body, body["transactionReceipt"], Self.status(body))
    }

    private static func status(_ body: JSON) -> ARISEStatus? {
        let (word, number) = (body["status"] ?? .null, body["statusId"] ?? .null)
        guard word.isNull || word.string != nil, number.isNull || number.int64 != nil else { return nil }
        return ARISEStatus(word: word.string, number: number.int64)
    }

    subscript(name: String) -> JSON? {
        if let value = body[name], !value.isNull { return value }
        if let value = receipt?[name], !value.isNull { return value }
        return nil
    }

    func text(_ name: String) -> String? { self[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    var id: String? { text("transactionId") ?? text("id") }
    var type: ARISEOperation? {
        (body["typeId"]?.int64 ?? body["operationTypeId"]?.int64).map { ARISEOperation(rawValue: $0) }
    }
    var at: Int64? {
        (text("transactionDateTime") ?? text("date")).flatMap { Timestamp($0, offsetMinutes: 0)?.milliseconds }
    }
    var orderNumber: String? { text("orderNumber") }
    var details: JSON? { body["details"] }
    var maskedPan: String? { details?["maskedPan"]?.string ?? text("customerPan") }
    /// The last four digits of the card's number; nil where the masked one does not end with them, and may be of any card.
    var lastDigits: String? {
        guard let last = maskedPan?.suffix(4), last.utf8.count == 4,
            last.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return String(last)
    }

    /// The currency that it names; nil when it names none.
    ///
    /// - Throws: `unreadableReply` for one that is in no list, or for two different ones.
    func currency() throws(PaymentError) -> Currency? {
        let code = text("currencyCode") ?? text("currency")
        let number = self["currencyId"]?.int64
        let named = code.map { Currency.known($0) }
        let numbered = number.map { ARISEMapping.currencies[$0] ?? ARISEMapping.isoCurrencies[$0] }
        if let named, named == nil { throw ARISEMapping.unreadable("the currency is in no list") }
        if let numbered, numbered == nil { throw ARISEMapping.unreadable("the number of the currency is in no list") }
        if let one = named ?? nil, let two = numbered ?? nil, one != two {
            throw ARISEMapping.unreadable("the answer names two currencies")
        }
        return named ?? numbered ?? nil
    }

    /// What was moved in all, in the currency that the answer names, else in the one that was asked for.
    ///
    /// - Throws: `unreadableReply` when there is none, or when two places say different things.
    func total(_ asked: Currency) throws(PaymentError) -> Money? {
        let currency = try currency() ?? asked
        let places = [
            body["processedAmount"], body["totalAmount"], receipt?["amount"]?["totalAmount"],
            body["amount"]?["totalAmount"],
        ]
        var seen: Set<Money> = []
        for case let value? in places where !value.isNull { seen.insert(try ARISEMapping.money(value, currency)) }
        if seen.count > 1 { throw ARISEMapping.unreadable("the answer names two amounts") }
        return seen.first
    }

    /// How much of the total is a tip; zero when the answer names none.
    func tip(_ asked: Currency) throws(PaymentError) -> Money {
        let currency = try currency() ?? asked
        guard let tip = self["amount"]?["tipAmount"], !tip.isNull else { return .zero(currency) }
        return try ARISEMapping.money(tip, currency)
    }

    /// What can be done with it now, as the server names it; nil when it doesn't say.
    func available(_ asked: Currency) throws(PaymentError) -> [Available]? {
        guard let items = self["availableOperations"]?.array else { return nil }
        let currency = try currency() ?? asked
        var found: [Available] = []
        for item in items {
            guard let number = item["typeId"]?.int64 else { continue }
            var tips: [Money] = []
            for tip in item["suggestedTips"]?.array ?? [] {
                if let amount = tip["tipAmount"] { tips.append(try ARISEMapping.money(amount, currency)) }
            }
            let amount = try item["availableAmount"].map { value throws(PaymentError) in
                value.isNull ? nil : try ARISEMapping.money(value, currency)
            }
            let name = item["type"]?.string ?? ARISEOperation.names[number] ?? String(number)
            found.append(
                Available(
                    operation: ARISEOperation(rawValue: number), name: name, amount: amount ?? nil,
                    suggestedTips: tips))
        }
        return found
    }

    /// What is left of one operation; zero when the server names it no more, nil when that is unknown.
    func left(_ operation: ARISEOperation, _ asked: Currency) throws(PaymentError) -> Money? {
        guard let operations = try available(asked) else { return nil }
        guard let found = operations.first(where: { operation.ofTransfers.contains($0.operation) }) else {
            return status == .refunded ? .zero(asked) : nil
        }
        return found.amount
    }
}

/// What comes back for a tap; the names are those of the SDK's result.
struct ARISETapResult: Sendable {
    let body: JSON

    init(_ body: JSON) { self.body = body }

    func text(_ name: String) -> String? { body[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    var id: String? { text("transactionId") }
    var outcome: String? { text("transactionOutcome") }
    var amount: String? { text("authorizedAmount") }
    var responseCode: String? { text("authorisationResponseCode") }
    var externalReference: String? { text("externalReferenceID") }

    /// Chip data that belongs on a receipt: the SDK's name with the tag.
    static let tags = [
        ("applicationIdentifier", "4F"), ("applicationPreferredName", "9F12"), ("applicationCryptogram", "9F26"),
        ("applicationTransactionCounter", "9F36"), ("terminalVerificationResults", "95"),
        ("issuerApplicationData", "9F10"), ("applicationPANSequenceNumber", "5F34"),
    ]

    /// The words for an outcome, by how the kit spells its own.
    static let words = ["APPROVED": "approved", "DECLINED": "declined", "CANCELLED": "cancelled", "FAILED": "failed"]

    /// Takes the kit's result, whose own word counts; the gateway's only where it says that nothing is decided yet.
    init(_ result: ARISEPhoneSDK.TTPTransactionResult) {
        let gateways = result.transactionOutcome?.uppercased()
        let own = Self.words.first { $0.value == result.status.rawValue }?.key
        let texts = [
            ("transactionId", result.transactionId), ("transactionOutcome", gateways == "PENDING" ? gateways : own),
            ("authorizedAmount", result.authorizedAmount), ("authorizationCode", result.authorizationCode),
            ("authorisationResponseCode", result.authorisationResponseCode),
            ("authorizedDate", result.authorizedDate), ("cardBrandName", result.cardBrandName),
            ("maskedCardNumber", result.maskedCardNumber), ("externalReferenceID", result.externalReferenceID),
            ("applicationIdentifier", result.applicationIdentifier),
            ("applicationPreferredName", result.applicationPreferredName),
            ("applicationCryptogram", result.applicationCryptogram?.expose()),
            ("applicationTransactionCounter", result.applicationTransactionCounter),
            ("terminalVerificationResults", result.terminalVerificationResults),
            ("issuerApplicationData", result.issuerApplicationData?.expose()),
            ("applicationPANSequenceNumber", result.applicationPANSequenceNumber), ("cvmAction", result.cvmAction),
        ]
        var object = JSONObject()
        for (name, text) in texts { object[name] = text.map { .string($0) } }
        object["cvmTags"] = .array(
            (result.cvmTags ?? []).map { tag in
                ["tag": tag.tag.map { .string($0) } ?? .null, "value": .string(tag.value?.expose() ?? "")]
            })
        self.init(.object(object))
    }
}

/// How the merchant is set up, as far as payments depend on it.
struct ARISESettings: Sendable {
    let body: JSON
    let zeroCost: ZeroCost?
    /// The processor that is used when none is named: the default, or the only one.
    let processor: String?

    init(_ body: JSON) {
        (self.body, zeroCost, processor) = (body, Self.zeroCost(body), Self.processor(body))
    }

    /// How the costs of card payments are passed on.
    enum ZeroCost: String, CaseIterable, Sendable {
        case noZeroCost = "none"
        case cashDiscount, dualPricing, surcharge
    }

    private static func zeroCost(_ body: JSON) -> ZeroCost? {
        switch body["zeroCostProcessingOptionId"]?.int64 {
        case 1: return .noZeroCost
        case 2: return .cashDiscount
        case 3: return .dualPricing
        case 4: return .surcharge
        case nil: break
        default: return nil
        }
        switch body["zeroCostProcessingOption"]?.string?.lowercased() {
        case "none", "nozerocost": return .noZeroCost
        case "cashdiscount": return .cashDiscount
        case "dualpricing": return .dualPricing
        case "surcharge": return .surcharge
        default: return nil
        }
    }

    private static func processor(_ body: JSON) -> String? {
        let processors = body["availablePaymentProcessors"]?.array ?? []
        let chosen: JSON? =
            processors.first { $0["isDefault"]?.bool == true } ?? (processors.count == 1 ? processors[0] : nil)
        return chosen?["id"]?.string
    }

    func percent(_ name: String) -> String? { body[name]?.number?.decimalText.map(Self.short) }

    /// A decimal without closing zeros.
    static func short(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        var digits = Array(text.utf8)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.last == UInt8(ascii: ".") { digits.removeLast() }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// What an access may do; the raw value is the number on the wire.
enum ARISEPermission: Int64, CaseIterable, Sendable {
    case posStartTransaction, posGetTransactions, posGetTransactionDetails, posCancelTransaction, posPrintReceipt
    case getTerminalList, getTerminalInformation
    case ecommerceAuth, ecommerceSale, ecommerceCapture, ecommerceVoid, ecommerceRefund
    case ecommerceRefundWithoutReference
    case achDebit, achCredit, achVoid, achHold, achUnhold
    case listTransactions, getTransactionDetails, calculateTransactionAmount, submitTipAdjustment
    case getSettlementBatches, submitBatchForSettlement, sendReceiptBySms
    case listCustomers, getCustomerDetails, manageCustomers
    case hostedInvoices, hostedQuickPayment, hostedSubscriptions, hostedWebComponents, hostedWooCommerce
    case featureTapToPayOnMobile, generalPing, generalStatus, generalConfigurations
}
