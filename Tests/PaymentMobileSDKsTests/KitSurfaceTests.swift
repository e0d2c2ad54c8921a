import Testing

@Suite struct SurfaceTests {
    @Test(arguments: KitSurface.all)
    func aKitHasItsDocumentsMembersAndNoOthers(_ kit: KitSurface) throws {
        let document = Set(try KitFixture.rows("\(kit.list)-members").map { $0[0] })
        let ours = try KitFixture.sources(kit.folder).reduce(into: Set<String>()) {
            $0.formUnion(KitSource.names(in: $1, space: kit.space))
        }
        let differences = kit.differences(document: document, published: try kit.published(), ours: ours)
        print(
            "\(kit): \(document.count) documented names, \(kit.notBuilt.count) not built, \(ours.count) names of ours")
        for difference in differences { Issue.record("\(kit): \(difference)") }
    }

    @Test(arguments: KitSurface.all)
    func everyRowNamesALineAndNoRowStandsTwice(_ kit: KitSurface) throws {
        let rows = try KitFixture.rows("\(kit.list)-members")
        let wrong = rows.filter { $0.count != 2 || Int($0[1]) == nil }
        #expect(wrong.isEmpty)
        #expect(Set(rows).count == rows.count)
    }

    @Test(arguments: KitSurface.all)
    func everyReasonIsGiven(_ kit: KitSurface) {
        let silent = (Array(kit.notBuilt) + Array(kit.own) + Array(kit.leftOut)).filter { $0.value.count < 4 }
        #expect(silent.isEmpty)
    }

    @Test func aMissingAndASuperfluousNameAreFound() {
        let kit = KitSurface(folder: "F", space: "S", list: "l", notBuilt: ["c": "why"], own: ["z": "why"])
        #expect(kit.differences(document: ["a", "c"], ours: ["a", "z"]).isEmpty)
        #expect(kit.differences(document: ["a", "b", "c"], ours: ["a", "z"]) == ["b is documented and not built"])
        #expect(kit.differences(document: ["a", "c"], ours: ["a", "b", "z"]) == ["b is in no document"])
        #expect(kit.differences(document: ["a"], ours: ["a", "z"]) == ["c is not documented"])
        #expect(kit.differences(document: ["a", "c"], ours: ["a"]) == ["z is not there any more"])
        let both = kit.differences(document: ["a", "c"], ours: ["a", "c", "z"])
        #expect(both == ["c is built after all", "c is in no document"])
    }

    @Test func kit_differsFromPublishedInterface_isFound() {
        let kit = KitSurface(folder: "F", space: "S", list: "l", leftOut: [".words": "why", "T.old": "why"])
        let ours: Set<String> = ["T", "T.a", "T.b"]
        let published: Set<String> = ["T", "T.a", "T.b", "T.words", "T.old", "U", "U.c"]
        #expect(kit.differences(document: ["T", "T.a"], published: published, ours: ours).isEmpty)
        #expect(
            kit.differences(document: ["T", "T.a"], published: published.union(["T.new"]), ours: ours)
                == ["T.new is published and not built"])
        #expect(
            kit.differences(document: ["T", "T.a", "T.b"], published: published.subtracting(["T.b"]), ours: ours)
                == ["T.b is not published"])
        #expect(
            kit.differences(document: ["T", "T.a"], published: ["T", "T.a", "T.b"], ours: ours)
                == [".words is left out of nothing", "T.old is left out of nothing"])
        #expect(
            kit.differences(document: ["T"], published: published, ours: ours.union(["T.old"]))
                == ["T.old is built after all"])
    }

    @Test func theSourceReaderSeesWhatIsDeclared() {
        let text = """
            extension Kit {
                /// A comment with func nothing(at: all).
                public protocol Calls: Sendable {
                    var one: Int { get async }
                    func pay(_ amount: Int, for goods: [String: Int], then: @Sendable (Int) -> Void) async
                }
                public enum Event { case plain, with(label: Int, other: String), bare(Int), word = "a } b" }
                public struct Value {
                    public var member: Int?
                    let hidden = 1
                    public static let fixed = Self(rawValue: "x { y")
                    public struct Inner { public let deep: Int; private var secret = 0 }
                    public func ask(what: Int) -> Int { switch what { case 1: return 2; default: return 3 } }
                }
                public typealias Leg = @Sendable () -> Int
            }
            extension Kit.Value { public static let later = 1 }
            extension Elsewhere { public var foreign: Int { 1 } }
            """
        let expected: Set<String> = [
            "Calls", "one", "pay", "pay.amount", "pay.for", "pay.then", "Event", "Event.plain", "Event.with",
            "Event.with.label", "Event.with.other", "Event.bare", "Event.word", "Value", "Value.member", "Value.fixed",
            "Value.Inner", "Value.Inner.deep", "Value.ask", "Value.ask.what", "Leg", "Value.later",
        ]
        #expect(KitSource.names(in: text, space: "Kit") == expected)
    }
}

