import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@testable import ARISEProvider

@Suite struct ARISEOfficeTests {
    private func sold(_ bench: ARISEBench, _ count: Int, _ day: String = "") throws {
        try bench.play { client in
            for number in 1...count {
                let amount = Money.dollars(2_000 + Int64((number * 7) % 5) * 100)
                _ = try await client.sale(amount, from: try ARISEBench.card(), reference: "o-\(number)\(day)")
            }
        }
    }

    @Test(arguments: ARISEDriver.orders) func everyOrderIsTakenAndPaged(_ order: String) throws {
        let bench = ARISEBench()
        try sold(bench, 5)
        let seen = try bench.play { client in
            var query = ListQuery(limit: 2)
            (query.order, query.ascending) = (order.uppercased(), true)
            var names: [String] = []
            while let page = try await client.transactions?.list(query) {
                names += page.items.compactMap { $0.references["transaction"] }
                #expect(page.total == 5)
                query.cursor = page.next
                if page.next == nil { break }
            }
            return names
        }
        #expect(seen.count == 5 && Set(seen).count == 5)
        #expect(bench.sent("/transactions").first?.target.contains("page=0&pageSize=2") == true)
    }

    @Test func theNewestComesFirstUnlessAskedOtherwise() throws {
        let bench = ARISEBench()
        try sold(bench, 3)
        let (newest, smallest) = try bench.play { client in
            let newest = try await client.transactions?.list()
            var query = ListQuery()
            (query.order, query.ascending) = ("totalAmount", true)
            return (newest, try await client.transactions?.list(query))
        }
        let amounts = smallest?.items.compactMap { $0.amount?.minorUnits } ?? []
        #expect(amounts == amounts.sorted() && amounts.count == 3)
        #expect(newest?.items.first?.references["transaction"]?.hasSuffix("3") == true)
    }

    /// Ordered by something that changes, a transaction could move to a page that was read.
    @Test func listWithoutAnOrder_isOrderedByDate() throws {
        let bench = ARISEBench()
        try sold(bench, 1)
        _ = try bench.play { try await $0.transactions?.list() }
        #expect(bench.sent("/transactions").last?.target.contains("orderBy=date") == true)
    }

    @Test func everyFilterGivesWhatFits() throws {
        let bench = ARISEBench()
        try sold(bench, 2)
        bench.backend.settle()
        try sold(bench, 1, " of the next day")
        _ = try bench.play { try await $0.sale(.dollars(3_000), from: .reader, reference: "tap") }
        func count(_ filter: ListQuery.Filter) throws -> Int? {
            try bench.play { client in
                var query = ListQuery()
                query.filters = [filter]
                return try await client.transactions?.list(query).items.count
            }
        }
        let batch = try bench.play { try await $0.transactions?.list() }?.items.compactMap(\.batch).first
        #expect(try count(.batch(try #require(batch))) == 2)
        #expect(try count(.unsettled) == 2)
        #expect(try count(.channel("tapToPay")) == 1)
        #expect(try count(.channel("2")) == 3)
        #expect(try count(.creator(ARISESimulator.clientID)) == 3)
        let wrong = bench.failure { client in
            var query = ListQuery()
            query.filters = [.channel("carrier pigeon")]
            _ = try await client.transactions?.list(query)
        }
        #expect(wrong == PaymentError(.invalidRequest, outcome: .notExecuted))
        let order = bench.failure { client in
            var query = ListQuery()
            query.order = "mood"
            _ = try await client.transactions?.list(query)
        }
        #expect(order == PaymentError(.invalidRequest, outcome: .notExecuted))
    }

