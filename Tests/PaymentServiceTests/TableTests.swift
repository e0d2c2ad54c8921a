import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

@testable import PaymentService

/// The table of operations, and what follows from it.
struct TableTests {
    typealias H = ServiceHarness

    @Test func operations_haveNamesAndPathsOfTheirOwn() {
        let all = OperationTable.all
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(Set(all.map { "\($0.method) \($0.path)" }).count == all.count)
        for operation in all {
            #expect(operation.summary.hasSuffix("."), "\(operation.id)")
            #expect(Set(operation.parameters.map(\.name)).count == operation.parameters.count, "\(operation.id)")
            for segment in operation.segments where segment.hasPrefix("{") {
                #expect(operation.parameters.contains { segment == "{\($0.name)}" }, "\(operation.id)")
            }
            // No money without an attempt id, and no reading operation that moves any.
            if case .carries = operation.work {
                #expect(operation.effect == .moves && operation.role != nil && operation.role != .viewer)
            } else {
                #expect(operation.effect != .moves)
            }
        }
    }

    @Test(arguments: OperationTable.all.map(\.id))
    func example_ofEachParameter_isRead_andFitsItsSchema(id: String) throws {
        let operation = try #require(OperationTable.all.first { $0.id == id })
        for parameter in operation.parameters {
            _ = try parameter.read(parameter.example)
            let problems = SchemaValidator(parameter.schema).problems(parameter.example)
            #expect(problems.isEmpty, "\(parameter.name): \(problems)")
        }
    }

    /// The schema of an amount allows what the form reads, and nothing else.
    @Test(arguments: [
        ("12.50", "EUR", true), ("0.01", "EUR", true), ("0.00", "EUR", false), ("1250", "EUR", false),
        ("12.5", "EUR", false), ("012.50", "EUR", false), ("1250", "JPY", true), ("0", "JPY", false),
        ("1250.00", "JPY", false), ("1.250", "KWD", true), ("1.25", "KWD", false), ("-1.00", "EUR", false),
        ("9999999999999.99", "EUR", true), ("99999999999999.99", "EUR", false), ("1.00", "XXX", false),
    ])
    func amount_isReadAsItsSchemaSays(value: String, currency: String, isGood: Bool) {
        let json: JSON = ["value": .string(value), "currency": .string(currency)]
        #expect(SchemaValidator(Form.money.schema).problems(json).isEmpty == isGood)
        let isRead = (try? Form.money.read(json)) != nil
        #expect(isRead == isGood)
    }