/// What one kit is compared with: its document's list, and every difference with its reason.
struct KitSurface: Sendable, CustomStringConvertible {
    /// The kit's folder.
    let folder: String
    /// The name space in the sources.
    let space: String
    /// The beginning of the lists' names.
    let list: String
    /// What the document has and the kit leaves out, and why.
    var notBuilt: [String: String] = [:]
    /// What the kit spells otherwise: the document's name and ours.
    var renamed: [String: String] = [:]
    /// What the kit has and the document doesn't, and why; a name with a closing point means all of its members.
    var own: [String: String] = [:]
    /// The table of the published interface that the kit's types follow.
    var table: String?
    /// What the interface has and the kit leaves out, and why; a name that begins with a point is that member of any type.
    var leftOut: [String: String] = [:]
    /// What the document alone has and the kit keeps, and why.
    var open: [String: String] = [:]

    var description: String { folder }

    /// The types, members and cases of the published interface.
    func published() throws -> Set<String> {
        let rows = try table.map { try KitFixture.published($0) } ?? []
        let kinds: Set = ["struct", "enum", "property", "case"]
        return Set(rows.filter { kinds.contains($0[1]) }.map { String($0[0].prefix { $0 != "(" }) })
    }

    /// What is missing, what is too much, and which of the reasons are about nothing.
    func differences(document: Set<String>, published: Set<String> = [], ours: Set<String>) -> [String] {
        let expected = Set(document.subtracting(notBuilt.keys).map { renamed[$0] ?? $0 })
        let missing = expected.subtracting(ours).map { "\($0) is documented and not built" }
        let extra = ours.subtracting(expected).subtracting(published).filter { !isOwn($0) }
            .map { "\($0) is in no document" }
        let pointless = Set(notBuilt.keys).union(renamed.keys).subtracting(document).map { "\($0) is not documented" }
        let built = notBuilt.keys.filter { ours.contains($0) }.map { "\($0) is built after all" }
        let stale = own.keys.filter { name in
            name.hasSuffix(".") ? !ours.contains { $0.hasPrefix(name) } : !ours.contains(name)
        }.map { "\($0) is not there any more" }
        let differences = missing + extra + pointless + built + stale
        return (published.isEmpty ? differences : differences + interfaceDifferences(published, ours)).sorted()
    }

