import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSimulator
import PaymentTransport
import Testing

@testable import ARISEProvider
@testable import PaymentProviderKit

/// Requests as the documents have them, word by word; the files are recorded and read by people.
@Suite struct ARISERequestTests {
    private static func same(_ request: JSON, as name: String) throws {
        let url = ARISEBench.folder.appending(path: name)
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try Data(request.bytes(layout: .pretty)).write(to: url)
        }
        #expect(try ARISEBench.fixture(name) == request)
    }

    @Test func aKeyedSale() throws {
        let bench = ARISEBench()
        _ = try bench.play { client in
            var request = SaleRequest(.dollars(12_345), from: try ARISEBench.card(), reference: "order-1")
            var contact = CustomerContact()
            (contact.firstName, contact.email) = (PersonalData("Ada"), PersonalData("ada@example.org"))
            var address = PostalAddress()
            (address.line1, address.postalCode) = (PersonalData("123 Test St"), PersonalData("10001"))
            (request.contact, request.billing, request.customer) = (contact, address, "c-1")
            return try await client.sale(request, attempt: AttemptID("attempt-1"))
        }
        try Self.same(try bench.body("/sale"), as: "sale.keyed.json")
        let sent = try #require(bench.sent("/sale").last)
        #expect(sent.headers["Content-Type"] == "application/json")
        #expect(sent.headers["Authorization"]?.hasPrefix("Bearer ") == true)
    }

    /// ARISE gives customers their ids: no shop's name stands before one.
    @Test func customer_ofAShop_isNamedAsARISENamesIt() throws {
        let bench = ARISEBench()
        let isNamed = try bench.play { client in
            try client.provider(client.activeProvider).capabilities.namesCustomers
        }
        #expect(isNamed)
    }

    @Test func whatOnlyARISEAsksForGoesOut() throws {
        var bench = ARISEBench()
        bench.answers.handle(ARISERequestOptions.self) { asked in
            var known = ARISERequestOptions.Answer()
            guard asked.operation == .sale, asked.amount == .dollars(12_345) else { return known }
            (known.billing.state, known.billing.country, known.shipping.country) = (35, 1, 2)
            (known.sendsMessages, known.salesTaxPercent) = (true, "8.25")
            (known.invoiceNumber, known.purchaseOrder) = ("I-1", "P-1")
            (known.shippingCharges, known.dutyCharges) = (.dollars(500), .dollars(120))
            return known
        }
        let result = try bench.play { client in
            var request = SaleRequest(.dollars(12_345), from: try ARISEBench.card(), reference: "order-1")
            var address = PostalAddress()
            address.postalCode = PersonalData("10001")
            request.billing = address
            return try await client.sale(request, attempt: AttemptID("attempt-1"))
        }
        #expect(result.payment?.approved == .dollars(12_345))
        try Self.same(try bench.body("/sale"), as: "sale.extras.json")
    }

    @Test func processorOfOnePayment_andWhoBeginsIt_goOut() throws {
        var bench = ARISEBench()
        bench.answers.handle(ARISERequestOptions.self) { _ in
            var known = ARISERequestOptions.Answer()
            (known.processor, known.isCustomerInitiated) = ("processor-2", false)
            return known
        }
        let source = try ARISEBench.card()
        // Whether the platform knows that processor is not what is asked here.
        _ = bench.failure { _ = try await $0.sale(.dollars(500), from: source, reference: "r") }
        let body = try bench.body("/sale")
        #expect(body["paymentProcessorId"]?.string == "processor-2")
        #expect(body["customerInitiatedTransaction"]?.bool == false)
    }

    @Test func chargesOfAnotherCurrencyAreRefused() throws {
        var bench = ARISEBench()
        bench.answers.handle(ARISERequestOptions.self) { _ in
            var known = ARISERequestOptions.Answer()
            known.dutyCharges = Money(minorUnits: 100, .eur)
            return known
        }
        let source = try ARISEBench.card()
        let error = bench.failure { _ = try await $0.sale(.dollars(500), from: source, reference: "r") }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(bench.sent("/sale").isEmpty)
    }

    @Test func aSaleWithATip() throws {
        let bench = ARISEBench()
        let payment = try bench.play { client in
            var request = SaleRequest(.dollars(11_500), from: try ARISEBench.card(), reference: "order-1")
            request.tip = .dollars(1_500)
            return try await client.sale(request, attempt: AttemptID("attempt-1")).payment
        }
        try Self.same(try bench.body("/sale"), as: "sale.tip.json")
        #expect(payment?.receipt?.breakdown?.tip == .dollars(1_500))
        #expect(payment?.receipt?.breakdown?.base == .dollars(10_000))
    }

    @Test func aStoredCardAndAnAuthorisation() throws {
        let bench = ARISEBench()
        _ = try bench.play { client in
            let stored = PaymentSource.saved(.init(rawValue: ARISESimulator.storedCard), securityCode: Secret("123"))
            return try await client.authorize(
                .dollars(5_000), from: stored, reference: "room", attempt: AttemptID("attempt-1"))
        }
        try Self.same(try bench.body("/auth"), as: "authorize.stored.json")
    }

    @Test(arguments: [
        (ExternalCardData.Entry.swipe, Int64(2)), (.nearField, 3), (.chip, 4), (.contactlessChip, 5),
        (.fallbackSwipe, 6),
    ])
    func whatAnotherReaderRead(_ entry: ExternalCardData.Entry, _ number: Int64) throws {
        let bench = ARISEBench()
        _ = try bench.play { client in
            var read = ExternalCardData(entry)
            (read.track1, read.track2) = (Secret("B4111111111111111^TILL/ADA^3012"), Secret("4111111111111111=3012"))
            (read.tags, read.applicationVersion) = ([Secret("9F2608C1A0"), Secret("9F3602")], "1.2")
            (read.pinBlock, read.pinKeySerial) = (Secret("8F3A22C1D4E5B697"), Secret("FFFF9876543210E0"))
            (read.fallbackReason, read.lastChipRead) = ("noCandidateList", "failed")
            return try await client.sale(
                .dollars(5_000), from: .external(read), reference: "o", attempt: AttemptID("attempt-1"))
        }
        let body = try bench.body("/sale")
        #expect(body["cardDataSource"]?.int64 == number)
        if entry == .fallbackSwipe { try Self.same(body, as: "sale.external.json") }
    }

    @Test func aTap() throws {
        let bench = ARISEBench()
        _ = try bench.play { client in
            try await client.sale(.dollars(4_999), from: .reader, reference: "o", attempt: AttemptID("attempt-1"))
        }
        var body = try #require(try bench.body("/tap-to-pay").object)
        #expect(body["deviceId"]?.string == (try bench.play { try await $0.session?.installation().device }))
        for name in ["deviceId", "paymentCardData", "generalCardData"] { body[name] = "…" }
        try Self.same(.object(body), as: "sale.tap.json")
    }

    @Test func aBankDebitAndACredit() throws {
        let bench = ARISEBench()
        _ = try bench.play { client in
            var account = BankAccount(
                number: Secret("000123456789"), routing: Secret("011000015"), kind: .savings, holder: .business)
            (account.taxID, account.name) = (Secret("12-3456789"), PersonalData("Ada Ltd"))
            _ = try await client.sale(
                .dollars(5_000), from: .bank(account), reference: "o", attempt: AttemptID("attempt-1"))
            return try await client.refundUnlinked(
                UnlinkedRefundRequest(.dollars(700), to: .bank(account), reference: "b"),
                attempt: AttemptID("attempt-2"))
        }
        try Self.same(try bench.body("/ach/payment"), as: "bank.debit.json")
        try Self.same(try bench.body("/ach/payment/credit"), as: "bank.credit.json")
    }

    @Test func whatFollowsASale() throws {
        let bench = ARISEBench()
        try bench.play { [backend = bench.backend] client in
            let held = try await client.authorize(.dollars(5_000), from: try ARISEBench.card(), reference: "a")
            let room = try #require(held.payment)
            _ = try await client.capture(room.id, of: .dollars(3_000))
            let tipped = try #require(
                try await client.sale(.dollars(2_000), from: try ARISEBench.card(), reference: "b").payment)
            _ = try await client.adjustTip(tipped.id, to: .dollars(350))
            let undone = try #require(
                try await client.sale(.dollars(1_000), from: try ARISEBench.card(), reference: "c").payment)
            _ = try await client.void(undone.id)
            backend.settle()
            _ = try await client.refund(room.id, of: .dollars(2_500))
            let card = try ARISEBench.card()
            _ = try await client.refundUnlinked(
                UnlinkedRefundRequest(.dollars(900), to: card, reference: "d"),
                attempt: AttemptID("attempt-9"))
        }
        try Self.same(try bench.body("/capture"), as: "capture.part.json")
        try Self.same(try bench.body("/tip-adjustment"), as: "tip.json")
        try Self.same(try bench.body("/void"), as: "void.json")
        try Self.same(try bench.body("/return"), as: "refund.part.json")
        try Self.same(try bench.body("/no-reference"), as: "refund.unlinked.json")
    }

    @Test func signingIn() throws {
        let bench = ARISEBench()
        try bench.play { try await $0.session?.open() }
        let sent = try #require(bench.sent("/oauth2/token").first)
        #expect(sent.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let text = String(decoding: sent.body, as: UTF8.self)
        #expect(
            text == "grant_type=client_credentials&scope=offline_access&client_id=arise-sandbox-client"
                + "&client_secret=arise-client-secret")
    }
}