    /// What the members of a body are to each other: the schema refuses what the service refuses for its form.
    @Test(
        arguments: [
            ("sale", #"{"reference": "a"}"#, true), ("sale", "{}", false),
            ("sale", #"{"reference": " \t "}"#, false), ("sale", #"{"reference": "a\u0000"}"#, false),
            ("sale", #"{"unreferenced": true}"#, true), ("sale", #"{"unreferenced": false}"#, false),
            ("sale", #"{"reference": "a", "unreferenced": true}"#, false),
            ("sale", #"{"reference": "a", "unreferenced": false}"#, true),
            ("sale", #"{"unreferenced": true, "part": "1 of 2"}"#, false),
            ("sale", #"{"unreferenced": true, "holdsFor": 600}"#, false),
            ("sale", #"{"reference": "a", "part": "1 of 2", "holdsFor": 600}"#, true),
            ("sale", #"{"reference": "a", "source": "saved"}"#, false),
            ("sale", #"{"reference": "a", "source": "saved", "saved": "s", "customer": "c"}"#, true),
            ("sale", #"{"reference": "a", "saved": "s"}"#, false),
            ("sale", #"{"reference": "a", "source": "reader", "token": "t"}"#, false),
            ("sale", #"{"reference": "a", "source": "token", "token": "t"}"#, true),
            ("refund", #"{"all": true}"#, true), ("refund", "{}", false), ("refund", #"{"all": false}"#, false),
            ("refund", #"{"amount": {"value": "1.00", "currency": "EUR"}}"#, true),
            ("refund", #"{"amount": {"value": "1.00", "currency": "EUR"}, "all": true}"#, false),
            ("resolve", #"{"decision": "executed", "reason": "r"}"#, false),
            ("resolve", #"{"decision": "executed", "reason": "r", "providerName": "p"}"#, true),
            ("resolve", #"{"decision": "notExecuted", "reason": "r"}"#, true),
            ("resolve", #"{"decision": "notExecuted", "reason": "r", "providerName": "p"}"#, false),
            ("resolve", #"{"decision": "notExecuted", "reason": "r", "besides": ["p", "q"]}"#, true),
            ("resolve", #"{"decision": "notExecuted", "reason": "r", "besides": ["p", "p"]}"#, false),
            (
                "resolve",
                #"{"decision": "notExecuted", "reason": "r", "besides": ["1", "2", "3", "4", "5", "6", "7", "8", "#
                    + #""9", "10", "11", "12", "13", "14", "15", "16", "17"]}"#, true
            ),
            ("resolve", #"{"decision": "withdrawn", "reason": "r", "besides": ["p"]}"#, false),
            ("resolve", #"{"decision": "acknowledged", "reason": "r"}"#, false),
            ("resolve", #"{"decision": "acknowledged", "reason": "r", "acknowledges": "reference"}"#, true),
            ("resolve", #"{"decision": "acknowledged", "reason": "r", "acknowledges": "amount"}"#, false),
            ("resolve", #"{"decision": "withdrawn", "reason": "r", "acknowledges": "reference"}"#, false),
            (
                "resolve",
                #"{"decision": "acknowledged", "reason": "r", "acknowledges": "reference", "#
                    + #""amount": {"value": "1.00", "currency": "EUR"}}"#, false
            ),
        ])
    func schemaOfABody_allowsWhatTheServiceTakes(id: String, text: String, isGood: Bool) throws {
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("20.15", "sold"), 1)
            let operation = try #require(OperationTable.all.first { $0.id == id })
            var body = try JSONReader().read(Array(text.utf8))
            if id == "sale" { body = body.adding("amount", H.euro("1.00")) }
            let path = operation.path.replacing("{payment}", with: sold.payment).replacing("{attempt}", with: H.uuid(1))
            let document = try JSONReader().read(PaymentService.openAPI(version: "1.0"))
            let schema = try #require(Self.bodySchema(of: operation, document))
            #expect(
                SchemaValidator(schema).unknownKeywords(schema).filter { $0 != "examples" && $0 != "writeOnly" } == [])
            let problems = SchemaValidator(schema).problems(body)
            #expect(problems.isEmpty == isGood, "\(problems)")
            let reply = try await shop.post(path, body, id == "resolve" ? nil : 2, by: id == "sale" ? .free : .office)
            #expect((reply.status != 400) == isGood, "\(reply.status)")
        }
    }

    @Test func nameInAPointer_isMaskedBeforeItIsCut() {
        let number = "4111111111111111"
        for length in 40...70 {
            let name = String(repeating: "a", count: length) + number
            let shown = Pointer.escaped(name)
            #expect(shown.unicodeScalars.count <= 64)
            // No more of the number than its last four digits.
            #expect(shown.count { $0.isNumber } <= 4, "\(shown)")
        }
        #expect(!Masking.findsCardNumber(in: Pointer.escaped(String(repeating: "9", count: 48) + number)))
        #expect(Pointer.escaped("a/b~c") == "a~1b~0c")
        #expect(!Masking.findsCardNumber(in: Pointer.escaped("55555=5/52555555555555")))
    }

    @Test func openAPI_describesEveryOperation_andItsReferencesLeadSomewhere() throws {
        let document = try JSONReader().read(PaymentService.openAPI(version: "1.0"))
        #expect(document["openapi"] == "3.1.0")
        for operation in OperationTable.all where operation.isDescribed {
            let described = document["paths"]?[operation.path]?[operation.method.lowercased()]
            #expect(described?["operationId"]?.string == operation.id)
            let statuses = described?["responses"]?.object?.members.map(\.key) ?? []
            #expect(statuses.contains(operation.effect == .moves ? "201" : "200"))
            #expect(!statuses.contains("502") && !statuses.contains("504"))
            for parameter in operation.parameters where operation.method == "POST" && !operation.isInPath(parameter) {
                #expect(Self.bodySchema(of: operation, document)?["properties"]?[parameter.name] != nil)
            }
        }
        for name in Self.references(document) {
            #expect(document["components"]?["schemas"]?[name] != nil, "\(name)")
        }
    }

    /// What the body of an operation's request refers to.
    private static func bodySchema(of operation: Operation, _ document: JSON) -> JSON? {
        let content = document["paths"]?[operation.path]?["post"]?["requestBody"]?["content"]
        let name = content?["application/json"]?["schema"]?["$ref"]?.string?.split(separator: "/").last
        return name.flatMap { document["components"]?["schemas"]?[String($0)] }
    }

    private static func references(_ json: JSON) -> Set<String> {
        switch json {
        case .array(let values): return values.reduce(into: []) { $0.formUnion(references($1)) }
        case .object(let object):
            return object.members.reduce(into: []) { found, member in
                if member.key == "$ref", let name = member.value.string?.split(separator: "/").last {
                    found.insert(String(name))
                }
                found.formUnion(references(member.value))
            }
        case .null, .bool, .number, .string: return []
        }
    }

    /// Answers of the service, compared with the schemas of the document.
    @Test func answers_fitTheirSchemas() throws {
        try H.play { shop in
            let document = try JSONReader().read(PaymentService.openAPI(version: "1.0"))
            let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let replies: [(String, Reply)] = [
                ("Attempt", sold), ("Attempt", try await shop.post("/v1/sales", H.sale("20.51", "order-2"), 2)),
                ("Attempt", try await shop.post("/v1/sales", H.sale("20.15", "order-3"), 3)),
                ("Attempt", try await shop.post("/v1/sales", H.sale("13.00", "order-4"), 4, wait: 0)),
                ("Attempt", try await shop.get("/v1/attempts/\(H.uuid(1))", by: .office)),
                ("Problem", try await shop.post("/v1/sales", H.sale("12.50"), 5)),
                ("Problem", try await shop.post("/v1/sales", [:], 5)),
                ("Problem", try await shop.post("/v1/sales", H.sale("12.51"), 1)),
                ("Payment", try await shop.get("/v1/payments/\(sold.payment)")),
                ("PaymentSummaryList", try await shop.get("/v1/payments")),
                ("EventList", try await shop.get("/v1/payments/\(sold.payment)/events")),
                ("ReceiptList", try await shop.get("/v1/payments/\(sold.payment)/receipt")),
                ("Self", try await shop.get("/v1/self")), ("ProviderList", try await shop.get("/v1/providers")),
                ("ReaderList", try await shop.get("/v1/readers")), ("Ready", try await shop.get("/ready")),
                ("CancelResult", try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")),
                ("ProblemPage", try await shop.get("/problems/journal")),
            ]
            for (name, reply) in replies {
                let schema = try #require(document["components"]?["schemas"]?[name], "\(name)")
                let whole = schema.adding("$defs", document["components"]?["schemas"] ?? [:])
                let problems = SchemaValidator(whole).problems(reply.body)
                #expect(problems.isEmpty, "\(name): \(problems)")
            }
        }
    }

    @Test func everyErrorCodeOfTheClient_hasAStatus() {
        let expected: [PaymentError.Code: Int] = [
            .invalidRequest: 400, .unsupported: 400, .configuration: 503, .authentication: 503, .permission: 503,
            .conflict: 409, .referenceInUse: 409, .notFound: 404, .amountTooHigh: 409, .inDoubt: 409,
            .notReceived: 402, .cancelled: 402, .timedOut: 402, .network: 503, .providerUnavailable: 503,
            .rateLimited: 503, .unreadableReply: 503, .providerFailed: 503, .mismatch: 503, .journal: 503,
            .questionUnanswered: 402, .readerUnavailable: 503, .readerBusy: 409, .deviceUnsupported: 503,
            .deviceCompromised: 503, .locationRequired: 503, .termsNotAccepted: 402, .accountNotLinked: 503,
            .signatureInvalid: 401,
        ]
        for (code, status) in expected { #expect(Problem.Code(code).status == status, "\(code.rawValue)") }
        #expect(Set(expected.keys) == Set(Problem.Code.known.keys))
        // What only an adapter knows is no gateway error: those are a proxy's.
        #expect(Problem.Code(PaymentError.Code(rawValue: "adapters-own")).status == 503)
        for code in Problem.Code.allCases { #expect(code.status != 502 && code.status != 504) }
    }

    @Test func drawnKey_hasItsForm_andOpensNothingElse() throws {
        let key = ServiceKey.draw(shop: "berlin", random: SeededRandom(seed: 1)).expose()
        #expect(key.hasPrefix("paysecret_test_berlin_"))
        #expect(key.utf8.count == "paysecret_test_berlin_".utf8.count + 43)
        #expect(ServiceKey.draw(shop: "berlin", random: SeededRandom(seed: 2)).expose() != key)
    }
}