    /// The same for the published interface, whose types need not all be ours; those that are have its members and no others.
    private func interfaceDifferences(_ published: Set<String>, _ ours: Set<String>) -> [String] {
        let (theirs, own) = (published.filter { ours.contains(Self.owner($0)) }, ours.subtracting(published))
        let missing = theirs.subtracting(ours).filter { !isLeftOut($0) }.map { "\($0) is published and not built" }
        let extra = own.filter { name in
            let owner = Self.owner(name)
            let isType = owner.split(separator: ".").last?.first?.isUppercase == true
            return isType && published.contains(owner) && !isOwn(name) && open[name] == nil
        }.map { "\($0) is not published" }
        let built = leftOut.keys.filter { ours.contains($0) }.map { "\($0) is built after all" }
        let stale = leftOut.keys.filter { key in
            !published.contains { $0 == key || key.first == "." && $0.hasSuffix(key) }
        }
        .map { "\($0) is left out of nothing" }
        let closed = open.keys.filter { !own.contains($0) }.map { "\($0) is no longer open" }
        return missing + extra + built + stale + closed
    }

    private static func owner(_ name: String) -> String { name.split(separator: ".").dropLast().joined(separator: ".") }

    private func isOwn(_ name: String) -> Bool {
        own[name] != nil || own.keys.contains { $0.hasSuffix(".") && name.hasPrefix($0) }
    }

    private func isLeftOut(_ name: String) -> Bool {
        leftOut[name] != nil || leftOut.keys.contains { $0.hasPrefix(".") && name.hasSuffix($0) }
    }
}

extension KitSurface {
    /// The five kits.
    static let all: [KitSurface] = [.arise, .adyen, .ni, .ecommpay, .halo]

    private static let rules: [String: String] = [
        "Call": "the outcome table's name for a call", "Call.": "the outcome table's names for the calls",
        "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
    ]

    static let halo = KitSurface(
        folder: "Halo", space: "HaloPhoneSDK", list: "halo",
        notBuilt: ["HaloError.localizedDescription": "words for people; the application asks its SDK's own error"],
        renamed: [
            "tokenProvider": "TokenProvider", "HaloEnvironment.sandbox": "Environment.sandbox",
            "HaloEnvironment.production": "Environment.production",
            "HaloError.deviceNotSupported.reason": "HaloReason", "HaloError.networkError.reason": "HaloReason",
            "HaloError.accountLinkingError.reason": "HaloReason", "HaloError.tokenError.reason": "HaloReason",
            "HaloError.readerError.reason": "HaloReason",
        ],
        own: rules.merging([
            "SDK": "the protocol of the documented calls", "setEventDelegate.delegate": "the parameter without a label",
            "Environment": "the document shows the values only",
            "Environment.rawValue": "open", "HaloTransactionType": "the document shows the values only",
            "HaloTransactionType.rawValue": "open", "HaloErrorCode": "named in passing",
            "HaloErrorCode.rawValue": "open",
            "HaloErrorCode.paymentInProgress": "a listed code whose constant isn't shown",
            "HaloErrorCode.deviceNotSupported": "a listed code whose constant isn't shown",
            "HaloErrorCode.screenCaptureDetected": "a listed code whose constant isn't shown",
            "HaloErrorCode.notInitialized": "a listed code whose constant isn't shown",
            "HaloErrorCode.timeout": "a listed code whose constant isn't shown",
            "HaloErrorCode.serverConfiguration": "a listed code whose constant isn't shown",
            "HaloErrorCode.requestTooOld": "a listed code whose constant isn't shown",
            "HaloErrorCode.requestExpired": "a listed code whose constant isn't shown",
            "HaloErrorCode.entitlementMissing": "a listed error whose constant isn't shown",
            "HaloReason": "the document shows the values only", "HaloReason.rawValue": "open",
            "HaloErrorTraits": "the error's properties as a value", "HaloError.name": "the outcome table's name",
            "HaloError.other": "open", "HaloError.other.": "open",
            "HaloEventDelegate.didUpdatePreparationProgress.thousandths": "the SDK's binary number as a whole one",
            "EventType": "the document shows the values only", "EventType.rawValue": "open",
            "startContactlessPayment.passthroughFields": "since 1.0.94, required since 1.0.95",
            "HaloPassthroughFields": "since 1.0.94", "HaloPassthroughFields.json": "the SDK's dictionary as JSON",
            "HaloErrorCode.invalidPassthroughFields": "since 1.0.95", "HaloReceipt.cardType": "since 1.0.78",
            "HaloError.locationError": "since 1.0.81", "HaloError.offlineDeclined": "since 1.0.86",
            "HaloError.cardNotSupported": "since 1.0.86", "HaloReason.servicesDisabled": "since 1.0.81",
            "HaloReason.permissionDenied": "since 1.0.81", "HaloReason.timeout": "since 1.0.81",
            "HaloReason.unavailable": "since 1.0.81",
        ]) { one, _ in one })

