import PaymentBase
import Testing

@testable import PaymentMobileSDKs

/// The rules of one kit, with the list of its document.
struct RuleBook: Sendable, CustomStringConvertible {
    let list: String
    let document: String
    let table: SDKErrorTable
    /// Asks the table in each call and with each evidence.
    let ask: @Sendable (String) -> [(call: String, isAboutMoney: Bool, outcomes: [SDKOutcome])]

    var description: String { list }

    init<Call: SDKCall>(_ list: String, _ document: String, _ table: SDKErrorTable, _: Call.Type) {
        (self.list, self.document, self.table) = (list, document, table)
        ask = { code in
            Call.allCases.map { call in
                let outcomes = SDKEvidence.allCases.map { table.outcome(of: code, in: call, seen: $0) }
                return (call.rawValue, call.isAboutMoney, outcomes)
            }
        }
    }

    static let all: [RuleBook] = [
        RuleBook("arise", "seeds/arise.txt", ARISEPhoneSDK.table, ARISEPhoneSDK.Call.self),
        RuleBook("adyen", "seeds/adyen.txt", AdyenPhoneSDK.table, AdyenPhoneSDK.Call.self),
        RuleBook("ni", "seeds/ni.txt", NIPhoneSDK.table, NIPhoneSDK.Call.self),
        RuleBook("ecommpay", "seeds/ecommpay.txt", EcommpayPhoneSDK.table, EcommpayPhoneSDK.Call.self),
        RuleBook("halo", "seeds/halo.txt", HaloPhoneSDK.table, HaloPhoneSDK.Call.self),
    ]
    static let apple: [RuleBook] = [
        RuleBook("reader", "wire/proximityreader.md", ProximityReaderErrors.reader, ProximityReaderErrors.Call.self),
        RuleBook("read", "wire/proximityreader.md", ProximityReaderErrors.read, ProximityReaderErrors.Call.self),
    ]
}

@Suite struct OutcomeTests {
    @Test(arguments: RuleBook.all)
    func everyDocumentedErrorHasARowAndNoOtherHas(_ book: RuleBook) throws {
        let listed = Set(try KitFixture.rows("\(book.list)-errors").map { $0[0] })
        let ruled = Set(book.table.rows.map(\.code))
        #expect(listed.subtracting(ruled).isEmpty, "no rule")
        #expect(ruled.subtracting(listed).isEmpty, "not documented")
        print("\(book): \(listed.count) errors, \(book.table.rows.count) rows")
    }

    @Test(arguments: RuleBook.all)
    func everyListedLineIsCited(_ book: RuleBook) throws {
        for row in try KitFixture.rows("\(book.list)-errors") {
            let place = row[1].contains(":") ? row[1] : "\(book.document):\(row[1])"
            let cited = book.table.rows.filter { $0.code == row[0] }.flatMap(\.citations).map(\.description)
            #expect(cited.contains(place), "\(row[0])")
        }
    }

    @Test(arguments: RuleBook.all + RuleBook.apple)
    func aRowSaysWhyAndWhereAndStandsOnceForACall(_ book: RuleBook) {
        for rule in book.table.rows {
            #expect(!rule.why.isEmpty && !rule.citations.isEmpty && rule.citations.allSatisfy { $0.line > 0 })
            #expect(rule.outcome != .declined || rule.cause == .declined, "\(rule.code)")
        }
        let places = book.table.rows.flatMap { rule in
            (rule.calls.isEmpty ? [""] : rule.calls).map { "\(rule.code) \($0)" }
        }
        #expect(Set(places).count == places.count)
        let calls = Set(book.ask("").map(\.call))
        #expect(Set(book.table.rows.flatMap(\.calls)).isSubset(of: calls))
    }