/// The documents' lists of codes against the adapter's tables: nothing is missing, nothing was made up.
@Suite struct ARISECodeTests {
    private let table = ProviderDefinition.arise.errors

    private func codes(_ family: String) -> Set<String> {
        Set(table.rows.filter { $0.family == family }.map(\.code))
    }

    @Test func everyTapCodeIsThereWithItsWords() throws {
        let rows = try ARISEBench.table("ttp")
        #expect(codes("TTP").symmetricDifference(rows.map { $0[0] }) == [])
        for row in rows {
            let advice = try #require(ARISEResolution(row[0]))
            #expect(advice.isRecoverable == (row[1] == "recoverable"), "\(row[0])")
            #expect(advice.text == row[3], "\(row[0])")
            let message = try #require(table[row[0]]).message
            #expect(row[2].hasPrefix(message), "\(row[0])")
        }
        print("ARISE tap codes: \(rows.count)")
    }

    @Test func everyOtherErrorOfTheDocumentIsThere() throws {
        var count = 0
        for row in try ARISEBench.table("api") {
            #expect(table[row[1] == "N/A" ? row[0] : row[1]] != nil, "\(row[0])")
            count += 1
        }
        for list in ["ttperror", "authentication", "http", "envelope"] {
            for row in try ARISEBench.table(list) {
                #expect(table[row[0]] != nil, "\(list) \(row[0])")
                count += 1
            }
        }
        print("ARISE other errors: \(count), rows in all \(table.rows.count)")
    }