    static let adyen = KitSurface(
        folder: "Adyen", space: "AdyenPhoneSDK", list: "adyen",
        notBuilt: [
            "transactionModal": "a modifier of the application's own view",
            "transactionModal.with": "a modifier of the application's own view",
            "transactionModal.logo": "it stands in the parameters",
            "transactionModal.parameters": "a modifier of the application's own view",
            "paymentResponse": "the document's name for the variable that holds the answer",
            "reversalResponse": "the document's name for the variable that holds the answer",
            "Payment.Response.data": "the answer's bytes stand in the case of the answer",
        ],
        own: rules.merging([
            "Payment": "the name space of the documented type", "Reversal": "the name space of the documented type",
            "Payment.Response": "the type of the documented answer",
            "Reversal.Response": "the type of the documented answer",
            "Answer": "the answers' shape", "Answer.": "the answers' shape", "Registration": "the server leg",
            "PaymentInterface.rawValue": "open", "TransactionPresentationMode.style": "the mode as a value",
            "TransactionPresentationMode.parameters": "the mode as a value",
            "TransactionPresentationMode.Style": "the mode as a value",
            "TransactionPresentationMode.Style.": "the mode as a value",
            "Parameters": "the type of a documented argument",
            "Parameters.successScreenMillisecondsMin": "a documented bound",
            "Parameters.successScreenMillisecondsMax": "a documented bound",
            "ErrorCode": "compared with the list of errors", "ErrorCode.": "compared with the list of errors",
            "storedPaymentsInDoubt": "our rule", "resetSession": "the SDK's public interface has it",
        ]) { one, _ in one })
}

extension KitSurface {
    private static let callback = "the SDK's callback is the function's value or throw"
    private static let call = "the outcome table's names for the calls"
    private static let header = "the public header of 0.14.2"
    private static let gone = "not in the public header of 0.14.2"
    private static let unreleased = "in the document alone: no release up to 0.0.6 has it"
    private static let gone5 = "gone before 0.0.5"
    private static let unprinted = "its number or spelling is in no interface"
    private static let words = "words for people; the application asks its SDK's own value"

    static let ni = KitSurface(
        folder: "NI", space: "NIPhoneSDK", list: "ni",
        notBuilt: Dictionary(
            uniqueKeysWithValues: [
                "prepare", "isAccountLinked", "processPayment", "getTransactions", "getTransactionDetails",
                "refundTransaction", "voidTransaction",
            ].flatMap { [("\($0).onSuccess", callback), ("\($0).onError", callback)] }
                + [("AppleTapToPaySDKError.localizedDescription", "words for people; the SDK's error has them")]),
        renamed: ["SoftPOSSupport.0": "SoftPOSSupport.supported", "SoftPOSSupport.-2": "SoftPOSSupport.tooOld"],
        own: [
            "TapToPay": "half of the manager's calls", "TransactionManagement": "half of the manager's calls",
            "onError.handler": "the property's closure", "DeviceToken": "the server leg",
            "Setup": "the initialiser's values",
            "SoftPOSSupport": "the numbers as a type", "SoftPOSSupport.rawValue": "open",
            "PaymentType.rawValue": "open",
            "Amount": "a shape that the document shows", "AuthResponse": "a shape that the document shows",
            "Transaction": "a shape that the document shows", "AppleTapToPaySDKError.code": "the documented number",
            "AppleTapToPaySDKError.name": "the documented name",
            "AppleTapToPaySDKError.key": "the outcome table's name",
            "AppleTapToPaySDKError.saying": "the same error with words",
            "AppleTapToPaySDKError.saying.errorMessage": "the same error with words",
            "AppleTapToPaySDKError.dataParsingError.code": "one name that stands for three numbers",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
        ])