    @Test(arguments: RuleBook.all + RuleBook.apple)
    func whatIsNotListedIsUnknown(_ book: RuleBook) {
        for code in ["", "4711", "user_cancelled", "NEW_IN_THE_NEXT_VERSION"] {
            for (_, _, outcomes) in book.ask(code) { #expect(outcomes.allSatisfy { $0 == .unknown }) }
        }
    }

    @Test(arguments: RuleBook.all + RuleBook.apple)
    func eventsOnlyTakeCertaintyAway(_ book: RuleBook) {
        for rule in book.table.rows {
            for (call, isAboutMoney, outcomes) in book.ask(rule.code) where isAboutMoney {
                #expect(outcomes.dropFirst().allSatisfy { $0 == outcomes[0] || $0 == .unknown }, "\(rule.code) \(call)")
                #expect(outcomes.last == .unknown, "\(rule.code) after an approval")
                let isHeld = rule.holdsAfterSubmission || outcomes[0] == .declined
                #expect(outcomes[1] == (isHeld ? outcomes[0] : .unknown), "\(rule.code) \(call)")
            }
        }
    }

    @Test(arguments: RuleBook.all)
    func aCallThatPaysNothingDeclinesNothing(_ book: RuleBook) {
        for rule in book.table.rows {
            for (_, isAboutMoney, outcomes) in book.ask(rule.code) where !isAboutMoney {
                #expect(outcomes.allSatisfy { $0 == rule.outcomeElsewhere && $0 != .declined })
            }
        }
    }

    /// What proves that nothing moved, and what is a decline; an addition to it belongs here.
    @Test func noOtherErrorProvesThatNothingMoved() {
        func proofs(_ table: SDKErrorTable, _ outcome: SDKOutcome) -> Set<String> {
            Set(table.rows.filter { $0.outcome == outcome && $0.calls.isEmpty }.map(\.code))
        }
        #expect(
            proofs(HaloPhoneSDK.table, .unknown) == [
                "104", "USER_CANCELLED", "userCancelled", "SCREEN_CAPTURE_DETECTED", "screenCaptureDetected",
                "NETWORK_ERROR", "TIMEOUT", "HaloError.userCancelled", "HaloError.networkError",
                "HaloError.cardNotSupported", "networkError",
                "timeout", "networkAuthenticationError", "serviceConnectionError", "backgroundRequestNotAllowed",
                "APP_IN_BACKGROUND", "requestInterrupted", "tokenExpired", "TOKEN_ERROR", "readerBusy", "notReady",
                "READER_ERROR", "prepareExpired", "merchantBlocked", "MERCHANT_BLOCKED", "invalidMerchant",
                "MERCHANT_NOT_ALLOWED", "storeAndForwardNotAllowed", "STORE_FORWARD_ERROR",
                "storeAndForwardSessionExpired", "storeAndForwardSessionInvalidated",
                "storeAndForwardTokenIssuerChanged", "transactionError", "cardNotSupported", "CARD_NOT_SUPPORTED",
                "unknown", "systemError", "SYSTEM_ERROR",
            ])
        #expect(proofs(HaloPhoneSDK.table, .declined) == ["CARD_DECLINED", "HaloError.cardDeclined", "cardDeclined"])
        #expect(
            proofs(AdyenPhoneSDK.table, .unknown) == [
                "OFFLINE_DATA_TAMPERING", "TOKEN_EXPIRED_S&F", "deviceConnectionFailure",
            ])
        #expect(proofs(AdyenPhoneSDK.table, .declined).isEmpty)
        #expect(proofs(NIPhoneSDK.table, .unknown) == ["1", "110", "111", "119", "210", "301", "310", "610", "710"])
        #expect(proofs(NIPhoneSDK.table, .declined) == ["113", "114", "118"])
        #expect(
            proofs(EcommpayPhoneSDK.table, .notExecuted) == [
                "CUSTOMER_ID_NOT_EXIST", "ILLEGAL_ARGUMENTS", "INTERACTOR_NOT_RUNNING",
                "PAYMENT_METHOD_NOT_AVAILABLE", "PAYMENT_TOKEN_NOT_EXIST", "SESSION_NOT_INITIALIZED",
                "PAYMENT_REQUEST_TYPE_NOT_EXIST",
            ])
        #expect(proofs(EcommpayPhoneSDK.table, .declined).isEmpty)
        #expect(
            proofs(ARISEPhoneSDK.table, .notExecuted) == [
                "AriseApiError.badRequest", "AriseApiError.unauthorized", "AriseApiError.forbidden",
                "AriseApiError.notFound", "TTPError.notCompatible", "TTPError.notActive", "TTPError.sdkNotInitialized",
                "TTPError.configurationFailed", "TTPError.activationFailed", "DEV003", "GPS003", "GPS005", "GPS006",
                "MER003", "MER004", "MER005", "MER006", "MER007", "MER008", "MISSING_REQUIRED_FIELD",
                "PARTNER_UNAUTHORIZED", "AuthenticationError.invalidCredentials", "AuthenticationError.networkError",
                "AuthenticationError.invalidResponse", "AuthenticationError.tokenExpired",
                "AuthenticationError.unknown", "PaymentCardReaderError.notAllowed",
            ])
        #expect(proofs(ARISEPhoneSDK.table, .declined).isEmpty)
    }

    @Test func onlyARefusedSubmissionHolds() {
        let held = RuleBook.all.flatMap { $0.table.rows.filter(\.holdsAfterSubmission).map(\.code) }
        #expect(Set(held) == ["PPS-4003", "Request Expired"])
    }
}

