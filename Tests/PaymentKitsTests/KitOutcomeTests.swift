import PaymentBase
import Testing

@testable import PaymentKits

/// The rules by the kits' own types of errors.
@Suite struct KitOutcomeTests {
    @Test func everyConstantOfAnErrorIsInItsTable() throws {
        func listed(_ file: String) throws -> Set<String> { Set(try KitFixture.rows(file).map { $0[0] }) }
        let adyen: [AdyenKit.ErrorCode] = [
            .debuggerEnabled, .invalidNYC1FirmwareVersion, .localTimeTampering, .nonSelfResolvable, .noToken,
            .offlineDataTampering, .passcodeNotEnabled, .screenRecording, .screenCaptured, .screenTampering,
            .screenOverlay, .systemChange, .tokenExpiredStoreAndForward, .transactionInProgress, .tapToPayNotAllowed,
            .tapToPayNotSupported, .paymentInterfaceNotSupported, .noPairedReaders, .deviceConnectionFailure,
            .malformedTransactionRequest, .invalidSuccessScreenTimeout, .unableToObtainInstallationId,
            .backgroundWarmupNotAllowed, .bluetoothFirmwareUpdateError, .firmwareDownloadError, .firmwareUpdateError,
            .unableToFetchCardReaderBatteryInfo, .tapToPayPaymentInterfaceFailure,
        ]
        #expect(Set(adyen.map(\.rawValue)) == (try listed("adyen-errors")))
        let ecommpay: [EcommpayKit.ErrorCode] = [
            .clarificationFieldsError, .customerIdNotExist, .illegalArguments, .interactorNotRunning, .networkError,
            .networkIsNotAvailable, .networkTimeout, .paymentAlreadyExist, .paymentHasFinalStatus,
            .paymentMethodNotAvailable, .paymentNotFound, .paymentTokenNotExist, .serverApiError,
            .sessionNotInitialized, .serverContentParsingError, .serverMethodNotFound, .serverUnauthorized,
            .networkAndServerAPI, .paymentRequestTypeNotExist, .illegalState, .unknown,
        ]
        #expect(Set(ecommpay.map(\.rawValue)) == (try listed("ecommpay-errors")))
        let codes: [HaloKit.HaloErrorCode] = [
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
        let named: [NIKit.AppleTapToPaySDKError] = [
            .genericError, .deviceNotSupported, .initializationError, .invalidAuthToken, .networkError,
            .networkUnauthorizedError, .invalidCurrencyCode, .invalidAmount, .invalidPaymentProcessResponse,
            .readerTokenNotAvailable, .readerTokenInvalid, .termsAndConditionsError, .processPaymentReadError,
            .invalidTransactionId, .dataParsingError(310), .dataParsingError(610), .dataParsingError(710),
        ]
        let rows = try KitFixture.rows("ni-errors").filter { $0.count == 3 }
        #expect(Set(named.map { "\($0.key) \($0.name)" }) == Set(rows.map { "\($0[0]) \($0[2])" }))
    }

    @Test func theSameErrorProvesMoreAfterARequestThanAfterATap() {
        let refused: [ARISEKit.Failure] = [
            .api(.badRequest("")), .api(.unauthorized("")), .api(.forbidden("")), .api(.notFound("")),
            .authentication(.tokenExpired), .authentication(.networkError),
        ]
        for failure in refused {
            for call: ARISEKit.Call in [
                .submitSaleTransaction, .submitAuthTransaction, .captureTransaction, .voidTransaction,
                .refundTransaction,
            ] { #expect(ARISEKit.outcome(of: failure, in: call, seen: .nothingSeen) == .nothingMoved) }
            #expect(ARISEKit.outcome(of: failure, in: .performTransaction, seen: .nothingSeen) == .unknown)
        }
        for failure: ARISEKit.Failure in [
            .api(.serverError("")), .api(.unknown("")), .api(.invalidResponse("")), .api(.networkError("")),
            .other(name: "New", description: ""),
        ] {
            for call in ARISEKit.Call.allCases where call.isAboutMoney {
                #expect(ARISEKit.outcome(of: failure, in: call, seen: .nothingSeen) == .unknown)
            }
        }
    }

    @Test func aFailedTapIsJudgedByItsCode() {
        func tap(_ error: ARISEKit.TTPError, _ evidence: KitEvidence = .nothingSeen) -> KitOutcome {
            ARISEKit.outcome(of: .ttp(error), in: .performTransaction, seen: evidence)
        }
        func code(_ text: String) -> ARISEKit.TTPErrorCode { ARISEKit.TTPErrorCode(rawValue: text) }
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
        let failures: [ARISEKit.Failure] = [
            .ttp(.sdkNotInitialized), .ttp(.failedToAbortTransaction(.init(rawValue: "DEV003"), "")),
            .ttp(.transactionFailed(.init(rawValue: "DEV003"), "")), .cardReader(.notAllowed), .api(.badRequest("")),
            .cardReader(.init(rawValue: "notReady")),
        ]
        for failure in failures {
            for evidence in KitEvidence.allCases {
                #expect(ARISEKit.outcome(of: failure, in: .abortTransaction, seen: evidence) == .unknown)
            }
        }
    }

    @Test func applesErrorsComeFromApplesList() {
        func reader(_ name: String, _ evidence: KitEvidence = .nothingSeen) -> KitOutcome {
            ARISEKit.outcome(of: .cardReader(.init(rawValue: name)), in: .performTransaction, seen: evidence)
        }
        #expect(reader("notAllowed") == .nothingMoved)
        #expect(reader("prepareExpired") == .nothingMoved)
        #expect(reader("prepareExpired", .submitted) == .unknown)
        #expect(reader("somethingNew") == .unknown)
        #expect(ARISEKit.outcome(of: .cardReader(.notAllowed), in: .prepare, seen: .nothingSeen) == .nothingMoved)
    }

    @Test func theEndsOfATapAreJudgedByTheirStatus() {
        #expect(ARISEKit.outcome(of: .approved, seen: .nothingSeen) == nil)
        #expect(ARISEKit.outcome(of: .declined, seen: .submitted) == .declined)
        #expect(ARISEKit.outcome(of: .declined, seen: .approved) == .unknown)
        #expect(ARISEKit.outcome(of: .cancelled, seen: .nothingSeen) == .nothingMoved)
        #expect(ARISEKit.outcome(of: .cancelled, seen: .submitted) == .unknown)
        #expect(ARISEKit.outcome(of: .failed, seen: .nothingSeen) == .unknown)
        #expect(ARISEKit.outcome(of: .init(rawValue: "pending"), seen: .nothingSeen) == .unknown)
    }

    @Test func aSessionOfASpentIdentifierProvesNothingEither() {
        for code: EcommpayKit.ErrorCode in [.paymentAlreadyExist, .paymentHasFinalStatus] {
            for call in EcommpayKit.Call.allCases {
                #expect(EcommpayKit.outcome(of: code, in: call, seen: .nothingSeen) == .unknown)
            }
        }
        #expect(EcommpayKit.outcome(of: .networkError, in: .getInitInteractor, seen: .nothingSeen) == .nothingMoved)
        #expect(EcommpayKit.outcome(of: .networkIsNotAvailable, in: .getPayInteractor, seen: .submitted) == .unknown)
    }

    @Test func theEndsOfAPaymentOfSDKCoreAreDeclines() {
        let payment = EcommpayKit.Payment(id: "p")
        let created = KitEvidence.submitted
        func declined(mayTryAgain: Bool) -> EcommpayKit.PayDelegate {
            .onCompleteWithDecline(isTryAgain: mayTryAgain, paymentMessage: nil, payment: payment)
        }
        #expect(EcommpayKit.outcome(of: declined(mayTryAgain: false), seen: created) == .declined)
        #expect(EcommpayKit.outcome(of: declined(mayTryAgain: false), seen: .approved) == .unknown)
        // It waits for another try, so that it has no end yet.
        #expect(EcommpayKit.outcome(of: declined(mayTryAgain: true), seen: created) == nil)
        #expect(EcommpayKit.outcome(of: .onCompleteWithSuccess(payment: payment), seen: created) == nil)
        #expect(EcommpayKit.outcome(of: .onStatusChanged(status: .processing, payment: payment), seen: created) == nil)
        let error = EcommpayKit.PayDelegate.onError(code: .illegalArguments, message: "")
        #expect(EcommpayKit.outcome(of: error, seen: .nothingSeen) == .nothingMoved)
        #expect(EcommpayKit.outcome(of: error, seen: created) == .unknown)
    }

    @Test func halosDeclinedIsNotAlwaysOne() {
        #expect(HaloKit.outcome(of: nil, seen: .nothingSeen) == .unknown)
        #expect(HaloKit.outcome(of: .cardDeclined, seen: .submitted) == .declined)
        #expect(HaloKit.outcome(of: .userCancelled, seen: .nothingSeen) == .nothingMoved)
        #expect(HaloKit.outcome(of: .userCancelled, seen: .submitted) == .unknown)
        #expect(HaloKit.outcome(of: .requestTooOld, seen: .submitted) == .nothingMoved)
        #expect(HaloKit.outcome(of: .requestTooOld, seen: .approved) == .unknown)
        #expect(
            HaloKit.outcome(of: .networkError(.modelNotSupported), in: .initialize, seen: .nothingSeen) == .nothingMoved
        )
        let other = HaloKit.HaloError.other(name: "new", description: "")
        #expect(HaloKit.outcome(of: other, in: .startContactlessPayment, seen: .nothingSeen) == .unknown)
    }

    /// From 1.0.90 on the SDK spells its codes otherwise; what they say of the money is the same.
    @Test func codeOfHalo_inTheSpellingSince90_provesWhatItsOlderOneDoes() throws {
        let rows = try KitFixture.published("halo-codes").filter { $0[0] != "—" }
        let pairs = Dictionary(grouping: rows) { $0[0] }.filter { $0.value.count == 1 }.flatMap(\.value)
        #expect(pairs.count >= 15)
        // A cancel is read with the steps that were seen, and their names since 1.0.90 are not published.
        for row in pairs where !["userCancelled", "screenCaptureDetected"].contains(row[1]) {
            for evidence in KitEvidence.allCases {
                let (older, newer) = (HaloKit.HaloErrorCode(rawValue: row[0]), HaloKit.HaloErrorCode(rawValue: row[1]))
                #expect(
                    HaloKit.outcome(of: newer, seen: evidence) == HaloKit.outcome(of: older, seen: evidence),
                    "\(row[0]) and \(row[1])")
            }
        }
        #expect(HaloKit.outcome(of: .init(rawValue: "userCancelled"), seen: .nothingSeen) == .unknown)
        #expect(HaloKit.outcome(of: .init(rawValue: "cardDeclined"), seen: .submitted) == .declined)
    }