    static let ecommpay = KitSurface(
        folder: "Ecommpay", space: "EcommpayPhoneSDK", list: "ecommpay",
        notBuilt: [
            "PROJECT_SECRET_KEY": "a secret key has no place on a phone; the server signs test payments too",
            "AcsPage": gone, "Additional.card": gone, "Additional.country": gone, "Additional.email": gone,
            "Additional.phone": gone, "Additional.recurring_enable": gone,
            "ApplePayAuthRequest.recepientInfo": "spelt "
                + "recipientInfo in the public header",
            "CardDetails.bank_name": gone, "CardDetails.country": gone, "CardDetails.expiry": gone,
            "CardDetails.holder": gone, "CardDetails.product_name": gone, "CardDetails.type": gone,
            "CardVerifyRequest.saveCard": gone, "PayDelegate.onCompleteWithFail": gone,
            "PayDelegate.onThreeDSecure.acsPage": gone, "PaymentTexts.methodsTitle": gone,
            "SavedAccount.additional": gone, "SavedAccount.last_deposit_date": gone,
            "SavedAccount.last_tokenize_date": gone, "StringResourceManager.payment": gone,
            "sendClarificationFields.clarificationFields": gone, "sendCustomerFields.customerFields": gone,
            "threeDSecureHandled": "threeDSecureRedirectHandle in the public header",
        ],
        renamed: [
            "MSDKCoreSession.config": "makeSession.config"
        ],
        own: [
            "SDK": "what makes sessions", "makeSession": "the session's initialiser",
            "getParamsForSignature.paymentInfo": "the object that the document's call belongs to",
            "Signer": "the server leg", "Companion": "the configuration's maker as a value",
            "Companion.rawValue": "open",
            "Companion.release": "the maker for real payments in the SDK's public header",
            "AdditionalField": "the fields' names as a type", "AdditionalField.rawValue": "open",
            "RecurrentInfo": "the type of a documented parameter", "RecurrentInfo.fields": "members of another article",
            "PayRequest": "one type for all requests", "PayRequest.": "one type for all requests",
            "RecipientInfo": "the type of a documented parameter", "RecipientInfo.fields": "members are not documented",
            "ApplePayAuthRequest.recipientInfo": header, "ApplePaySaleRequest.recipientInfo": header,
            "NewCardSaleRequest.recipientInfo": header, "CardAuthRequest.recipientInfo": header,
            "SavedCardSaleRequest.recipientInfo": header, "SavedCardAuthRequest.recipientInfo": header,
            "CardSaleTokenizeRequest.recipientInfo": header, "CardAuthTokenizeRequest.recipientInfo": header,
            "PaymentInfo.languageCode": header, "RecurrentInfo.schedule": header, "RecurrentInfoSchedule": header,
            "RecurrentInfoSchedule.": header, "PaymentMethod.name": "public header",
            "PaymentMethod.walletSaveMode": header,
            "ThreeDSecurePage": header, "ThreeDSecurePage.": header, "ThreeDSecurePageType": header,
            "ThreeDSecurePageType.": header, "ClarificationFieldValue": header, "ClarificationFieldValue.": header,
            "CustomerFieldValue": header, "CustomerFieldValue.": header, "PaymentStatus": header,
            "PaymentStatus.": header, "Payment.serverStatusName": header, "SavedAccount.cardExpiry": header,
            "SavedAccount.cardType": header, "getStringByKey": header, "getStringByKey.key": header,
            "sendClarificationFields.fields": header, "sendCustomerFields.fields": header,
            "threeDSecureRedirectHandle": header, "threeDSecureRedirectHandle.url": header,
            "PayDelegate.onStatusChanged.status": header, "PayDelegate.onThreeDSecure.threeDSecurePage": header,
            "PayDelegate.onThreeDSecureRedirectComplete": header,
            "PayDelegate.onCompleteWithDecline.isTryAgain": header,
            "PayDelegate.onCompleteWithDecline.paymentMessage": header,
            "ClarificationField.": "public header; no members are documented",
            "CustomerField.": "public header; no members are documented",
            "Payment.id": "public header", "Payment.sum": "public header", "Payment.currency": "public header",
            "Payment.method": "public header", "Payment.account": "public header",
            "InitDelegate.onPaymentRestored.payment": "the document shows no parameters",
            "PayDelegate.onStatusChanged.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithSuccess.payment": "the document shows no parameters",
            "PayDelegate.onCompleteWithDecline.payment": "the document shows no parameters",
            "ErrorCode": "compared with the list of errors", "ErrorCode.": "compared with the list of errors",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
            "endings": "our rule",
        ])