/// The rules by the kits' own types of errors.
@Suite struct SDKOutcomeTests {
    @Test func everyConstantOfAnErrorIsInItsTable() throws {
        func listed(_ file: String) throws -> Set<String> { Set(try KitFixture.rows(file).map { $0[0] }) }
        let adyen: [AdyenPhoneSDK.ErrorCode] = [
            .debuggerEnabled, .invalidNYC1FirmwareVersion, .localTimeTampering, .nonSelfResolvable, .noToken,
            .offlineDataTampering, .passcodeNotEnabled, .screenRecording, .screenCaptured, .screenTampering,
            .screenOverlay, .systemChange, .tokenExpiredStoreAndForward, .transactionInProgress, .tapToPayNotAllowed,
            .tapToPayNotSupported, .paymentInterfaceNotSupported, .noPairedReaders, .deviceConnectionFailure,
            .malformedTransactionRequest, .invalidSuccessScreenTimeout, .unableToObtainInstallationId,
            .backgroundWarmupNotAllowed, .bluetoothFirmwareUpdateError, .firmwareDownloadError, .firmwareUpdateError,
            .unableToFetchCardReaderBatteryInfo, .tapToPayPaymentInterfaceFailure,
        ]
        #expect(Set(adyen.map(\.rawValue)) == (try listed("adyen-errors")))
        let ecommpay: [EcommpayPhoneSDK.ErrorCode] = [
            .clarificationFieldsError, .customerIdNotExist, .illegalArguments, .interactorNotRunning, .networkError,
            .networkIsNotAvailable, .networkTimeout, .paymentAlreadyExist, .paymentHasFinalStatus,
            .paymentMethodNotAvailable, .paymentNotFound, .paymentTokenNotExist, .serverApiError,
            .sessionNotInitialized, .serverContentParsingError, .serverMethodNotFound, .serverUnauthorized,
            .networkAndServerAPI, .paymentRequestTypeNotExist, .illegalState, .unknown,
        ]
        #expect(Set(ecommpay.map(\.rawValue)) == (try listed("ecommpay-errors")))
        let codes: [HaloPhoneSDK.HaloErrorCode] = [
            .userCancelled, .cardDeclined, .networkError, .paymentInProgress, .deviceNotSupported,
            .screenCaptureDetected, .notInitialized, .timeout, .authTokenUnauthorized, .serverConfiguration,
            .requestTooOld, .requestExpired, .entitlementMissing, .invalidPassthroughFields,
        ]
        let errors = HaloErrorSamples.all.map(\.name)
        // The codes in today's spelling have no constants: the SDK's own strings are kept as they come.
        let published = Set(try KitFixture.published("halo-codes").flatMap { $0.prefix(2) }).subtracting(["—"])
        #expect(published.union(codes.map(\.rawValue) + errors) == (try listed("halo-errors")))
    }

    @Test func everyNamedErrorOfNIHasTheNumberOfItsLines() throws {
        let named: [NIPhoneSDK.AppleTapToPaySDKError] = [
            .genericError, .deviceNotSupported, .initializationError, .invalidAuthToken, .networkError,
            .networkUnauthorizedError, .invalidCurrencyCode, .invalidAmount, .invalidPaymentProcessResponse,
            .readerTokenNotAvailable, .readerTokenInvalid, .termsAndConditionsError, .processPaymentReadError,
            .invalidTransactionId, .dataParsingError(310), .dataParsingError(610), .dataParsingError(710),
        ]
        let rows = try KitFixture.rows("ni-errors").filter { $0.count == 3 }
        #expect(Set(named.map { "\($0.key) \($0.name)" }) == Set(rows.map { "\($0[0]) \($0[2])" }))
    }

