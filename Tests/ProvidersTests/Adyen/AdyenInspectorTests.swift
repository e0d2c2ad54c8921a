import PaymentBase
import PaymentLinux
import PaymentSandbox
import Providers
import Testing

@Suite struct AdyenInspectorTests {
    private func money(_ text: String) -> [AdyenInspector.Money] {
        AdyenInspector.findings(Array(text.utf8)).map(\.money)
    }

    @Test func theFixturesAreJudged() throws {
        let due: [(String, [AdyenInspector.Money])] = [
            ("payment.approved.json", [.moved]), ("payment.refused.json", [.notMoved]),
            ("status.inprogress.json", [.unknown]), ("reversal.received.json", [.pending]),
            ("reject.noanswer.json", [.unknown]), ("reject.notdelivered.json", [.notMoved]),
            ("webhook.captureFailed.json", [.undone]), ("status.repeated.json", [.moved]),
        ]
        for (name, money) in due {
            let findings = AdyenInspector.findings(try AdyenTill.fixture(name))
            #expect(findings.map(\.money) == money, "\(name): \(findings)")
        }
    }

    @Test func whatCanNotBeJudgedIsUnknown() {
        for text in ["", "<html>", "{}", "[]", #"{"SaleToPOIResponse":{}}"#, #"{"notificationItems":[]}"#] {
            #expect(money(text) == [.unknown], "\(text)")
            #expect(!AdyenInspector.canJudge(AdyenInspector.findings(Array(text.utf8))))
        }
        let odd = #"{"pspReference":"P","status":"teleported"}"#
        #expect(money(odd) == [.unknown])
    }

    @Test func backOfficeRepliesAreNeverMoreThanReceived() {
        #expect(money(#"{"pspReference":"P","status":"received","amount":{"currency":"EUR","value":5}}"#) == [.pending])
        #expect(money(#"{"status":422,"errorCode":"167","message":"Original pspReference required"}"#) == [.notMoved])
        #expect(money(#"{"status":500,"errorCode":"905","message":"x"}"#) == [.unknown])
    }

    /// Any single member may be missing: what is judged is never better than the truth.
    @Test func aMissingMemberNeverMakesAnApproval() throws {
        let json = try JSONReader().read(try AdyenTill.fixture("payment.refused.json"))
        func without(_ json: JSON, _ path: [String]) -> JSON {
            guard var object = json.object, let first = path.first else { return json }
            if path.count == 1 {
                object[first] = nil
            } else if let inner = object[first] {
                object[first] = without(inner, Array(path.dropFirst()))
            }
            return .object(object)
        }
        func paths(_ json: JSON) -> [[String]] {
            (json.object?.members ?? []).flatMap { member in
                [[member.key]] + paths(member.value).map { [member.key] + $0 }
            }
        }
        for path in paths(json) {
            let found = AdyenInspector.findings(without(json, path).bytes())
            #expect(found.allSatisfy { $0.money == .notMoved || $0.money == .unknown }, "\(path)")
        }
    }
}
