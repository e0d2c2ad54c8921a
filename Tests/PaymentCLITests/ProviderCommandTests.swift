import Foundation
import PaymentBase
import Testing

@Suite struct ProviderCommandTests {
    @Test func theMatrixHasTheStatedShape() async throws {
        let shop = try CommandShop()
        let rows = try await shop.json("providers")["providers"]?.array ?? []
        #expect(rows.count == 6)
        for row in rows {
            let members = row.object?.members.map(\.key)
            #expect(
                members == [
                    "id", "name", "adapter", "environment", "link", "links", "active", "draining", "currencies",
                    "capabilities",
                ])
        }
        #expect(rows.count { $0["active"]?.bool == true } == 1)
        let names = rows.map { $0["capabilities"]?.object?.members.map(\.key) ?? [] }
        #expect(Set(names).count == 1, "every provider answers for the same names")
        let table = await shop.run("providers")
        #expect(table.text.contains("refund.partial"))
    }

    /// How many codes the documents have, by the families of our tables that hold them.
    private static let documented: [(adapter: String, families: Set<String>, count: Int)] = [
        ("arise", ["TTP"], 44), ("ecommpay", ["code"], 378), ("ecommpay", ["sdk"], 20), ("halo", ["word"], 80),
        ("halo", ["outcome", "request", "transaction", "device", "reader"], 122),
        ("ni", ["sdk", "payment", "list", "refund", "void", "request", "reader", "location"], 32),
        ("adyen", ["attestation"], 13), ("adyen", ["kit"], 15),
    ]

    @Test(arguments: documented.indices)
    func asManyCodesAreListedAsTheDocumentsHave(_ index: Int) async throws {
        let (adapter, families, count) = Self.documented[index]
        let run = await CommandRun.of(["errors", adapter, "--format", "json"])
        let found = try run.json["codes"]?.array?.count { families.contains($0["family"]?.string ?? "") }
        #expect(found == count, "\(adapter) \(families)")
    }

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func theWholeTableOfErrorsIsListed(_ adapter: String) async throws {
        let run = await CommandRun.of(["errors", adapter, "--format", "json"])
        let rows = try run.json["codes"]?.array ?? []
        #expect(rows.count > 10)
        for row in rows {
            let members = row.object?.members.map(\.key)
            #expect(members == ["code", "family", "category", "retry", "outcome", "userAction", "message"])
            #expect(["safe", "afterStatusCheck", "never"].contains(row["retry"]?.string))
            #expect(["notExecuted", "unknown"].contains(row["outcome"]?.string))
            // While the money may have moved, nothing but asking is safe.
            if row["outcome"]?.string == "unknown" { #expect(row["retry"]?.string == "afterStatusCheck") }
        }
    }

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func noExplanationAdvisesToTryAgainWhileMoneyMayHaveMoved(_ adapter: String) async throws {
        let errors = await CommandRun.of(["errors", adapter, "--format", "json"])
        for row in try errors.json["codes"]?.array ?? [] where row["outcome"]?.string == "unknown" {
            let code = try #require(row["code"]?.string)
            let run = await CommandRun.of(["explain", adapter, code])
            #expect(run.status == 0)
            let words = run.text.replacingOccurrences(of: "until then charge nothing again", with: "").lowercased()
            #expect(!words.contains("again") && !words.contains("retry"), "\(code): \(run.text)")
        }
    }

    @Test func declinesAreListedAndExplained() async throws {
        for adapter in ["arise", "halo", "memory", "ni"] {
            let run = await CommandRun.of(["errors", adapter, "--format", "json"])
            let rows = try run.json["codes"]?.array ?? []
            let declines = rows.filter { $0["family"] == "decline" }
            let lost = try #require(declines.first { $0["code"] == "41" }, "\(adapter)")
            #expect(lost["category"] == "declined" && lost["outcome"] == "notExecuted" && lost["retry"] == "never")
            #expect(lost["message"] == "lost card")
            // No code stands twice because it declines.
            let others = Set(rows.filter { $0["family"] != "decline" }.compactMap { $0["code"]?.string })
            #expect(others.isDisjoint(with: declines.compactMap { $0["code"]?.string }))
        }
        let pin = await CommandRun.of(["explain", "ni", "55"])
        #expect(pin.status == 0)
        #expect(pin.text.contains("was declined, incorrect PIN.") && pin.text.contains("Money: nothing moved."))
        // A code that is also an error's is explained as what became of the payment.
        let poor = await CommandRun.of(["explain", "ecommpay", "10105"])
        #expect(poor.text.contains("was declined, insufficient funds.") && !poor.text.contains("tried again"))
        let money = await CommandRun.of(["explain", "arise", "51", "--format", "json"])
        #expect(
            try money.json["outcome"]?.string == "notExecuted"
                && money.json["meanings"]?[0]?["family"]?.string == "decline")
    }

    @Test func anUnlistedCodeProvesNothing() async throws {
        let run = await CommandRun.of(["explain", "halo", "no-such-code"])
        #expect(run.status == 3 && run.text.contains("it may have moved"))
    }

    @Test func settingsPricesDevicesAndReadersAreShownWhereThereAreAny() async throws {
        let shop = try CommandShop()
        let settings = try await shop.json("settings", "--provider", "arise")
        #expect(settings["currencies"]?.array?.isEmpty == false)
        let none = try await shop.json("settings", "--provider", "halo", status: 2)
        #expect(none["error"]?["code"]?.string == "unsupported")
        let quote = try await shop.json("quote", "100", "USD", "--provider", "arise", "--tip", "10")
        #expect(quote["tenders"]?["credit"]?["total"]?["value"]?.string == "110.00")
        let devices = try await shop.json("devices", "--provider", "ni")
        #expect(devices["devices"]?.array != nil)
        let status = try await shop.json("reader", "status", "--provider", "ni")
        #expect(status["isCompatible"]?.bool == true)
        // The same installation in every call: a device that was bound once stays ours.
        let again = try await shop.json("reader", "prepare", "--provider", "ni")
        #expect(again["isReady"]?.bool == true)
        let events = await shop.run("reader", "events", "--provider", "ni")
        #expect(events.status == 0 && events.text.contains("readerReady"), "\(events.text) \(events.errors)")
    }

    @Test func aCardIsCheckedAndKept() async throws {
        let shop = try CommandShop()
        let checked = try await shop.json("verify", "EUR", "--provider", "ecommpay", "--customer", "c-7")
        #expect(checked["status"]?.string == "approved")
        let kept = try await shop.json("tokenize", "EUR", "--provider", "ecommpay", "--customer", "c-7")
        #expect(kept["saved"]?.string?.isEmpty == false)
        _ = try await shop.json("verify", "ZAR", "--provider", "halo", status: 2)
    }

    @Test func aMessageIsReadAndAWebhookVerified() async throws {
        let body = """
            {"id":"p1","event":"paymentApproved","at":1,"state":"approved","attempt":"a","extra":{"x":1},\
            "amount":{"minorUnits":100,"currency":"EUR"}}
            """
        let read = await CommandRun.of(["inspect", "memory", "-", "--format", "json"], input: body)
        let json = try read.json
        #expect(
            json.object?.members.map(\.key) == [
                "format", "message", "status", "money", "amount", "attempt", "providerReference", "decline", "error",
                "unknownFields",
            ])
        #expect(json["status"]?.string == "approved" && json["money"]?.string == "executed")
        #expect(json["unknownFields"] == ["extra"])
        let torn = await CommandRun.of(["inspect", "memory", "-"], input: String(body.dropLast(30)))
        #expect(torn.status == 3 && torn.text.contains("this message does not say"))
        let header = ["--header", "x-memory-secret: k-1"]
        let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func key(_ text: String) throws -> String {
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            return "file:\(file.path)"
        }
        let plain = await CommandRun.of(["webhook", "memory", "--key", "k-1"] + header, input: body)
        #expect(plain.status == 2 && plain.errors.first?.contains("env:NAME or file:PATH") == true)
        #expect(!plain.errors.joined().contains("k-1"), "the key isn't repeated")
        let good = await CommandRun.of(
            ["webhook", "memory", "--key", try key("k-1"), "--format", "json"] + header, input: body)
        #expect(good.status == 0)
        let events = try good.json["events"]?.array ?? []
        #expect(try good.json["verified"]?.bool == true && events.count == 1)
        #expect(
            events.first?.object?.members.map(\.key) == [
                "kind", "status", "providerReference", "attempt", "amount",
            ])
        let forged = await CommandRun.of(
            ["webhook", "memory", "--key", try key("k-2"), "--format", "json"] + header, input: body)
        #expect(forged.status == 1)
        #expect(try forged.json == ["format": 2, "verified": false, "events": []])
    }

    @Test func twoProvidersAreComparedByTheSameScenarios() async throws {
        let run = await CommandRun.of([
            "compare", "arise", "halo", "--scenario", "sale", "--scenario", "void", "--format", "json",
        ])
        let json = try run.json
        #expect(json["scenarios"]?.array?.count == 2)
        let void = json["scenarios"]?[1]
        #expect(void?["observations"]?["arise-kit"]?["result"]?.string == "approved")
        #expect(void?["observations"]?["halo"]?["played"]?.bool == false)
        #expect(void?["isCompared"]?.bool == false && void?["differs"]?.array?.isEmpty == true)
        #expect(json["reasons"]?[0]?["why"]?.string == "not played: there is no void")
        #expect(json["links"]?[0]?.string?.contains("exists in the simulator only") == true)
        let real = await CommandRun.of([
            "compare", "arise-reader", "halo", "--scenario", "sale", "--environment", "real",
        ])
        #expect(real.status == 2 && real.errors.first?.contains("compare arise-kit") == true, "\(real.errors)")
        let text = await CommandRun.of(["compare", "arise", "adyen", "--scenario", "reply-lost"])
        #expect(text.status == 0 && text.text.contains("lookedUp"))
        let one = await CommandRun.of(["compare", "arise"])
        #expect(one.status == 2)
    }

    @Test func aMessageToATerminalIsSealedAndOpened() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nexo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("a passphrase".utf8).write(to: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path)
        let message = """
            {"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\
            "MessageCategory":"Diagnosis","MessageType":"Request","ServiceID":"1","SaleID":"T","POIID":"V400m-1"},\
            "DiagnosisRequest":{"HostDiagnosisFlag":false}}}
            """
        let key = ["--passphrase", "file:\(folder.path)", "--key-id", "till", "--key-version", "1"]
        let sealed = await CommandRun.of(["nexo", "seal", "-"] + key, input: message)
        #expect(sealed.status == 0, "\(sealed.errors)")
        #expect(sealed.text.contains("NexoBlob") && !sealed.text.contains("HostDiagnosisFlag"))
        let opened = await CommandRun.of(["nexo", "open", "-"] + key, input: sealed.text)
        #expect(opened.status == 0 && opened.text == message)
        let changed = sealed.text.replacingOccurrences(of: "\"NexoBlob\":\"", with: "\"NexoBlob\":\"A")
        let refused = await CommandRun.of(["nexo", "open", "-"] + key, input: changed)
        #expect(refused.status == 1 && refused.out.isEmpty)
        let none = await CommandRun.of(["nexo", "seal", "-"], input: message)
        #expect(none.status == 2)
    }

    @Test func adyensAndEcommpaysMessagesAreExplainedAndTheirSignaturesChecked() async throws {
        let body = #"{"payment_id": "p-1", "payment_amount": 100, "payment_currency": "EUR", "project_id": 7}"#
        let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("secret".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let key = ["--secret", "file:\(file.path)"]
        let signed = await CommandRun.of(["sign", "ecommpay", "-"] + key, input: body)
        #expect(signed.status == 0, "\(signed.errors)")
        let whole = String(body.dropLast()) + ", \"signature\": \"\(signed.text)\"}"
        let good = await CommandRun.of(["verify-signature", "ecommpay", "-"] + key, input: whole)
        #expect(good.status == 0)
        let bad = await CommandRun.of(
            ["verify-signature", "ecommpay", "-"] + key, input: whole.replacingOccurrences(of: "100", with: "101"))
        #expect(bad.status == 1)
        let unsigned = await CommandRun.of(["sign", "halo", "-"] + key, input: body)
        #expect(unsigned.status == 2 && unsigned.errors.first?.contains("adyen") == true)
    }

    @Test func aSignedWebhookOfAdyenIsReportedAndNothingUnsigned() async throws {
        let folder = FileManager.default.temporaryDirectory
        let key = folder.appending(path: "hmac-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: key) }
        try Data("DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00".utf8).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        func webhook(_ signature: String) -> String {
            """
            {"live": "false", "notificationItems": [{"NotificationRequestItem": {
              "additionalData": {"hmacSignature": "\(signature)"},
              "amount": {"value": 1099, "currency": "EUR"}, "eventCode": "CAPTURE_FAILED",
              "eventDate": "2026-01-05T09:15:00+01:00", "merchantAccountCode": "TestMerchant",
              "merchantReference": "a-1", "originalReference": "8835511210681324",
              "pspReference": "993617894906488A", "reason": "late", "success": "true"}}]}
            """
        }
        let signed = await CommandRun.of(
            ["sign", "adyen", "-", "--secret", "file:\(key.path)"], input: webhook(""))
        #expect(signed.status == 0, "\(signed.errors)")
        let checked = await CommandRun.of(
            ["webhook", "adyen", "-", "--key", "file:\(key.path)", "--format", "json"], input: webhook(signed.text))
        #expect(checked.status == 0, "\(checked.errors)")
        let events = try checked.json["events"]?.array ?? []
        #expect(!events.isEmpty && events.allSatisfy { $0["kind"]?.string == "CAPTURE_FAILED" }, "\(events)")
        let names = events.compactMap { $0["providerReference"]?.string }
        #expect(names.contains("993617894906488A"), "\(events)")
        // Our own name for it is no name of the provider's.
        let first = webhook("").replacing("CAPTURE_FAILED", with: "AUTHORISATION").replacing(
            "8835511210681324", with: "")
        let good = await CommandRun.of(["sign", "adyen", "-", "--secret", "file:\(key.path)"], input: first)
        let whose = await CommandRun.of(
            ["webhook", "adyen", "-", "--key", "file:\(key.path)", "--format", "json"],
            input: first.replacing(#""hmacSignature": """#, with: "\"hmacSignature\": \"\(good.text)\""))
        let theirs = try whose.json["events"]?.array ?? []
        #expect(theirs.contains { $0["attempt"]?.string == "a-1" }, "\(whose.out) \(whose.errors)")
        #expect(!theirs.contains { $0["providerReference"]?.string == "a-1" }, "\(theirs)")
        // One good signature vouches for its own item and for no other.
        let whole = try #require(webhook(signed.text).range(of: "{\"NotificationRequestItem"))
        let forged = webhook("AAAA").replacingOccurrences(of: "8835511210681324", with: "FORGED")
        let item = String(forged[whole.lowerBound...].dropLast(2))
        let batch = webhook(signed.text).dropLast(2) + ", " + item + "]}"
        let mixed = await CommandRun.of(
            ["webhook", "adyen", "-", "--key", "file:\(key.path)", "--format", "json"], input: String(batch))
        #expect(!mixed.text.contains("FORGED"), "\(mixed.text)")
        // A proof that fits and an account that isn't the simulated one: what is missing is the account.
        let mine = webhook("").replacingOccurrences(of: "TestMerchant", with: "MyMerchant")
        let proof = await CommandRun.of(["sign", "adyen", "-", "--secret", "file:\(key.path)"], input: mine)
        let own = webhook(proof.text).replacingOccurrences(of: "TestMerchant", with: "MyMerchant")
        let unnamed = await CommandRun.of(["webhook", "adyen", "-", "--key", "file:\(key.path)"], input: own)
        let told = "\(unnamed.errors)"
        #expect(unnamed.status == 0 && told.contains("--merchant"), "\(told)")
        #expect(!unnamed.text.contains("CAPTURE_FAILED"), "\(unnamed.text)")
        let named = await CommandRun.of(
            ["webhook", "adyen", "-", "--key", "file:\(key.path)", "--merchant", "MyMerchant"], input: own)
        #expect(named.status == 0, "\(named.errors)")
        let changed = webhook(signed.text).replacingOccurrences(of: "1099", with: "1098")
        let refused = await CommandRun.of(
            ["webhook", "adyen", "-", "--key", "file:\(key.path)", "--format", "json"], input: changed)
        #expect(refused.status == 1)
        #expect(try refused.json == ["format": 2, "verified": false, "events": []])
    }
}