    @Test func theSameErrorProvesMoreAfterARequestThanAfterATap() {
        let refused: [ARISEPhoneSDK.Failure] = [
            .api(.badRequest("")), .api(.unauthorized("")), .api(.forbidden("")), .api(.notFound("")),
            .authentication(.tokenExpired), .authentication(.networkError),
        ]
        for failure in refused {
            for call: ARISEPhoneSDK.Call in [
                .submitSaleTransaction, .submitAuthTransaction, .captureTransaction, .voidTransaction,
                .refundTransaction,
            ] { #expect(ARISEPhoneSDK.outcome(of: failure, in: call, seen: .nothingSeen) == .notExecuted) }
            #expect(ARISEPhoneSDK.outcome(of: failure, in: .performTransaction, seen: .nothingSeen) == .unknown)
        }
        for failure: ARISEPhoneSDK.Failure in [
            .api(.serverError("")), .api(.unknown("")), .api(.invalidResponse("")), .api(.networkError("")),
            .other(name: "New", description: ""),
        ] {
            for call in ARISEPhoneSDK.Call.allCases where call.isAboutMoney {
                #expect(ARISEPhoneSDK.outcome(of: failure, in: call, seen: .nothingSeen) == .unknown)
            }
        }
    }

    @Test func aFailedTapIsJudgedByItsCode() {
        func tap(_ error: ARISEPhoneSDK.TTPError, _ evidence: SDKEvidence = .nothingSeen) -> SDKOutcome {
            ARISEPhoneSDK.outcome(of: .ttp(error), in: .performTransaction, seen: evidence)
        }
        func code(_ text: String) -> ARISEPhoneSDK.TTPErrorCode { ARISEPhoneSDK.TTPErrorCode(rawValue: text) }
        #expect(tap(.transactionFailed(code("GPS003"), "")) == .notExecuted)
        #expect(tap(.transactionFailed(code("GPS003"), ""), .submitted) == .unknown)
        #expect(tap(.unknown(code("MER005"), "")) == .notExecuted)
        #expect(tap(.transactionFailed(code("EC_504"), "")) == .unknown)
        #expect(tap(.transactionFailed(code("DATA009"), "")) == .unknown)
        #expect(tap(.transactionFailed(code("NEW001"), "")) == .unknown)
        // A code doesn't weaken an error that comes before the card.
        #expect(tap(.configurationFailed(code("EC_500"), "")) == .notExecuted)
        #expect(tap(.notCompatible(incompatibilityReasons: ["location"])) == .notExecuted)
    }

    @Test func stoppingAPaymentSaysNothingOfIt() {
        let failures: [ARISEPhoneSDK.Failure] = [
            .ttp(.sdkNotInitialized), .ttp(.failedToAbortTransaction(.init(rawValue: "DEV003"), "")),
            .ttp(.transactionFailed(.init(rawValue: "DEV003"), "")), .cardReader(.notAllowed), .api(.badRequest("")),
            .cardReader(.init(rawValue: "notReady")),
        ]
        for failure in failures {
            for evidence in SDKEvidence.allCases {
                #expect(ARISEPhoneSDK.outcome(of: failure, in: .abortTransaction, seen: evidence) == .unknown)
            }
        }
    }

    @Test func applesErrorsComeFromApplesList() {
        func reader(_ name: String, _ evidence: SDKEvidence = .nothingSeen) -> SDKOutcome {
            ARISEPhoneSDK.outcome(of: .cardReader(.init(rawValue: name)), in: .performTransaction, seen: evidence)
        }
        #expect(reader("notAllowed") == .notExecuted)
        #expect(reader("prepareExpired") == .notExecuted)
        #expect(reader("prepareExpired", .submitted) == .unknown)
        #expect(reader("somethingNew") == .unknown)
        #expect(ARISEPhoneSDK.outcome(of: .cardReader(.notAllowed), in: .prepare, seen: .nothingSeen) == .notExecuted)
    }

    @Test func theEndsOfATapAreJudgedByTheirStatus() {
        #expect(ARISEPhoneSDK.outcome(of: .approved, seen: .nothingSeen) == nil)
        #expect(ARISEPhoneSDK.outcome(of: .declined, seen: .submitted) == .declined)
        #expect(ARISEPhoneSDK.outcome(of: .declined, seen: .approved) == .unknown)
        #expect(ARISEPhoneSDK.outcome(of: .cancelled, seen: .nothingSeen) == .notExecuted)
        #expect(ARISEPhoneSDK.outcome(of: .cancelled, seen: .submitted) == .unknown)
        #expect(ARISEPhoneSDK.outcome(of: .failed, seen: .nothingSeen) == .unknown)
        #expect(ARISEPhoneSDK.outcome(of: .init(rawValue: "pending"), seen: .nothingSeen) == .unknown)
    }

    @Test func aSessionOfASpentIdentifierProvesNothingEither() {
        for code: EcommpayPhoneSDK.ErrorCode in [.paymentAlreadyExist, .paymentHasFinalStatus] {
            for call in EcommpayPhoneSDK.Call.allCases {
                #expect(EcommpayPhoneSDK.outcome(of: code, in: call, seen: .nothingSeen) == .unknown)
            }
        }
        #expect(
            EcommpayPhoneSDK.outcome(of: .networkError, in: .getInitInteractor, seen: .nothingSeen) == .notExecuted)
        #expect(
            EcommpayPhoneSDK.outcome(of: .networkIsNotAvailable, in: .getPayInteractor, seen: .nothingSeen) == .unknown)
    }

    @Test func theEndsOfAPaymentOfSDKCoreAreDeclines() {
        let payment = EcommpayPhoneSDK.Payment(id: "p")
        let created = SDKEvidence.submitted
        func declined(mayTryAgain: Bool) -> EcommpayPhoneSDK.PayDelegate {
            .onCompleteWithDecline(isTryAgain: mayTryAgain, paymentMessage: nil, payment: payment)
        }
        #expect(EcommpayPhoneSDK.outcome(of: declined(mayTryAgain: false), seen: created) == .declined)
        #expect(EcommpayPhoneSDK.outcome(of: declined(mayTryAgain: false), seen: .approved) == .unknown)
        // It waits for another try, so that it has no end yet.
        #expect(EcommpayPhoneSDK.outcome(of: declined(mayTryAgain: true), seen: created) == nil)
        #expect(EcommpayPhoneSDK.outcome(of: .onCompleteWithSuccess(payment: payment), seen: created) == nil)
        #expect(
            EcommpayPhoneSDK.outcome(of: .onStatusChanged(status: .processing, payment: payment), seen: created) == nil)
        let error = EcommpayPhoneSDK.PayDelegate.onError(code: .illegalArguments, message: "")
        #expect(EcommpayPhoneSDK.outcome(of: error, seen: .nothingSeen) == .notExecuted)
        #expect(EcommpayPhoneSDK.outcome(of: error, seen: created) == .unknown)
    }

    @Test func halosDeclinedIsNotAlwaysOne() {
        #expect(HaloPhoneSDK.outcome(of: nil, seen: .nothingSeen) == .unknown)
        #expect(HaloPhoneSDK.outcome(of: .cardDeclined, seen: .submitted) == .declined)
        #expect(HaloPhoneSDK.outcome(of: .userCancelled, seen: .nothingSeen) == .unknown)
        #expect(HaloPhoneSDK.outcome(of: .screenCaptureDetected, seen: .nothingSeen) == .unknown)
        #expect(HaloPhoneSDK.outcome(of: .requestTooOld, seen: .submitted) == .notExecuted)
        #expect(HaloPhoneSDK.outcome(of: .requestTooOld, seen: .approved) == .unknown)
        #expect(
            HaloPhoneSDK.outcome(of: .networkError(.modelNotSupported), in: .initialize, seen: .nothingSeen)
                == .notExecuted
        )
        let other = HaloPhoneSDK.HaloError.other(name: "new", description: "")
        #expect(HaloPhoneSDK.outcome(of: other, in: .startContactlessPayment, seen: .nothingSeen) == .unknown)
    }

    /// From 1.0.90 on the SDK spells its codes otherwise; what they say of the money is the same.
    @Test func codeOfHalo_inTheSpellingSince90_provesWhatItsOlderOneDoes() throws {
        let rows = try KitFixture.published("halo-codes").filter { $0[0] != "—" }
        let pairs = Dictionary(grouping: rows) { $0[0] }.filter { $0.value.count == 1 }.flatMap(\.value)
        #expect(pairs.count >= 15)
        for row in pairs {
            for evidence in SDKEvidence.allCases {
                let (older, newer) = (
                    HaloPhoneSDK.HaloErrorCode(rawValue: row[0]), HaloPhoneSDK.HaloErrorCode(rawValue: row[1])
                )
                #expect(
                    HaloPhoneSDK.outcome(of: newer, seen: evidence) == HaloPhoneSDK.outcome(of: older, seen: evidence),
                    "\(row[0]) and \(row[1])")
            }
        }
        #expect(HaloPhoneSDK.outcome(of: .init(rawValue: "userCancelled"), seen: .nothingSeen) == .unknown)
        #expect(HaloPhoneSDK.outcome(of: .init(rawValue: "cardDeclined"), seen: .submitted) == .declined)
    }

    /// What the document doesn't say of the money is unknown.
    @Test func codeOfHalo_whoseMoneyTheDocumentLeavesOut_isUnknown() throws {
        for row in try KitFixture.published("halo-codes") {
            let code = HaloPhoneSDK.HaloErrorCode(rawValue: row[1])
            let outcome = HaloPhoneSDK.outcome(of: code, seen: .nothingSeen)
            let expected: SDKOutcome =
                row[1] == "cardDeclined" ? .declined : row[5] == "not said" ? .unknown : .notExecuted
            #expect(outcome == expected, "\(row[1])")
        }
    }

    @Test func niKnowsAnErrorByItsNumber() {
        let said = NIPhoneSDK.AppleTapToPaySDKError(118, "whatever").saying("too much")
        #expect(NIPhoneSDK.outcome(of: said, in: .processPayment) == .declined)
        #expect(NIPhoneSDK.outcome(of: .invalidTransactionId, in: .refundTransaction) == .notExecuted)
        #expect(NIPhoneSDK.outcome(of: .dataParsingError(610), in: .refundTransaction) == .unknown)
        #expect(NIPhoneSDK.outcome(of: .networkError, in: .getTransactions) == .notExecuted)
        #expect(NIPhoneSDK.outcome(of: .init(117, "gap"), in: .processPayment) == .unknown)
        #expect(NIPhoneSDK.outcome(of: NIPhoneSDK.AuthResponse(success: false)) == .declined)
        #expect(NIPhoneSDK.outcome(of: NIPhoneSDK.AuthResponse(success: true)) == nil)
    }

    @Test func adyensStoredPaymentsAreInDoubtWhereTheDocumentSaysSo() {
        #expect(AdyenPhoneSDK.storedPaymentsInDoubt == [.offlineDataTampering, .passcodeNotEnabled])
        #expect(AdyenPhoneSDK.outcome(of: .offlineDataTampering, in: .performTransaction) == .unknown)
        #expect(AdyenPhoneSDK.outcome(of: .passcodeNotEnabled, in: .performTransaction) == .notExecuted)
        #expect(AdyenPhoneSDK.outcome(of: .tapToPayPaymentInterfaceFailure, in: .performTransaction) == .notExecuted)
        #expect(AdyenPhoneSDK.outcome(of: .deviceConnectionFailure, in: .performTransaction) == .unknown)
        #expect(AdyenPhoneSDK.outcome(of: .init(rawValue: "NEW"), in: .performTransaction) == .unknown)
    }

    /// The document's word on whether a code is recoverable, and our advice.
    @Test func whatIsNotRecoverableIsNotTriedAgain() throws {
        for row in try KitFixture.rows("arise-errors") where row.count == 3 {
            let rule = try #require(ARISEPhoneSDK.table.rows.first { $0.code == row[0] })
            #expect(row[2] == "No" || row[2] == "Yes")
            #expect((rule.advice?.retry == .never) == (row[2] == "No"), "\(row[0])")
        }
    }
}

