import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentTransport
import Testing

/// The driver of Halo with its mapping broken in one place each.
@Suite struct HaloMutantTests {
    @Test(arguments: Mutant.halo) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        try mutant.isCaught(HaloHarness())
    }

    @Test func thereAreEnough() {
        print("halo: \(Mutant.halo.count) mutants")
        #expect(Mutant.halo.count >= 15 && Set(Mutant.halo.map(\.id)).count == Mutant.halo.count)
    }
}

extension Mutant {
    private static func answer(_ name: String) -> FieldPath { FieldPath("onlineAuthorizationResponse.\(name)") }
    private static let zero = LineChange(answer("errorCode")) { _ in 0 }

    static let halo: [Mutant] = [
        reads(
            "declined-as-approved", "Reads Declined as Approved.", "sale.insufficient-funds", "/apple",
            .word(answer("type"), "Declined", "Approved"), zero),
        reads(
            "approved-as-declined", "Reads Approved as Declined.", "sale.approved", "/apple",
            .word(answer("type"), "Approved", "Declined"), LineChange(answer("errorCode")) { _ in 209 }),
        reads(
            "indeterminate-as-declined", "Reads Indeterminate as Declined.", "sale.pending-approved", "/apple",
            .word(answer("type"), "Indeterminate", "Declined")),
        reads(
            "indeterminate-as-approved", "Reads Indeterminate as Approved.", "sale.pending-declined", "/apple",
            .word(answer("type"), "Indeterminate", "Approved"), zero),
        reads(
            "pin-not-asked", "Takes the wish for a PIN for a decline.", "question.pin", "/transactions/apple",
            LineChange(answer("isSingleTapAndPin")) { _ in false }, LineChange(answer("errorCode")) { _ in 209 }),
        connection("pin-sent-as-tap", "Submits the PIN as a tap.", "question.pin", "/submitPinApple") {
            request, next async throws(TransportFailure) in
            var request = request
            request.target = "/transactions/apple"
            return try await next(request)
        },
        reads(
            "wrong-pin-as-approved", "Reads a wrong PIN as an approval.", "question.wrong-pin", "/submitPinApple",
            .word(answer("type"), "Declined", "Approved"), zero),
        reads(
            "code-lost", "Takes every response code for 05.", "sale.insufficient-funds", "/apple",
            LineChange(answer("isoResponseCode")) { $0.string == "51" ? "05" : $0 }),
        reads(
            "amount-in-major-units", "Reads amounts as major units.", "sale.approved", "/transactions",
            LineChange("**.amount") { amount in
                if let units = amount.int64 { return .number(JSONNumber(units * 100)) }
                // What is printed has a currency before it and a point in it.
                return amount.string.map { .string($0.contains(" ") ? $0.replacing(".", with: "") : $0 + "00") }
                    ?? amount
            }),
        writes(
            "refund-in-minor-units", "Gives back minor units where major ones are meant.", "refund.part", "/refund",
            LineChange("amount") { .number(JSONNumber($0.number?.scaled(places: 2) ?? 0)) }),
        writes(
            "refund-without-decimals", "Takes a currency without decimals for one with two.",
            "amount.refund-exponent", "/refund",
            LineChange("amount") { .number(JSONNumber(units: $0.int64 ?? 0, places: 2)) }),
        writes(
            "reference-renamed", "Sends another reference.", "attempt.wire-names", "/apple",
            LineChange("merchantReference") { .string("x" + ($0.string ?? "")) }),
        writes(
            "reference-cut", "Cuts references.", "limit.attempt-longest", "/apple",
            LineChange("merchantReference") { .string(String(($0.string ?? "").prefix(20))) }),
        reads(
            "echo-not-read", "Reads every reference as its own.", "lookup.reply-lost", "/transactions",
            LineChange("*.merchantTransactionReference") { _ in "check-0" }),
        reads(
            "record-approved-as-declined", "Reads approved records as declined.", "lookup.reply-lost",
            "/transactions", .word("*.transactionDispositionId", "Approved", "Declined")),
        reads(
            "record-declined-as-approved", "Reads declined records as approved.", "lookup.declined", "/transactions",
            .word("*.transactionDispositionId", "Declined", "Approved")),
        reads(
            "original-not-read", "Does not know which payment a refund belongs to.", "lookup.refund", "/transactions",
            LineChange("*.originalTransactionId") { _ in nil }),
        reads(
            "record-name-not-read", "Does not read what records are called.", "lookup.reply-lost",
            "/transactions", LineChange("*.id") { _ in nil }),
        connection("refund-twice", "Gives back twice under two references.", "refund.part", "/refund") {
            request, next async throws(TransportFailure) in
            var other = request
            let change = LineChange("refundReference") { _ in "another" }
            other.body = change.changed(request.body)
            _ = try await next(other)
            return try await next(request)
        },
    ]
}
