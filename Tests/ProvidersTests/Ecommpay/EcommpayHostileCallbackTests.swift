import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentTestTill
import PaymentTransport
import Testing

@testable import EcommpayProvider

/// Callbacks that anyone may send: what they cost before their signature is checked.
@Suite struct EcommpayHostileCallbackTests {
    /// What is made of a message of so many bytes: of an honest one no more than this many times as much is signed.
    private static let growthMax = 16

    /// How a client refuses a body, and how many bytes it authenticated for it.
    private func refusal(_ body: [UInt8]) throws -> (error: PaymentError?, bytes: Int) {
        var till = EcommpayTill()
        let crypto = CountingCrypto(OpenSSLCrypto())
        till.tools.crypto = crypto
        let error = till.failure { client in try await client.receiveWebhook(body, from: "ecommpay") }
        return (error, crypto.authenticatedBytes)
    }

    @Test(arguments: HostileMessage.allCases)
    func callback_signatureWithoutItsForm_isRefusedBeforeAnyWork(_ shape: HostileMessage) throws {
        for place in [nil, "general"] {
            let (error, bytes) = try refusal(shape.body(6_000, signature: "AAAA", in: place))
            #expect(error == PaymentError(.signatureInvalid, outcome: .notExecuted))
            #expect(bytes == 0, "\(shape)")
        }
    }

    @Test(arguments: HostileMessage.allCases)
    func callback_forgedAndHostile_costsNoMoreThanItsSize(_ shape: HostileMessage) throws {
        let body = shape.body(6_000, signature: HostileMessage.wellFormedSignature)
        let (error, bytes) = try refusal(body)
        #expect(error == PaymentError(.signatureInvalid, outcome: .notExecuted))
        // Each of the three orders has a text.
        #expect(bytes <= 3 * Self.growthMax * body.count && bytes <= 3 * 1_048_576, "\(shape): \(bytes) bytes")
    }

    @Test func callback_aboveALimit_isRefusedWithTheLimit() throws {
        let cases: [(HostileMessage, String)] = [
            (.longNameOverManyValues, "a name in it has more than 256 bytes"),
            (.longPathOverManyValues, "its text to be signed has more than 1048576 bytes"),
            (.deepObjects, "it is nested more than 32 levels deep"),
            (.deepLists, "it is nested more than 32 levels deep"),
            (.manyLongNames, "a name in it has more than 256 bytes"),
        ]
        for (shape, reason) in cases {
            let (error, bytes) = try refusal(shape.body(6_000, signature: HostileMessage.wellFormedSignature))
            #expect(error?.code == .signatureInvalid)
            #expect(error?.detail.contains(reason) == true, "\(shape): \(error?.detail ?? "")")
            #expect(bytes == 0)
        }
    }

    /// Sorting costs more than reading: a message of very many values is refused before they are put in order.
    @Test func callback_withMoreValuesThanAreSigned_isRefused() throws {
        let body = HostileMessage.manyNames.body(300_000, signature: HostileMessage.wellFormedSignature)
        let (error, bytes) = try refusal(body)
        #expect(error?.code == .signatureInvalid && bytes == 0)
        #expect(error?.detail.contains("more than 20000 values") == true, "\(error?.detail ?? "")")
    }

    /// An answer of the Gate is measured like a callback, by a server that signs elsewhere, too.
    @Test func statusAnswer_aboveALimit_isNotBelievedAndAsksNoSigner() async throws {
        let asked = Locked(0)
        let seal = EcommpaySignatureMode.bytes(
            { _ in
                asked.withLock { $0 += 1 }
                return Secret("x")
            }, OpenSSLCrypto())
        for shape in [HostileMessage.longNameOverManyValues, .longPathOverManyValues, .deepObjects] {
            let body = shape.body(6_000, signature: HostileMessage.wellFormedSignature)
            #expect(try await !seal.isGenuine(try JSONReader().read(body)))
        }
        #expect(asked.withLock { $0 } == 0)
    }