/// One of each of Halo's errors.
enum HaloErrorSamples {
    static let all: [HaloPhoneSDK.HaloError] = [
        .notInitialized, .deviceNotSupported(.modelNotSupported), .deviceNotCompliant, .paymentInProgress,
        .networkError(.init(rawValue: "x")), .authTokenUnauthorized, .accountLinkingError(.init(rawValue: "x")),
        .tokenError(.init(rawValue: "x"), detail: nil), .readerError(.init(rawValue: "x"), detail: "d"), .userCancelled,
        .cardDeclined, .locationError(.servicesDisabled), .offlineDeclined, .cardNotSupported,
    ]
}

@Suite struct ProximityReaderErrorsTests {
    @Test func allSixtySevenOfApplesErrorsHaveARow() throws {
        let rows = try KitFixture.rows("proximityreader-errors")
        let reader = rows.filter { $0[2] == "PaymentCardReaderError" }
        let read = rows.filter { $0[2] == "ReadError" }
        #expect(reader.count == 33 && read.count == 34 && rows.count == 67)
        for (listed, table) in [(reader, ProximityReaderErrors.reader), (read, ProximityReaderErrors.read)] {
            #expect(
                table.rows.map { [$0.code] + $0.citations.map(\.description) } == listed.map { Array($0.prefix(2)) })
        }
    }

    @Test func aReadMovesNoMoneyUnlessSomethingWasSentBefore() {
        let odd = ProximityReaderErrors.read.rows.filter { $0.outcome != .notExecuted }.map(\.code)
        #expect(odd == ["paymentCardDeclined", "storeAndForwardDeclineFailed", "storeAndForwardResultNotFound"])
        #expect(ProximityReaderErrors.reader.rows.allSatisfy { $0.outcome == .notExecuted })
        for name in ["pinCancelled", "pinEntryFailed", "pinEntryTimeout", "pinNotAllowed", "pinTokenInvalid"] {
            #expect(ProximityReaderErrors.outcome(ofRead: name, seen: .nothingSeen) == .notExecuted)
            #expect(ProximityReaderErrors.outcome(ofRead: name, seen: .submitted) == .unknown)
        }
        #expect(ProximityReaderErrors.outcome(ofRead: "paymentCardDeclined", seen: .nothingSeen) == .declined)
    }

    @Test func aNameOfOneListIsNotLookedUpInTheOther() {
        #expect(ProximityReaderErrors.outcome(ofReader: "readCancelled", seen: .nothingSeen) == .unknown)
        #expect(ProximityReaderErrors.outcome(ofRead: "merchantBlocked", seen: .nothingSeen) == .unknown)
        #expect(ProximityReaderErrors.outcome(ofReader: "passcodeDisabled", seen: .nothingSeen) == .notExecuted)
        #expect(ProximityReaderErrors.outcome(ofRead: "passcodeDisabled", seen: .nothingSeen) == .notExecuted)
    }
}