    /// What the document doesn't say of the money is unknown.
    @Test func codeOfHalo_whoseMoneyTheDocumentLeavesOut_isUnknown() throws {
        for row in try KitFixture.published("halo-codes") {
            let code = HaloKit.HaloErrorCode(rawValue: row[1])
            let outcome = HaloKit.outcome(of: code, seen: .nothingSeen)
            let expected: KitOutcome =
                row[1] == "cardDeclined" ? .declined : row[5] == "not said" ? .unknown : .nothingMoved
            #expect(outcome == expected, "\(row[1])")
        }
    }

    @Test func niKnowsAnErrorByItsNumber() {
        let said = NIKit.AppleTapToPaySDKError(118, "whatever").saying("too much")
        #expect(NIKit.outcome(of: said, in: .processPayment) == .declined)
        #expect(NIKit.outcome(of: .invalidTransactionId, in: .refundTransaction) == .nothingMoved)
        #expect(NIKit.outcome(of: .dataParsingError(610), in: .refundTransaction) == .unknown)
        #expect(NIKit.outcome(of: .networkError, in: .getTransactions) == .nothingMoved)
        #expect(NIKit.outcome(of: .init(117, "gap"), in: .processPayment) == .unknown)
        #expect(NIKit.outcome(of: NIKit.AuthResponse(success: false)) == .declined)
        #expect(NIKit.outcome(of: NIKit.AuthResponse(success: true)) == nil)
    }