    // MARK: - What has to pass

    @Test func documentedMessages_stayFarBelowEveryLimit() throws {
        for file in ["refund.callback.json", "unconfirmed.status.json", "method.step.json"] {
            let json = try JSONReader().read(try Golden.reply("Ecommpay/\(file)").body)
            let size = Self.size(json)
            #expect(try EcommpaySigning.text(json).utf8.count * 100 < SignedFieldList.textBytesMax, "\(file)")
            #expect(size.name * 4 < SignedFieldList.nameBytesMax && size.path * 4 < SignedFieldList.pathBytesMax)
            #expect(size.levels * 4 < SignedFieldList.levelsMax, "\(file): \(size)")
        }
    }

    /// The longest name and path of a message, in bytes, and how deep it is nested.
    private static func size(_ json: JSON, _ path: Int = 0) -> (name: Int, path: Int, levels: Int) {
        let members: [(String, JSON)] =
            json.object?.members.map { ($0.key, $0.value) } ?? json.array?.enumerated().map { (String($0), $1) } ?? []
        return members.reduce((0, path, 0)) { size, member in
            let inner = Self.size(member.1, path + member.0.utf8.count + 1)
            return (
                max(size.0, inner.name, member.0.utf8.count), max(size.1, inner.path), max(size.2, inner.levels + 1)
            )
        }
    }

    @Test func genuineStatus_fiveHundredOperations_isBelieved() throws {
        let operation: JSON = [
            "id": 5_028_800_010_128_225, "type": "refund", "status": "success", "date": "2026-01-05T10:00:05+0000",
            "created_date": "2026-01-05T10:00:01+0000", "request_id": "e5f2b6f1e7a14ab1a0f0b0f5f8a3f7a2-00000001",
            "sum_initial": ["amount": 400, "currency": "EUR"], "sum_converted": ["amount": 400, "currency": "EUR"],
            "code": "0", "message": "Success", "eci": "05", "operation_fee": ["amount": 4, "currency": "EUR"],
            "provider": [
                "id": 6, "payment_id": "16784511766816", "auth_code": "563253", "endpoint_id": 12, "result_code": "00",
                "result_message": "Approved", "date": "2026-01-05T10:00:03+0000",
            ],
        ]
        let message: JSON = [
            "project_id": 1_234, "payment": ["id": "p", "status": "partially refunded"],
            "operations": .array(Array(repeating: operation, count: 500)),
        ]
        let (secret, crypto) = (Secret("secret"), OpenSSLCrypto())
        let proof = try EcommpaySigning.signature(EcommpaySigning.text(message), secret, crypto)
        #expect(EcommpaySigning.isGenuine(message.adding("signature", .string(proof)), secret, crypto))
    }

    @Test func message_atALimit_isSignedAndOneByteMoreIsNot() throws {
        func nested(_ levels: Int) -> JSON { (0..<levels).reduce(JSON.string("x")) { inner, _ in ["k": inner] } }
        func named(_ count: Int) -> JSON { .object([String(repeating: "k", count: count): 1]) }
        func pathed(_ last: Int) -> JSON {
            let inner: JSON = .object([String(repeating: "k", count: last): 1])
            return (0..<4).reduce(inner) { inner, _ in .object([String(repeating: "k", count: 200): inner]) }
        }
        func long(_ count: Int) -> JSON { ["k": .string(String(repeating: "v", count: count))] }
        let cases: [(fits: JSON, exceeds: JSON)] = [
            (nested(32), nested(33)), (named(256), named(257)), (pathed(220), pathed(221)),
            (long(1_048_574), long(1_048_575)),
        ]
        for (fits, exceeds) in cases {
            #expect(try !EcommpaySigning.text(fits).isEmpty)
            let error = #expect(throws: PaymentError.self) { _ = try EcommpaySigningRequest(exceeds) }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        }
    }
}