@Suite struct EvidenceTests {
    private static let steps: [HaloPhoneSDK.HaloAnalyticsEvent] = [
        step(.cardDetected), step(.transactionSubmissionStarted), step(.transactionResponseReceived),
        step(.transactionResponseReceived, ["isApproved": "true"]),
        step(.transactionResponseReceived, ["isApproved": "false", "isSingleTapAndPin": "true"]),
        step(.pinCaptureSucceeded), step(.paymentApproved), step(.paymentCancelled), step(.init(rawValue: "new")),
    ]

    private static func step(
        _ type: HaloPhoneSDK.EventType, _ metadata: [String: String] = [:]
    ) -> HaloPhoneSDK.HaloAnalyticsEvent { HaloPhoneSDK.HaloAnalyticsEvent(type, timestamp: 0, metadata: metadata) }

    private static func seen(_ events: [HaloPhoneSDK.HaloAnalyticsEvent]) -> SDKEvidence {
        var evidence = SDKEvidence.nothingSeen
        for event in events { evidence.see(event) }
        return evidence
    }

    /// All sequences of up to five of nine steps, against rules that are stated another way.
    @Test func everyShortTimelineOfHaloIsSeenRightly() {
        let steps = Self.steps
        var (level, count) = ([[Int]()], 0)
        for _ in 0..<5 {
            level = level.flatMap { row in steps.indices.map { row + [$0] } }
            for row in level {
                let approval = row.contains { $0 == 3 || $0 == 6 }
                let lastSent = row.lastIndex(of: 1)
                let lastPIN = row.lastIndex(of: 4)
                let isOpen = lastSent.map { sent in lastPIN.map { $0 < sent } ?? true } ?? false
                let expected: SDKEvidence = approval ? .approved : isOpen ? .submitted : .nothingSeen
                if Self.seen(row.map { steps[$0] }) != expected { Issue.record("\(row)") }
                count += 1
            }
        }
        #expect(count == 9 + 81 + 729 + 6_561 + 59_049)
    }

