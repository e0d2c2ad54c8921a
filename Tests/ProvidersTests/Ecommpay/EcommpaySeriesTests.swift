import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

/// Debits by a schedule of the provider's own: all of them have one payment's id.
@Suite struct EcommpaySeriesTests {
    private static let scheduled = "scheduled recurring processing"
    private static let debited = Money(minorUnits: 500, .eur)

    /// One debit of a series, in a month of its own.
    private static func operation(_ number: Int64, _ status: String = "success") -> JSON {
        let date = "2026-0\(number)-01T00:00:00+0000"
        return [
            "id": .number(JSONNumber(number)), "type": "recurring", "status": .string(status), "code": "0",
            "message": "m", "date": .string(date), "created_date": .string(date),
            "sum_initial": ["amount": 500, "currency": "EUR"],
        ]
    }

    private static func report(_ word: String, _ operations: [JSON]) throws -> EcommpayReport {
        let sum: JSON = ["amount": .number(JSONNumber(500 * Int64(operations.count))), "currency": "EUR"]
        let payment: JSON = ["id": "d-1", "status": .string(word), "sum": sum]
        return try #require(
            EcommpayReport(["project_id": 1_234, "payment": payment, "operations": .array(operations)]))
    }

    @Test(arguments: [false, true], ["scheduled recurring processing", "success", "partially refunded"])
    func debitThatBeganASeries_isWhatWasChargedWhenItIsFirstSeen(_ isNewestFirst: Bool, _ word: String) throws {
        let least: Int64 = word == Self.scheduled ? 1 : 2
        for count in least...3 {
            let operations = (1...count).map { Self.operation($0) }
            let report = try Self.report(word, isNewestFirst ? operations.reversed() : operations)
            guard case .verdict(.approved(let approval)) = try EcommpayMapping.standing(report, .debit) else {
                Issue.record("a charge of the customer is called undecided")
                continue
            }
            let sum = Money(minorUnits: 500 * count, .eur)
            #expect(approval.amount == sum && approval.references["operation"] == "1")
            #expect(approval.references["payment"] == "d-1" && !approval.isPartial)
            // Each charge that is counted has its name: a callback about it is no further one.
            #expect(approval.references["operation-2"] == (count > 1 ? "2" : nil))
            #expect(approval.references["operation-3"] == (count > 2 ? "3" : nil))
            // A look at a sum that is recorded says the same again.
            guard case .verdict(.approved(let again)) = try EcommpayMapping.standing(report, .debit, known: sum) else {
                Issue.record("a sum that is recorded is called undecided")
                continue
            }
            #expect(again.amount == sum && again.references == approval.references)
            // What is recorded stays: a later look books nothing.
            let later = try EcommpayMapping.standing(report, .debit, known: Self.debited)
            guard case .verdict(.approved(let known)) = later else {
                Issue.record("a charge that is recorded is called undecided")
                continue
            }
            #expect(known.amount == Self.debited && known.references == ["payment": "d-1", "operation": "1"])
        }
    }

    @Test func debitThatBeganASeries_whoseFirstOperationIsOpenOrDeclined_isNoCharge() throws {
        let open = try Self.report(Self.scheduled, [Self.operation(1, "processing")])
        guard case .moving = try EcommpayMapping.standing(open, .debit) else {
            Issue.record("nothing is decided")
            return
        }
        let declined = try Self.report(Self.scheduled, [Self.operation(1, "decline")])
        guard case .verdict(.declined(let decline)) = try EcommpayMapping.standing(declined, .debit) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.references["operation"] == "1")
    }

    /// The provider would charge on its own, and no attempt would have those charges.
    @Test(arguments: ["period", "start", "name", "dates"])
    func scheduleOfTheProvider_isRefusedOnEveryLink(_ what: String) throws {
        var request = try EcommpayTill.request()
        request.cardOnFile = CardOnFileTerms(.recurring)
        var order = EcommpayMapping.Order(request)
        let day = try #require(CalendarDate(iso: "2026-02-01"))
        switch what {
        case "period": order.cardOnFile?.period = "M"
        case "start": order.extras.recurrence = try EcommpayRecurrence(start: day)
        case "name": order.extras.recurrence = try EcommpayRecurrence(scheduledPayment: "s-1")
        default: order.extras.recurrence = try EcommpayRecurrence(schedule: [.init(day, Self.debited)])
        }
        let planned = order
        let refused = PaymentError(.unsupported, outcome: .notExecuted)
        // Sessions and the kit, then the Gate and the page.
        #expect(throws: refused) { _ = try EcommpayMapping.unsigned(planned) }
        #expect(throws: refused) { _ = try EcommpayMapping.recurring(planned) }
    }

    /// A callback about one debit, which has the sum of all of them.
    private static func callback(
        _ payment: String, _ word: String, _ operation: String, sum: Int64, _ secret: Secret
    ) throws -> [UInt8] {
        let body: JSON = [
            "project_id": 1_234,
            "payment": [
                "id": .string(payment), "status": .string(word),
                "sum": ["amount": .number(JSONNumber(sum)), "currency": "EUR"],
            ],
            "operation": [
                "id": .string(operation), "type": "recurring", "status": "success", "code": "0", "message": "m",
                "date": "2026-01-01T00:10:00+0000", "sum_initial": ["amount": 500, "currency": "EUR"],
            ],
        ]
        let proof = try EcommpaySigning.signature(EcommpaySigning.text(body), secret, OpenSSLCrypto())
        return body.adding("signature", .string(proof)).bytes()
    }

    @Test(arguments: ["scheduled recurring processing", "success"])
    func callbackAboutALaterDebit_isRaisedAndNotBooked(_ word: String) throws {
        let till = EcommpayTill()
        let (secret, scheduler) = (till.backend.rules.secret, till.scheduler)
        let heard = Locked([PaymentEvent.Kind]())
        let (early, record) = try till.play { client in
            let stream = client.events()
            _ = Task(executorPreference: scheduler) {
                for await event in stream { heard.withLock { $0.append(event.kind) } }
            }
            let id = try await EcommpayRegistrationTests.register(client)
            var debit = CardOnFileRequest(Self.debited, of: id, reference: "d")
            debit.customer = "customer-1"
            let paid = try #require(try await client.chargeCardOnFile(debit).payment)
            let (name, own) = (paid.id.attempt.text, try #require(paid.references["operation"]))
            // The first debit's own message says nothing new.
            let first = try Self.callback(name, word, own, sum: 500, secret)
            try await client.receiveWebhook(first, from: "ecommpay")
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let early = heard.withLock { $0 }
            let second = try Self.callback(name, word, "9900000000000001", sum: 1_000, secret)
            try await client.receiveWebhook(second, from: "ecommpay")
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return (early, try await client.payment(paid.id))
        }
        let raised: Set<PaymentEvent.Kind> = [.disputed, .contradiction, .otherAmount, .nameTaken]
        #expect(raised.isDisjoint(with: early), "\(early)")
        #expect(heard.withLock { $0 }.filter { raised.contains($0) } == [.disputed])
        #expect(record.amounts.captured == Self.debited && record.attempts.count == 1)
    }
}
