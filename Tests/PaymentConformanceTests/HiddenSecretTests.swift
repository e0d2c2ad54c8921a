import Foundation
import PaymentBase
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentConformance

/// A cassette keeps no secret in any form that it knows how to look for, wherever it was named as one.
@Suite struct HiddenSecretTests {
    /// What `plant.py` has encoded: the secret, the form, the text that holds it.
    private struct Planted {
        let secret: String
        let form: String
        let text: String

        static func all() throws -> [Planted] {
            let path = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Fixtures/Cassettes/planted.tsv").standardized
            return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map { line in
                let parts = try line.split(separator: "\t").map { try JSONReader().read(Array($0.utf8)).string ?? "" }
                return Planted(secret: parts[0], form: parts[1], text: parts[2])
            }
        }
    }

    private let origin = Origin(.https, "example.com")

    @Test func fiveHundredSecrets_inFortyForms_areTakenOutOfTheWholeFile() throws {
        let all = try Planted.all()
        #expect(all.count == 500 && Set(all.map(\.form)).count >= 40)
        #expect(all.count { $0.form.contains(" in ") } == 100)
        for planted in all {
            // It stands without a telling name first, and is named as a secret in a later part.
            let (first, later) = (CassetteRedactor([]), CassetteRedactor([]))
            var cassette = Cassette()
            let body: JSON = ["note": .string(planted.text), "other": "kept-as-it-is"]
            cassette.items.append(
                .init(
                    .exchange(
                        first.exchange(
                            HTTPRequest("POST", origin, "/x", body: body.bytes()),
                            .success(HTTPResponse(200, body: Array(planted.text.utf8))), milliseconds: 1))))
            let login = JSON.object(["setupToken": .string(planted.secret)])
            cassette.items.append(
                .init(
                    .exchange(
                        later.exchange(
                            HTTPRequest("POST", origin, "/login", body: login.bytes()), .success(HTTPResponse(200)),
                            milliseconds: 1))))
            #expect(later.learnt.contains(planted.secret))
            let clean = HiddenSecrets(Set(first.learnt).union(later.learnt)).cleaned(cassette)
            let text = String(decoding: clean.text, as: UTF8.self)
            #expect(!text.contains(planted.secret), "\(planted.form): \(planted.secret)")
            #expect(!text.contains(planted.text), "\(planted.form): \(planted.text)")
            let encoded = String(decoding: JSON.string(planted.text).bytes().dropFirst().dropLast(), as: UTF8.self)
            #expect(!text.contains(encoded), "\(planted.form): \(encoded)")
            #expect(text.contains("kept-as-it-is"), "\(planted.form): \(text)")
            #expect(try Cassette(text: clean.text) == clean, "\(planted.form)")
        }
    }

    @Test func names_ofEveryProvider_areTaken() {
        let sieve = CassetteRedactor([])
        for name in [
            "jwtToken", "sid", "sdkData", "setupToken", "hmacKey", "privateKey", "signing_secret", "authToken", "iban",
            "card.number", "token[]", "encryptedCardNumber", "cardSecurityCode", "session_id",
            "track2EquivalentData", "magneticTrackData", "paymentCardData", "generalCardData",
        ] {
            let body: JSON = [name: "value-\(name)"]
            let kept = String(decoding: sieve.body(body.bytes()), as: UTF8.self)
            #expect(!kept.contains("value-\(name)"), "\(kept)")
        }
        // A chip's tags are words of digits and letters, which don't look like a card's number.
        let chip: JSON = ["emvTags": ["5A084111111111111111", "57114111111111111111D2512"]]
        #expect(!String(decoding: sieve.body(chip.bytes()), as: UTF8.self).contains("4111111111111111"))
        // Nothing says which of them holds a number.
        let unnamed: [JSON] = [
            ["emvTags": [["key": "57", "value": "4111111111111111D2512"]]],
            ["emvTags": ["57": "4111111111111111D2512"]], ["cvmTags": ["57": "4111111111111111D2512"]],
        ]
        for body in unnamed {
            #expect(!String(decoding: sieve.body(body.bytes()), as: UTF8.self).contains("4111111111111111"))
        }
        let tags: JSON = [
            "tags": [["tag": "57", "value": "4111111111111111D2512"], ["tag": "9F02", "value": "000000001250"]]
        ]
        let named = String(decoding: sieve.body(tags.bytes()), as: UTF8.self)
        #expect(!named.contains("4111111111111111") && named.contains("000000001250"), "\(named)")
        let bodies = [
            #"{"jwtToken":"cut-off-secret"#, "<authToken>cut-off-secret</authToken>",
            "a: 1\nX-Auth-Token: cut-off-secret\n",
            "%74oken=cut-off-secret&b=1", "token[]=cut-off-secret", #"callback({"apiKey": "cut-off-secret"})"#,
            #"{"jwtToken":"cut-off-secret==","a":1"#, "<authToken>cut-off-secret==</authToken>",
        ]
        for body in bodies {
            let kept = String(decoding: CassetteRedactor([]).body(Array(body.utf8)), as: UTF8.self)
            #expect(!kept.contains("cut-off-secret"), "\(kept)")
        }
    }

    /// What a part of a live run names as secret stood in an earlier part without its name.
    @Test func liveRecording_secretBeforeItIsNamed_isTakenOut() async throws {
        let header = Cassette.Header(provider: "memory", environment: "sandbox", clock: 0, seed: 1)
        let recorder = SectionRecorder(Silence(), header, clock: TestScheduler())
        let bodies: [JSON] = [["note": "made-up-later-named"], ["setupToken": "made-up-later-named"]]
        for (number, body) in bodies.enumerated() {
            recorder.begin("part-\(number)", hiding: [])
            _ = try await recorder.send(HTTPRequest("POST", origin, "/x", body: body.bytes()))
        }
        let text = String(decoding: recorder.cassette.text, as: UTF8.self)
        #expect(!text.contains("made-up-later-named") && text.contains("part-1"), "\(text)")
    }

    @Test func recording_declaredSecretInAnotherForm_isTakenOut() async throws {
        var harness = DeclaringHarness()
        harness.declaration.secrets = ["made-up-declared"]
        let recorder = CassetteRecorder(harness)
        let form = Hex.encode(Array("made-up-declared".utf8))
        let body: JSON = ["note": .string(form), "other": "kept-as-it-is"]
        let tape = recorder.tape("part-1", TestScheduler())
        let request = HTTPRequest("POST", origin, "/x", body: body.bytes())
        _ = try await tape.interceptor { LedgerView([], isBalanced: true) }.send(request) {
            (_) async throws(TransportFailure) in HTTPResponse(200)
        }
        let text = String(decoding: recorder.cassette.text, as: UTF8.self)
        #expect(!text.contains(form) && text.contains("kept-as-it-is"), "\(text)")
    }

    /// Answers everything with nothing.
    private struct Silence: HTTPTransport {
        var sendLimitMilliseconds: Int64? { nil }
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { HTTPResponse(200) }
    }

    @Test func textWithoutSecrets_staysAsItIs() {
        let finder = HiddenSecrets(["a-declared-secret", "x"])
        for text in [
            "GET /v1/transactions/a0000000-0000-0000-0000-000000000001", "8815000000000001", "%7B%22a%22%3A1%7D",
            #"{"a":"\u00e9"}"#, "deadbeefdeadbeef", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "",
        ] {
            #expect(finder.cleaned(text) == text)
        }
        #expect(finder.cleaned("said a-declared-secret twice: a-declared-secret") == "said removed twice: removed")
    }
}