    @Test func theDocumentsTimelineEndsApproved() {
        let timeline: [HaloPhoneSDK.HaloAnalyticsEvent] = [
            Self.step(.sdkInitialized), Self.step(.discoveryShown), Self.step(.sdkReaderPrepared),
            Self.step(.cardDetected), Self.step(.transactionSubmissionStarted),
            Self.step(.transactionResponseReceived, ["isSingleTapAndPin": "true", "originalTransactionId": "t1"]),
            Self.step(.pinCaptureStarted), Self.step(.pinCaptureSucceeded),
            Self.step(.transactionSubmissionStarted, ["isSingleTapAndPin": "true"]),
            Self.step(.transactionResponseReceived, ["isApproved": "true"]),
        ]
        #expect(timeline[5].originalTransactionId == "t1" && timeline[5].isApproved == nil)
        let seen = (1...timeline.count).map { Self.seen(Array(timeline.prefix($0))) }
        #expect(seen[3] == .nothingSeen && seen[4] == .submitted && seen[7] == .nothingSeen)
        #expect(seen[8] == .submitted && seen[9] == .approved)
    }

    @Test func aTapOfARISEIsOnItsWayOnceItsCardWasRead() {
        func seen(_ events: [ARISEPhoneSDK.TTPEvent]) -> SDKEvidence {
            var evidence = SDKEvidence.nothingSeen
            for event in events { evidence.see(event) }
            return evidence
        }
        let before: [ARISEPhoneSDK.TTPEvent] = [
            .customEvent(.preparing), .customEvent(.ready), .readerEvent(.readyForTap), .readerEvent(.cardDetected),
            .customEvent(.cardReadFailure), .readerEvent(.readRetry), .customEvent(.errorOccurred),
            .customEvent(.unknownEvent("new")), .readerEvent(.other("new")), .readerEvent(.updateProgress(7)),
        ]
        #expect(seen(before) == .nothingSeen)
        let after: [ARISEPhoneSDK.TTPEvent] = [
            .readerEvent(.readCompleted), .readerEvent(.pinEntryCompleted), .customEvent(.cardReadSuccess),
            .customEvent(.authorizing), .customEvent(.inProgress), .customEvent(.declined),
        ]
        for event in after {
            #expect(seen(before + [event]) == .submitted)
            #expect(seen([event] + before) == .submitted)
            #expect(seen([.customEvent(.approved), event]) == .approved)
        }
    }