    static let arise = KitSurface(
        folder: "ARISE", space: "ARISEPhoneSDK", list: "arise",
        notBuilt: [
            "showEducationalInfo.viewController": "the view stays with the application",
            "VoidTransactionRequest": "the document's name for the void's only parameter",
            "AriseApiError.apiError": unreleased, "RefundRequest": unreleased,
            "RefundRequest.transactionId": unreleased, "RefundRequest.cardDataSource": unreleased,
            "AuthorizationResponse": "gone before 0.0.4: the answer is CardTransactionResponse",
            "TransactionSummary.currencyCode": gone5, "TransactionSummary.type": gone5,
            "TransactionDetails.operationTypeId": gone5, "TransactionReceiptDto.operationTypeId": gone5,
            "SourceResponseDto.operationType": unreleased, "PaymentProcessor.operationType": unreleased,
            "CardDetailsDto.raw": unreleased, "ElectronicCheckDetails.raw": unreleased,
            "AvsResponseDto.raw": unreleased, "EmvTagsDto.raw": unreleased, "TsysCardDetailsDto.raw": unreleased,
            "CardTransactionRequest.useCardPrice": unreleased, "CurrencyOption": unreleased,
            "CurrencyOption.id": unreleased, "CurrencyOption.name": unreleased,
            "PaymentSettingsResponse.isCustomerCardSavingByTerminalEnabled": "gone before 0.0.2",
        ],
        renamed: [
            "init": "Maker", "init.environment": "Environment", "captureTransactionRequest": "captureTransaction",
        ].merging(
            [
                "", ".baseAmount", ".percentageOffAmount", ".percentageOffRate", ".cashDiscountAmount",
                ".cashDiscountRate", ".surchargeAmount", ".surchargeRate", ".tipAmount", ".tipRate", ".totalAmount",
            ].map { ("TransactionAmountDto\($0)", "TransactionReceiptAmountDto\($0)") }
        ) { one, _ in one },
        own: [
            "Sessions": "a group of calls", "Reports": "a group of calls", "Payments": "a group of calls",
            "Pricing": "a group of calls", "Settings": "a group of calls", "Devices": "a group of calls",
            "Activation": "a group of calls", "Taps": "a group of calls", "TappingSdk": "a group of calls",
            "rule": "our rule", "rule.": "our rule", "TTP": "the type of the documented member",
            "Credentials": "the server leg", "Environment.rawValue": "open",
            "TTPReaderEvent.other": "open", "Failure": "the four documented types as one",
            "Failure.": "the four as one",
            "AriseApiError.name": "the outcome table's name", "TTPError.name": "the outcome table's name",
            "TTPError.code": "the documented code", "TTPErrorCode": "compared with the list of errors",
            "TTPErrorCode.rawValue": "open", "AuthenticationError.rawValue": "open",
            "PaymentCardReaderError.rawValue": "open", "CreateMethodId.rawValue": "open", "Currency.rawValue": "open",
            "ZeroCostProcessingOption.rawValue": "open", "OperationType.rawValue": "open",
            "PaymentMethodType.rawValue": "open", "AccountType.rawValue": "open", "AccountHolderType.rawValue": "open",
            "CardTokenType.rawValue": "open", "TransactionType.rawValue": "open", "TransactionStatus.rawValue": "open",
            "EMVFallbackCondition.rawValue": "open", "EMVFallbackLastChipRead.rawValue": "open",
            "LocationPermissionStatus.rawValue": "open", "TapToPayEntitlementStatus.rawValue": "open",
            "TTPStatus.rawValue": "open", "TTPTransactionStatus.rawValue": "open", "ApiPermission.rawValue": "open",
            "CardDataSource.rawValue": "open", "CardholderAuthenticationMethod.rawValue": "open",
            "AvsAction.rawValue": "open", "AvsCodeGroupType.rawValue": "open", "AvsResponseResult.rawValue": "open",
            "Call": call, "Call.": call, "outcome": "our rule", "outcome.": "our rule", "table": "our rule",
            "endings": "our rule",
        ], table: "arise-0.0.6.symbols",
        leftOut: [
            "AriseMobileSdk.ttp": "a requirement of TappingSdk", ".displayName": words, ".errorDescription": words,
            "AriseApiError.recoverySuggestion": words,
            "Currency.isoCode": words, "EmvTagsDto.rawTagDictionary": "made of rawTags",
            "AriseApiError.errorInfo": "what the API said beside the text",
            "TTPError.errorCode": "the code stands in the case", ".pending": unprinted, ".noMatch": unprinted,
            "TransactionStatus.declined": unprinted, "TransactionStatus.failed": unprinted,
            ".partialMatch": unprinted, ".incompatible": unprinted, "AvsCodeGroupType.unavailable": unprinted,
            ".validGroup": unprinted, "AvsResponseResult.passed": unprinted, "AvsResponseResult.failed": unprinted,
            "CardDataSource.emv": unprinted, ".emvContactless": unprinted, ".fallbackSwipe": unprinted,
            ".internet": unprinted, ".nfc": unprinted, ".swipe": unprinted, ".eTicketEnvAmex": unprinted,
            ".electronicSignatureAnalysis": unprinted, ".manualOther": unprinted, ".manualSignature": unprinted,
            ".notAuthenticated": unprinted, ".offlinePin": unprinted, "CardholderAuthenticationMethod.pin": unprinted,
            ".systematicOther": unprinted, "CardholderAuthenticationMethod.unknown": unprinted,
        ],
        open: [
            "TransactionSummary.operationType": "may be newer than 0.0.6",
            "CardTransactionResponse.operationType": "may be newer than 0.0.6",
            "TransactionResponse.operationType": "may be newer than 0.0.6",
            "TransactionOperation.operationType": "may be newer than 0.0.6",
        ])
}

