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

    /// What proves that nothing moved, and what is a decline; whoever adds to it says so here.
    @Test func noOtherErrorProvesThatNothingMoved() {
        func proofs(_ table: SDKErrorTable, _ outcome: SDKOutcome) -> Set<String> {
            Set(table.rows.filter { $0.outcome == outcome && $0.calls.isEmpty }.map(\.code))
        }
        #expect(
            proofs(HaloPhoneSDK.table, .unknown) == [
                "104", "userCancelled", "screenCaptureDetected", "NETWORK_ERROR", "TIMEOUT", "HaloError.networkError",
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
            proofs(AdyenPhoneSDK.table, .unknown) == ["deviceConnectionFailure", "tapToPayPaymentInterfaceFailure"])
        #expect(proofs(AdyenPhoneSDK.table, .declined).isEmpty)
        #expect(proofs(NIPhoneSDK.table, .unknown) == ["1", "110", "111", "119", "210", "301", "310", "610", "710"])
        #expect(proofs(NIPhoneSDK.table, .declined) == ["113", "114", "118"])
        #expect(
            proofs(EcommpayPhoneSDK.table, .nothingMoved) == [
                "CUSTOMER_ID_NOT_EXIST", "ILLEGAL_ARGUMENTS", "INTERACTOR_NOT_RUNNING", "NETWORK_IS_NOT_AVAILABLE",
                "PAYMENT_METHOD_NOT_AVAILABLE", "PAYMENT_TOKEN_NOT_EXIST", "SESSION_NOT_INITIALIZED",
                "PAYMENT_REQUEST_TYPE_NOT_EXIST", "ILLEGAL_STATE",
            ])
        #expect(proofs(EcommpayPhoneSDK.table, .declined).isEmpty)
        #expect(
            proofs(ARISEPhoneSDK.table, .nothingMoved) == [
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