    @Test func aPaymentOfSDKCoreExistsFromItsFirstEventOn() {
        let payment = EcommpayPhoneSDK.Payment(id: "p")
        let page = EcommpayPhoneSDK.ThreeDSecurePage(type: .threeDs2Challenge)
        let events: [EcommpayPhoneSDK.PayDelegate] = [
            .onPaymentCreated, .onStatusChanged(status: .processing, payment: payment),
            .onThreeDSecure(threeDSecurePage: page, isCascading: false, payment: payment),
            .onThreeDSecureRedirectComplete,
            .onClarificationFields(clarificationFields: [], payment: payment),
            .onCompleteWithDecline(isTryAgain: false, paymentMessage: nil, payment: payment),
            .onCompleteWithDecline(isTryAgain: true, paymentMessage: nil, payment: payment),
        ]
        for event in events {
            var evidence = SDKEvidence.nothingSeen
            evidence.see(.onCustomerFields(customerFields: []))
            evidence.see(.onError(code: .networkError, message: ""))
            #expect(evidence == .nothingSeen)
            evidence.see(event)
            #expect(evidence == .submitted)
            evidence.see(.onCompleteWithSuccess(payment: payment))
            evidence.see(event)
            #expect(evidence == .approved)
        }
    }

    @Test func anApprovalIsNeverUnseen() {
        for one in SDKEvidence.allCases {
            for other in SDKEvidence.allCases {
                var evidence = one
                evidence.raise(to: other)
                #expect(evidence.rawValue == max(one.rawValue, other.rawValue))
            }
        }
    }
}