    @Test func noCodeIsThereTwice() {
        #expect(Set(table.rows.map(\.code)).count == table.rows.count)
    }

    @Test func whatATransactionCanEndWithLeavesItsOutcomeOpen() {
        for row in table.rows where row.family == "TTP" {
            let isOpen = ["ATT", "DATA", "CRYPTO", "EC_"].contains { row.code.hasPrefix($0) }
            #expect((row.outcome == .unknown) == isOpen, "\(row.code)")
        }
        for code in [
            "307", "308", "401", "403", "404", "429", "500", "502", "503", "504", "408", "402", "unknown",
            "invalidResponse", "I0000",
        ] {
            #expect(table[code]?.outcome == .unknown, "\(code)")
        }
        for code in ["400", "409", "V0000", "F0000", "N0000", "IsDuplicate"] {
            #expect(table[code]?.outcome == .notExecuted, "\(code)")
        }
    }

    @Test func everyStateOfTheDocumentIsThere() throws {
        let rows = try ARISEBench.table("status")
        let words = Set(ARISEStatus.byNumber.values).union(ARISEStatus.withoutNumber).map(\.rawValue)
        #expect(Set(words).symmetricDifference(rows.map { $0[1] }) == [])
        for row in rows {
            #expect(ARISEStatus(word: row[1], number: nil)?.rawValue == row[1])
            guard let number = Int64(row[0]) else { continue }
            #expect(ARISEStatus.byNumber[number]?.rawValue == row[1])
            #expect(ARISEStatus(word: nil, number: number)?.rawValue == row[1])
            #expect(ARISEStatus(word: "Teleported", number: number) == nil)
        }
        #expect(ARISEStatus(word: "Captured", number: 77) == nil && ARISEStatus(word: nil, number: nil) == nil)
        #expect(ARISEStatus(word: "Teleported", number: nil)?.rawValue == "Teleported")
        for word in ["partially authorized", "PARTIALLYAUTHORIZED", " Partially Authorized"] {
            #expect(ARISEStatus(word: word, number: nil) == .partiallyAuthorized)
        }
        #expect(ARISEStatus(word: "partially_authorized", number: nil)?.rawValue == "partially_authorized")
        print("ARISE states: \(rows.count), operations: \(ARISEOperation.names.count), permissions: 37")
    }

    @Test func everyOperationOfTheDocumentIsThere() throws {
        let rows = try ARISEBench.table("operation")
        #expect(rows.count == ARISEOperation.names.count)
        for row in rows { #expect(ARISEOperation.names[Int64(row[0]) ?? 0] == row[1]) }
    }

    @Test func everyChannelOfTheDocumentIsThere() throws {
        let rows = try ARISEBench.table("channel")
        #expect(rows.count == ARISEDriver.channels.count)
        for row in rows {
            #expect(ARISEDriver.channels[Int(row[0]) ?? 0]?.lowercased() == row[1].lowercased())
        }
    }
}