    @Test func detailsHaveWhatTheDocumentHas() throws {
        let bench = ARISEBench()
        let details = try bench.play { client in
            var request = SaleRequest(.dollars(5_000), from: try ARISEBench.card(), reference: "o")
            var address = PostalAddress()
            address.line1 = PersonalData("123 Test St")
            request.billing = address
            let payment = try #require(try await client.sale(request, attempt: AttemptID("attempt-1")).payment)
            return try await client.transactions?.details(payment.references)
        }
        let found = try #require(details)
        #expect(found.state == "Captured" && found.kind == "Sale" && found.reference == "attempt-1")
        #expect(found.amount == .dollars(5_000) && found.captured == .dollars(5_000))
        #expect(found.operations.map(\.name) == ["Void", "TipAdjustment"])
        #expect(found.operations.map(\.operation) == [.void, .tipAdjustment])
        #expect(found.operations.last?.suggestedTips == [.dollars(750), .dollars(900), .dollars(1_000)])
        #expect(found.receipt?.merchant?.name == "Aurora Coffee" && found.receipt?.merchant?.terminalID == "00012345")
        #expect(found.receipt?.addressCheck?.code == "Y")
        #expect(found.receipt?.breakdown?.total == .dollars(5_000))
        #expect(found.card?.last4 == "1111" && found.card?.brand == "Visa" && found.card?.entry == "Manual")
        #expect(found.source == "ApiToken")
        for name in [
            "cardProcessingDetails.rrn", "cardProcessingDetails.cardTypeId", "avsResponse.groupId", "processorId",
            "cardTokenType", "cvmResultMsg", "cardholderAuthenticationMethodId", "operationTypeId",
        ] { #expect(found.additional[name] != nil, "\(name)") }
    }

    /// Of a hold nothing is captured, whether the whole was approved or a part; of a sale the part is.
    @Test(arguments: [(1, "Authorization", 0), (2, "Sale", 6_000)] as [(Int64, String, Int64)])
    func details_ofAPartlyApprovedHold_areOfNoCharge(_ type: Int64, _ word: String, _ captured: Int64) throws {
        let body: JSON = [
            "transactionId": "t", "typeId": .number(JSONNumber(type)), "transactionType": .string(word), "statusId": 7,
            "status": "PartiallyAuthorized", "totalAmount": 60, "currencyId": 1,
        ]
        let details = try ARISEMapping.details(ARISETransaction(body))
        #expect(details.amount == .dollars(6_000) && details.captured == .dollars(captured), "\(details)")
        #expect(ARISEMapping.listed(failureIsFinal: false).words[details.state] == .executed)
    }

    @Test func whatMustNotBeKeptIsNotKept() throws {
        let bench = ARISEBench()
        let (bank, tap) = try bench.play { client in
            let account = BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))
            let one = try #require(try await client.sale(.dollars(5_000), from: .bank(account), reference: "a").payment)
            let two = try #require(try await client.sale(.dollars(5_000), from: .reader, reference: "b").payment)
            return (
                try await client.transactions?.details(one.references),
                try await client.transactions?.details(two.references)
            )
        }
        let kept = try #require(bank).additional
        #expect(kept["achProcessingDetails.accountType"] == "Checking")
        #expect(!kept.values.contains { $0.contains("011000015") || $0.contains("000123456789") })
        let tags = try #require(tap?.receipt?.tags)
        #expect(tags.contains(Receipt.EMVTag("9F26", "C1A0")) && tags.contains(Receipt.EMVTag("4F", "A0000000031010")))
        #expect(!tags.contains { $0.tag == "5A" })
        #expect(tap?.source == "TapToPay")
    }

    /// Each value repeats the names of everything around it: a short reply must not become a long one.
    @Test func details_ofAHostileReply_stayShort() throws {
        let name = String(repeating: "k", count: 4_000)
        let values = JSON.array(Array(repeating: 0, count: 4_000))
        let deep = (0..<100).reduce(JSON.number(JSONNumber(1))) { inner, _ in .object(["a": inner]) }
        for body: JSON in [.object([name: values]), .object(["k": .object([name: values])]), ["a": deep]] {
            var more: [String: String] = [:]
            ARISEMapping.flatten(body, into: &more)
            let bytes = more.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            #expect(bytes <= 500 * 1_024 && more.count <= 500, "\(more.count) members, \(bytes) bytes")
        }
        var more: [String: String] = [:]
        ARISEMapping.flatten(["a": ["b": [1, true, "x"]]], into: &more)
        #expect(more == ["a.b.0": "1", "a.b.1": "true", "a.b.2": "x"])
    }

    @Test func anUnknownTransactionIsNotFound() throws {
        let bench = ARISEBench()
        #expect(try bench.play { try await $0.transactions?.details(["transaction": "unknown-payment"]) } == nil)
        #expect(try bench.play { try await $0.transactions?.details(["transaction": "../devices"]) } == nil)
        #expect(bench.requests.withLock { !$0.contains { $0.target.contains("/devices") } })
    }

    @Test func settingsHaveWhatTheDocumentHas() throws {
        let settings = try #require(try ARISEBench().play { try await $0.settings?.read() })
        #expect(settings.company == "Aurora Coffee" && settings.currencies == ["USD"])
        #expect(settings.cardTypes == ["Visa", "MasterCard"] && settings.transactionTypes.count == 2)
        #expect(settings.pricing == "cashDiscount" && settings.tipsEnabled && settings.tipPercents.count == 3)
        #expect(settings.rates == ["surcharge": "3.5", "cashDiscount": "4", "dualPricing": "3"])
        #expect(settings.processors == [ARISESimulator.processor] && settings.addressCheck == "Moderate")
        #expect(settings.amountMax == .dollars(99_999_999_999))
        #expect(settings.additional["ttpIosTerminalProfileId"] == "profile-1")
        #expect(
            settings.additional["availablePaymentProcessors.0.settlementBatchTimeSlots.0.timezoneName"]
                == "America/New_York")
    }

    @Test func permissionsHaveTheirNamesAndUnknownOnesSurvive() throws {
        let bench = ARISEBench()
        bench.backend.configure { $0.permissions.insert(99) }
        let names = try #require(try bench.play { try await $0.settings?.permissions() })
        let due = try ARISEBench.table("permission")
        #expect(due.count == 37)
        #expect(names == Set(due.map { $0[1] } + ["unknown(99)"]))
    }

    @Test func devicesAreListedWithTheirState() throws {
        let bench = ARISEBench()
        let (devices, one, none) = try bench.play { client in
            try await client.reader?.activate()
            let devices = try await client.devices?.list() ?? []
            let id = try #require(devices.first?.id)
            return (devices, try await client.devices?.device(id), try await client.devices?.device("nobody"))
        }
        #expect(devices.count == 1 && one == devices.first)
        #expect(one?.state == "Active" && one?.isEnabled == true && one?.name == "iPhone" && one?.lastSeen != nil)
        #expect(none == nil)
    }

    @Test func theVersionIsTheDocuments() { #expect(ARISEDriver.version == "1.0.0") }

    // MARK: Webhooks

    private func news(_ bench: ARISEBench, at now: Int64? = nil) -> OutgoingWebhook {
        bench.backend.message("captured", "a1", now ?? bench.scheduler.now)
    }

    private func notices(
        _ bench: ARISEBench, _ news: OutgoingWebhook, later: Int64 = 0
    ) throws -> [ProviderNotice] {
        try bench.driver.notices(
            in: WebhookMessage(headers: news.headers, body: news.body, at: bench.scheduler.now + later))
    }

    @Test func aSignedMessageIsAHint() throws {
        let bench = ARISEBench()
        let heard = try notices(bench, news(bench))
        #expect(heard.map(\.subject) == [.reference("a1", [.sale, .capture])])
        #expect(heard.map(\.verdict) == [nil] && heard.first?.kind == "transaction.card.captured")
        #expect(heard.first?.at == bench.scheduler.now)
    }

    @Test func onlyARefundsOwnMessageProvesItsFailure() throws {
        let bench = ARISEBench()
        for kind in ["failed", "declined"] {
            let heard = try notices(bench, bench.backend.message(kind, "a1", bench.scheduler.now))
            #expect(
                heard.filter { $0.verdict == nil }.map(\.subject) == [.reference("a1", [.sale, .authorize, .capture])])
            #expect(
                heard.filter { $0.verdict != nil }.map(\.subject) == [.reference("a1", [.refund, .unlinkedRefund])])
        }
        #expect(try notices(bench, bench.backend.message("sneezed", "a1", bench.scheduler.now)).isEmpty)
    }

    @Test func theSignatureCoversNameTimeAndBody() throws {
        let (bench, refused) = (ARISEBench(), PaymentError(.signatureInvalid, outcome: .notExecuted))
        let good = news(bench)
        for name in ["Flute-Webhook-ID", "Flute-Webhook-Timestamp", "Flute-Webhook-Signature"] {
            var (changed, missing) = (good.headers, good.headers)
            changed[name]? += "1"
            missing[name] = nil
            for headers in [changed, missing] {
                let message = OutgoingWebhook(headers: headers, body: good.body, at: good.at)
                #expect(throws: refused) { try notices(bench, message) }
            }
        }
        let longer = OutgoingWebhook(headers: good.headers, body: good.body + [32], at: good.at)
        #expect(throws: refused) { try notices(bench, longer) }
        #expect(throws: refused) { try notices(bench, good, later: 301_000) }
        #expect(throws: refused) { try notices(bench, good, later: -301_000) }
        #expect(try notices(bench, good, later: 299_000).count == 1)
        var silent = ARISEBench()
        silent.change = { $0.webhookSecret = nil }
        #expect(throws: refused) { try notices(silent, good) }
        var two = good.headers
        two["Flute-Webhook-Signature"] = "v1,AAAA " + (good.headers["Flute-Webhook-Signature"] ?? "")
        #expect(try notices(bench, OutgoingWebhook(headers: two, body: good.body, at: good.at)).count == 1)
    }
}