/// Reads what a kit's source text declares: calls with their parameters, types, members, cases.
///
/// The members of a protocol stand without its name, since a document knows the call alone; all others stand with the
/// types around them, without the name space.
struct KitSource {
    private enum Scope { case space, type([String], isEnum: Bool), protocolBody, other }

    private let tokens: [String]
    private var index = 0
    private var scopes: [Scope] = []
    private var pending: Scope?
    private var found: Set<String> = []

    /// The names in a text.
    static func names(in text: String, space: String) -> Set<String> {
        var source = KitSource(text)
        source.read(space)
        return source.found
    }

    private init(_ text: String) { tokens = Self.tokens(of: text) }

    private mutating func read(_ space: String) {
        while index < tokens.count {
            let token = tokens[index]
            switch token {
            case "{":
                scopes.append(pending ?? .other)
                pending = nil
            case "}": _ = scopes.popLast()
            case "struct", "enum", "protocol", "extension", "class": type(token, space)
            case "typealias" where isPublic: add(tokens[index + 1])
            case "case": if case .type(let path, isEnum: true) = scopes.last { enumCase(path) }
            case "func": function()
            case "let", "var": if isPublic || isRequirement { add(tokens[index + 1]) }
            default: break
            }
            index += 1
        }
    }

    private var isRequirement: Bool {
        if case .protocolBody = scopes.last { return true }
        return false
    }

