import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentTestTill
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

@Suite struct EcommpaySigningTests {
    private let crypto = OpenSSLCrypto()

    private func read(_ text: String) throws -> JSON { try JSONReader().read(Array(text.utf8)) }

    @Test func everyPublishedSignatureIsMadeAgain() throws {
        let vectors = try #require(JSONReader().read(Golden.reply("Ecommpay/signatures.json").body).array)
        for vector in vectors {
            let name = vector["name"]?.string ?? ""
            let secret = Secret(vector["secret"]?.string ?? "")
            let parameters = try #require(vector["parameters"])
            let text = try EcommpaySigning.text(parameters)
            #expect(text == vector["text"]?.string, "\(name)")
            #expect(try EcommpaySigning.signature(text, secret, crypto) == vector["signature"]?.string, "\(name)")
            for order in EcommpaySigning.Order.allCases {
                #expect(try EcommpaySigning.text(parameters, order) == text, "\(name) \(order)")
            }
        }
        print("ecommpay: \(vectors.count) signatures")
        #expect(vectors.count == 20)
    }

    @Test func everyKindOfValueHasItsText() throws {
        let cases = [
            (
                #"{"a":{"b":1111111111111111,"c":2},"d":false,"f":["g",{"h":7,"i":{"k":8}}],"e":[4,5],"j":null}"#,
                "a:b:1111111111111111;a:c:2;d:0;e:0:4;e:1:5;f:0:g;f:1:h:7;f:1:i:k:8;j:"
            ),
            (#"{"0":null,"a":{"b":1},"l":{"m":[{"n":9}]}}"#, "0:;a:b:1;l:m:0:n:9"),
            (#"{"a":[],"b":{},"c":"","d":false,"e:f":1}"#, "c:;d:0;e::f:1"),
            (
                #"{"id":5028800010128225,"float":1.10,"deep":[{"signature":"x","a":1,"frame_mode":"y"}]}"#,
                "deep:0:a:1;float:1.10;id:5028800010128225"
            ),
        ]
        for (json, text) in cases { #expect(try EcommpaySigning.text(try read(json)) == text) }
    }

    @Test func theThreeOrdersDifferWhereTheDocumentsDo() throws {
        let keys = try read(#"{"a":1,"a-b":3,"a1":2}"#)
        #expect(try EcommpaySigning.text(keys, .natural) == "a:1;a-b:3;a1:2")
        #expect(try EcommpaySigning.text(keys, .paths) == "a:1;a-b:3;a1:2")
        #expect(try EcommpaySigning.text(keys, .leaves) == "a-b:3;a1:2;a:1")
        let long = JSON.object(["arr": .array((0..<11).map { .number(JSONNumber(Int64($0))) })])
        #expect(try EcommpaySigning.text(long).hasSuffix("arr:9:9;arr:10:10"))
        #expect(try EcommpaySigning.text(long, .paths).hasPrefix("arr:0:0;arr:1:1;arr:10:10;arr:2:2"))
    }

    @Test func aMessageInEachOfTheOrdersIsBelievedAndNothingElseIs() throws {
        let secret = Secret("secret")
        let message = try read(#"{"project_id":12,"a":1,"a-b":3,"a1":2,"operation":{"id":5028800010128225}}"#)
        for order in EcommpaySigning.Order.allCases {
            let proof = try EcommpaySigning.signature(EcommpaySigning.text(message, order), secret, crypto)
            let top = message.adding("signature", .string(proof))
            #expect(EcommpaySigning.isGenuine(top, secret, crypto), "\(order)")
            #expect(!EcommpaySigning.isGenuine(top, Secret("another"), crypto))
            #expect(!EcommpaySigning.isGenuine(top, Secret(""), crypto))
            #expect(!EcommpaySigning.isGenuine(top.adding("extra", 1), secret, crypto))
            let flipped = String(proof.dropFirst()) + "A"
            #expect(!EcommpaySigning.isGenuine(message.adding("signature", .string(flipped)), secret, crypto))
        }
        #expect(!EcommpaySigning.isGenuine(message, secret, crypto))
        let inner = try read(#"{"general":{"project_id":1},"status":"x"}"#)
        let proof = try EcommpaySigning.signature(EcommpaySigning.text(inner), secret, crypto)
        let general = JSON.object(["project_id": 1, "signature": .string(proof)])
        #expect(EcommpaySigning.isGenuine(inner.adding("general", general), secret, crypto))
    }

    @Test func theOrderOfMembersDoesNotMatter() throws {
        let one = try read(#"{"a":{"x":1,"y":2},"b":3}"#)
        let two = try read(#"{"b":3,"a":{"y":2,"x":1}}"#)
        #expect(try EcommpaySigning.text(one) == EcommpaySigning.text(two))
    }

    /// What a server may change, and what it must not.
    private struct Server: EcommpaySigner {
        let change: @Sendable (JSONObject) -> JSONObject

        func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
            guard let object = request.parameters.object else { throw CancellationError() }
            return EcommpaySignedParameters(.object(change(object)), signature: "made elsewhere")
        }
    }

    @Test func aServerMaySupplementASessionButNotChangeItsAmountOrNames() async throws {
        let parameters: JSONObject = [
            "project_id": 1, "payment_id": "p", "payment_amount": 400, "payment_currency": "EUR",
        ]
        let generous = EcommpaySignatureMode.server(
            Server { object in
                var object = object
                object["customer_id"] = "c"
                return object
            }, crypto)
        let signed = try await generous.signed(session: parameters)
        #expect(signed["customer_id"] == "c" && signed["signature"] == "made elsewhere")
        for (name, value) in [
            ("payment_amount", JSON.number(1)), ("payment_currency", "USD"), ("payment_id", "q"), ("project_id", 2),
        ] {
            let dishonest = EcommpaySignatureMode.server(
                Server { object in
                    var object = object
                    object[name] = value
                    return object
                }, crypto)
            let error = await #expect(throws: PaymentError.self) {
                _ = try await dishonest.signed(session: parameters)
            }
            #expect(error == PaymentError(.mismatch, outcome: .notExecuted), "\(name)")
        }
    }

    @Test func aSignerOfBytesSignsAndVerifiesWithoutTheSecretBeingHere() async throws {
        let crypto = crypto
        let seal = EcommpaySignatureMode.bytes(
            { bytes in
                Secret(Base64.standard.encode(try crypto.authenticate(.sha512, key: Secret("far away"), bytes)))
            }, crypto)
        #expect(seal.secret == nil)
        let message = try await seal.signed(["general": ["project_id": 1], "payment": ["amount": 5]])
        #expect(EcommpaySigning.isGenuine(message, Secret("far away"), crypto))
        #expect(try await seal.isGenuine(message))
        #expect(try await !seal.isGenuine(message.adding("payment", ["amount": 6])))
    }

    @Test func signaturesAreMadeAndCheckedByHand() throws {
        let scheme = EcommpaySignatures()
        let (secret, crypto) = (Secret("secret"), crypto)
        let message = #"{"general":{"project_id":1,"signature":"old"},"a":1,"a-b":3,"a1":2}"#
        let bytes = Array(message.utf8)
        let proof = try scheme.sign(bytes, secret: secret, crypto: crypto)
        #expect(try scheme.verifies(bytes, signature: proof, secret: secret, crypto: crypto))
        #expect(try !scheme.verifies(bytes, signature: nil, secret: secret, crypto: crypto))
        #expect(try !scheme.verifies(bytes, signature: proof, secret: Secret("another"), crypto: crypto))
        let signed = Array(message.replacing("old", with: proof).utf8)
        #expect(try scheme.verifies(signed, signature: nil, secret: secret, crypto: crypto))
        for order in EcommpaySigning.Order.allCases {
            let other = try EcommpaySigning.signature(EcommpaySigning.text(read(message), order), secret, crypto)
            #expect(try scheme.verifies(bytes, signature: other, secret: secret, crypto: crypto), "\(order)")
        }
        for (text, code) in [("[]", PaymentError.Code.invalidRequest), ("x", .invalidRequest)] {
            let error = #expect(throws: PaymentError.self) {
                _ = try scheme.sign(Array(text.utf8), secret: secret, crypto: crypto)
            }
            #expect(error?.code == code)
        }
        let bare = #expect(throws: PaymentError.self) {
            _ = try scheme.verifies(Array("{}".utf8), signature: nil, secret: secret, crypto: crypto)
        }
        #expect(bare?.code == .invalidRequest)
        let missing = #expect(throws: PaymentError.self) {
            _ = try scheme.sign(bytes, secret: secret, crypto: UnavailableCrypto())
        }
        #expect(missing?.code == .unsupported)
    }

    /// The published kit for PHP sorts paths by natural order, in which a hyphen comes before a digit.
    @Test func naturalOrderIsThatOfThePublishedKit() throws {
        let message = try read(#"{"b":{"10":1,"9":1,"2":1},"a1":1,"a":1,"a-b":1,"a10":1,"a2":1,"a:b":1,"A":1}"#)
        #expect(try EcommpaySigning.text(message) == "A:1;a:1;a-b:1;a1:1;a2:1;a10:1;a::b:1;b:2:1;b:9:1;b:10:1")
    }

    /// A text that is left out, because it is known already, is the same as one that is there.
    @Test(arguments: [
        #"{}"#, #"{"a":1}"#, #"{"b":2,"a":1}"#, #"{"a":1,"a-b":3,"a1":2}"#, #"{"a10":1,"a9":2,"a09":3,"a009":4}"#,
        #"{"a:b":1,"a":{"":{"b":2}}}"#, #"{"x":[0,1,2,3,4,5,6,7,8,9,10,11],"x:1":"y"}"#,
        #"{"a":{"signature":1,"b":"é;:"},"ä":null,"":true,"frame_mode":2}"#, #"{"1":"x","01":"y","1a":"z","10":"w"}"#,
    ])
    func aMessageHasTheTextsOfItsOrders(_ message: String) throws {
        let json = try read(message)
        let due = try EcommpaySigning.Order.allCases.map { try EcommpaySigning.text(json, $0) }
        let texts = try EcommpaySigning.texts(json)
        #expect(Set(texts) == Set(due) && texts.count == Set(due).count && texts.first == due.first)
    }

    @Test func withoutAnybodyWhoSignsThereIsNoDriver() {
        let configuration = EcommpayConfiguration(gate: Origin(.http, "e.test"), project: 1)
        let error = #expect(throws: PaymentError.self) {
            _ = try EcommpayDriver(configuration, ProviderDependencies(transport: FixedTransport.none))
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
    }
}
