import HaloProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTransport
import Testing

@Suite struct HaloCodeTests {
    @Test func everyCodeOfTheDocumentsIsInTheTable() throws {
        let numbers = try Golden.table("Halo/codes.numbers.tsv").map { $0[0] }
        let words = try Golden.table("Halo/codes.words.tsv").map { $0[0] }
        let statuses = try Golden.table("Halo/codes.http.tsv").map { "http.\($0[0])" }
        let rows = ProviderDefinition.halo.errors.rows.map(\.code)
        #expect(Set(rows).symmetricDifference(numbers + words + statuses).isEmpty)
        #expect(Set(rows).count == rows.count)
        print("halo: \(numbers.count) numbers, \(words.count) words, \(statuses.count) statuses")
        #expect(numbers.count == 122 && words.count == 80 && statuses.count == 12)
    }

    /// What the provider's one error type says about itself: retryable, a person must act, fatal, a fresh token helps.
    @Test(arguments: [
        ("notInitialized", true, true, false, false), ("NOT_INITIALIZED", true, true, false, false),
        ("deviceNotSupported", false, true, true, false), ("DEVICE_NOT_SUPPORTED", false, true, true, false),
        ("deviceNotCompliant", false, true, true, false), ("paymentInProgress", true, false, false, false),
        ("authTokenUnauthorized", false, false, false, true), ("AUTH_TOKEN_UNAUTHORIZED", false, false, false, true),
        ("accountLinkingError", true, true, false, false), ("readerError", true, false, false, false),
        ("userCancelled", true, false, false, false), ("USER_CANCELLED", true, false, false, false),
        ("locationError", true, true, false, false), ("screenCaptureDetected", true, true, true, false),
        ("PPS-4003", true, true, false, false), ("117", false, false, false, true), ("139", false, true, true, false),
    ])
    func errorsHaveTheirFourProperties(
        _ code: String, _ isRetryable: Bool, _ needsPerson: Bool, _ isFatal: Bool, _ needsToken: Bool
    ) {
        let fault = ProviderDefinition.halo.errors.failure(code: code)
        let error = PaymentError(
            fault.code, outcome: .notExecuted, provider: fault.provider, retry: fault.retry,
            requiresUserAction: fault.requiresUserAction)
        #expect(error.isRetryable == isRetryable && error.requiresUserAction == needsPerson, "\(code)")
        #expect(error.isFatal == isFatal && error.requiresTokenRefresh == needsToken, "\(code)")
        #expect(error.provider?.code == code)
    }

    @Test func bothSpellingsMeanTheSame() throws {
        let pairs = [
            ("USER_CANCELLED", "userCancelled"), ("CARD_DECLINED", "cardDeclined"), ("NETWORK_ERROR", "networkError"),
            ("PAYMENT_IN_PROGRESS", "paymentInProgress"), ("DEVICE_NOT_SUPPORTED", "deviceNotSupported"),
            ("SCREEN_CAPTURE_DETECTED", "screenCaptureDetected"), ("NOT_INITIALIZED", "notInitialized"),
            ("TIMEOUT", "timeout"), ("AUTH_TOKEN_UNAUTHORIZED", "authTokenUnauthorized"),
            ("APP_IN_BACKGROUND", "backgroundRequestNotAllowed"), ("LOCATION_ERROR", "locationError"),
            ("ACCOUNT_LINKING_ERROR", "accountLinkingError"), ("TOKEN_ERROR", "tokenError"),
            ("READER_ERROR", "readerError"), ("DEVICE_BANNED", "deviceBanned"), ("SYSTEM_ERROR", "systemError"),
            ("INVALID_AMOUNT", "invalidAmount"), ("OFFLINE_DECLINED", "offlineDeclined"),
            ("CARD_NOT_SUPPORTED", "cardNotSupported"),
        ]
        for (old, new) in pairs {
            let (one, two) = (ProviderDefinition.halo.errors[old], ProviderDefinition.halo.errors[new])
            #expect(one?.category == two?.category && one?.delivery == two?.delivery && one != nil, "\(old)")
            #expect(one?.retry == two?.retry && one?.requiresUserAction == two?.requiresUserAction, "\(old)")
        }
    }

    @Test func whatMayHaveBeenSubmittedProvesNothing() {
        for code in ["110", "124", "129", "200", "201", "203", "210", "213", "305", "NETWORK_ERROR", "timeout"] {
            #expect(ProviderDefinition.halo.errors[code]?.delivery == .maybeSent, "\(code)")
        }
        for code in ["100", "104", "118", "122", "212", "PPS-4003", "userCancelled"] {
            #expect(ProviderDefinition.halo.errors[code]?.delivery == .refused, "\(code)")
        }
    }
}