    private var isPublic: Bool {
        if case .other = scopes.last { return false }
        var place = index - 1
        while place >= 0, ["static", "mutating"].contains(tokens[place]) { place -= 1 }
        return place >= 0 && tokens[place] == "public"
    }

    private var path: [String] {
        if case .type(let path, _) = scopes.last { return path }
        return []
    }

    private mutating func add(_ name: String) { found.insert((path + [name]).joined(separator: ".")) }

    private mutating func type(_ kind: String, _ space: String) {
        index += 1
        var names = [tokens[index]]
        while tokens[index + 1] == "." {
            names.append(tokens[index + 2])
            index += 2
        }
        if names[0] == space {
            pending = names.count == 1 ? .space : .type(Array(names.dropFirst()), isEnum: false)
        } else if kind == "extension" || scopes.isEmpty {
            pending = .other
        } else {
            if case .other = scopes.last { return }
            found.insert((path + names).joined(separator: "."))
            pending = kind == "protocol" ? .protocolBody : .type(path + names, isEnum: kind == "enum")
        }
    }

    private mutating func enumCase(_ path: [String]) {
        repeat {
            index += 1
            let name = tokens[index]
            add(name)
            if tokens[index + 1] == "(" {
                index += 1
                for label in labels() { found.insert((path + [name, label]).joined(separator: ".")) }
            }
            if tokens[index + 1] == "=" { index += 2 }
            guard tokens[index + 1] == "," else { return }
            index += 1
        } while index + 1 < tokens.count
    }

    private mutating func function() {
        guard isPublic || isRequirement else { return }
        let name = tokens[index + 1]
        add(name)
        index += 1
        while tokens[index] != "(" { index += 1 }
        for label in labels() { found.insert((path + [name, label]).joined(separator: ".")) }
    }

    /// The labels of the list that begins here; a parameter without one goes by its name. Ends on the closing bracket.
    private mutating func labels() -> [String] {
        var (depth, labels, isStart) = (0, [String](), false)
        repeat {
            switch tokens[index] {
            case "(", "[", "<":
                depth += 1
                isStart = depth == 1
            case ")", "]", ">":
                if tokens[index] != ">" || tokens[index - 1] != "-" { depth -= 1 }
            case "," where depth == 1: isStart = true
            default:
                if isStart {
                    let label = tokens[index] == "_" ? tokens[index + 1] : tokens[index]
                    if tokens[index + 1] == ":" || tokens[index + 2] == ":" { labels.append(label) }
                }
                isStart = false
            }
            index += 1
        } while depth > 0
        index -= 1
        return labels
    }

    private static func tokens(of text: String) -> [String] {
        var (tokens, word, rest) = ([String](), "", text[...])
        while let character = rest.first {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                rest.removeFirst()
                continue
            }
            if !word.isEmpty { tokens.append(word) }
            word = ""
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if character == "\"" {
                rest.removeFirst()
                while let next = rest.first, next != "\"" { rest.removeFirst(next == "\\" ? 2 : 1) }
                rest = rest.dropFirst()
                tokens.append("\"\"")
            } else {
                if !character.isWhitespace, character != "`" { tokens.append(String(character)) }
                rest.removeFirst()
            }
        }
        return word.isEmpty ? tokens : tokens + [word]
    }
}