    @Test func adyensStoredPaymentsAreInDoubtWhereTheDocumentSaysSo() {
        #expect(AdyenKit.storedPaymentsInDoubt == [.offlineDataTampering, .passcodeNotEnabled])
        #expect(AdyenKit.outcome(of: .offlineDataTampering, in: .performTransaction) == .nothingMoved)
        #expect(AdyenKit.outcome(of: .tapToPayPaymentInterfaceFailure, in: .performReversal) == .unknown)
        #expect(AdyenKit.outcome(of: .init(rawValue: "NEW"), in: .performTransaction) == .unknown)
    }

    /// The document's word on whether a code is recoverable, and our advice.
    @Test func whatIsNotRecoverableIsNotTriedAgain() throws {
        for row in try KitFixture.rows("arise-errors") where row.count == 3 {
            let rule = try #require(ARISEKit.table.rows.first { $0.code == row[0] })
            #expect(row[2] == "No" || row[2] == "Yes")
            #expect((rule.advice?.retry == .never) == (row[2] == "No"), "\(row[0])")
        }
    }
}

/// One of each of Halo's errors.
enum HaloErrorSamples {
    static let all: [HaloKit.HaloError] = [
        .notInitialized, .deviceNotSupported(.modelNotSupported), .deviceNotCompliant, .paymentInProgress,
        .networkError(.init(rawValue: "x")), .authTokenUnauthorized, .accountLinkingError(.init(rawValue: "x")),
        .tokenError(.init(rawValue: "x"), detail: nil), .readerError(.init(rawValue: "x"), detail: "d"), .userCancelled,
        .cardDeclined, .locationError(.servicesDisabled), .offlineDeclined, .cardNotSupported,
    ]
}
