import PaymentBase
import Testing

@testable import PaymentMobileSDKs

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
            ] { #expect(ARISEPhoneSDK.outcome(of: failure, in: call, seen: .nothingSeen) == .nothingMoved) }
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
        #expect(tap(.transactionFailed(code("GPS003"), "")) == .nothingMoved)
        #expect(tap(.transactionFailed(code("GPS003"), ""), .submitted) == .unknown)
        #expect(tap(.unknown(code("MER005"), "")) == .nothingMoved)
        #expect(tap(.transactionFailed(code("EC_504"), "")) == .unknown)
        #expect(tap(.transactionFailed(code("DATA009"), "")) == .unknown)
        #expect(tap(.transactionFailed(code("NEW001"), "")) == .unknown)
        // A code doesn't weaken an error that comes before the card.
        #expect(tap(.configurationFailed(code("EC_500"), "")) == .nothingMoved)
        #expect(tap(.notCompatible(incompatibilityReasons: ["location"])) == .nothingMoved)
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
        #expect(reader("notAllowed") == .nothingMoved)
        #expect(reader("prepareExpired") == .nothingMoved)
        #expect(reader("prepareExpired", .submitted) == .unknown)
        #expect(reader("somethingNew") == .unknown)
        #expect(ARISEPhoneSDK.outcome(of: .cardReader(.notAllowed), in: .prepare, seen: .nothingSeen) == .nothingMoved)
    }

    @Test func theEndsOfATapAreJudgedByTheirStatus() {
        #expect(ARISEPhoneSDK.outcome(of: .approved, seen: .nothingSeen) == nil)
        #expect(ARISEPhoneSDK.outcome(of: .declined, seen: .submitted) == .declined)
        #expect(ARISEPhoneSDK.outcome(of: .declined, seen: .approved) == .unknown)
        #expect(ARISEPhoneSDK.outcome(of: .cancelled, seen: .nothingSeen) == .nothingMoved)
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
            EcommpayPhoneSDK.outcome(of: .networkError, in: .getInitInteractor, seen: .nothingSeen) == .nothingMoved)
        #expect(
            EcommpayPhoneSDK.outcome(of: .networkIsNotAvailable, in: .getPayInteractor, seen: .submitted) == .unknown)
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
        #expect(EcommpayPhoneSDK.outcome(of: error, seen: .nothingSeen) == .nothingMoved)
        #expect(EcommpayPhoneSDK.outcome(of: error, seen: created) == .unknown)
    }

    @Test func halosDeclinedIsNotAlwaysOne() {
        #expect(HaloPhoneSDK.outcome(of: nil, seen: .nothingSeen) == .unknown)
        #expect(HaloPhoneSDK.outcome(of: .cardDeclined, seen: .submitted) == .declined)
        #expect(HaloPhoneSDK.outcome(of: .userCancelled, seen: .nothingSeen) == .nothingMoved)
        #expect(HaloPhoneSDK.outcome(of: .userCancelled, seen: .submitted) == .unknown)
        #expect(HaloPhoneSDK.outcome(of: .requestTooOld, seen: .submitted) == .nothingMoved)
        #expect(HaloPhoneSDK.outcome(of: .requestTooOld, seen: .approved) == .unknown)
        #expect(
            HaloPhoneSDK.outcome(of: .networkError(.modelNotSupported), in: .initialize, seen: .nothingSeen)
                == .nothingMoved
        )
        let other = HaloPhoneSDK.HaloError.other(name: "new", description: "")
        #expect(HaloPhoneSDK.outcome(of: other, in: .startContactlessPayment, seen: .nothingSeen) == .unknown)
    }

    /// From 1.0.90 on the SDK spells its codes otherwise; what they say of the money is the same.
    @Test func codeOfHalo_inTheSpellingSince90_provesWhatItsOlderOneDoes() throws {
        let rows = try KitFixture.published("halo-codes").filter { $0[0] != "—" }
        let pairs = Dictionary(grouping: rows) { $0[0] }.filter { $0.value.count == 1 }.flatMap(\.value)
        #expect(pairs.count >= 15)
        // A cancel is read with the steps that were seen, and their names since 1.0.90 are not published.
        for row in pairs where !["userCancelled", "screenCaptureDetected"].contains(row[1]) {
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
                row[1] == "cardDeclined" ? .declined : row[5] == "not said" ? .unknown : .nothingMoved
            #expect(outcome == expected, "\(row[1])")
        }
    }

    @Test func niKnowsAnErrorByItsNumber() {
        let said = NIPhoneSDK.AppleTapToPaySDKError(118, "whatever").saying("too much")
        #expect(NIPhoneSDK.outcome(of: said, in: .processPayment) == .declined)
        #expect(NIPhoneSDK.outcome(of: .invalidTransactionId, in: .refundTransaction) == .nothingMoved)
        #expect(NIPhoneSDK.outcome(of: .dataParsingError(610), in: .refundTransaction) == .unknown)
        #expect(NIPhoneSDK.outcome(of: .networkError, in: .getTransactions) == .nothingMoved)
        #expect(NIPhoneSDK.outcome(of: .init(117, "gap"), in: .processPayment) == .unknown)
        #expect(NIPhoneSDK.outcome(of: NIPhoneSDK.AuthResponse(success: false)) == .declined)
        #expect(NIPhoneSDK.outcome(of: NIPhoneSDK.AuthResponse(success: true)) == nil)
    }

    @Test func adyensStoredPaymentsAreInDoubtWhereTheDocumentSaysSo() {
        #expect(AdyenPhoneSDK.storedPaymentsInDoubt == [.offlineDataTampering, .passcodeNotEnabled])
        #expect(AdyenPhoneSDK.outcome(of: .offlineDataTampering, in: .performTransaction) == .nothingMoved)
        #expect(AdyenPhoneSDK.outcome(of: .tapToPayPaymentInterfaceFailure, in: .performReversal) == .unknown)
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
