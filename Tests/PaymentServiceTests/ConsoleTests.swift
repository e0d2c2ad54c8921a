import PaymentBase
import PaymentHTTPServer
import PaymentTestTill
import Testing

@testable import PaymentService

/// The files of the console.
struct ConsoleTests {
    typealias H = ServiceHarness

    private static func file(_ shop: H, _ path: String) async -> (status: Int, fields: [HTTPField], text: String) {
        let head = RequestHead(method: "GET", target: path)
        let reply: ServerResponse
        if let refusal = shop.service.refusal(of: head) {
            reply = refusal
        } else {
            reply = await shop.service.response(to: ServerRequest(head))
        }
        guard case .bytes(let bytes) = reply.body else { return (reply.status, reply.fields, "") }
        return (reply.status, reply.fields, String(decoding: bytes, as: UTF8.self))
    }

    @Test func console_hasItsFiles_withAStrictPolicy_andNothingFromElsewhere() throws {
        try H.play { shop in
            for path in ["/console/", "/console/console.js", "/console/console.css"] {
                let file = await Self.file(shop, path)
                #expect(file.status == 200, "\(path)")
                let policy = file.fields.first { $0.name == "Content-Security-Policy" }?.value ?? ""
                #expect(policy == "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
                #expect(file.fields.contains(HTTPField("Referrer-Policy", "no-referrer")))
                for foreign in [
                    "http://", "https://", "innerHTML", "eval(", "localStorage", "document.cookie", "onclick=\"",
                ] {
                    #expect(!file.text.contains(foreign), "\(path): \(foreign)")
                }
            }
            let page = await Self.file(shop, "/console/")
            // The policy would stop a script or a style within the page.
            #expect(!page.text.contains("<style") && !page.text.contains("style=") && page.text.contains("<html lang="))
            for path in ["/console", "/console/other", "/console/../v1/self", "/console/%2e"] {
                #expect(await Self.file(shop, path).status == 404, "\(path)")
            }
            // No document describes the console; it is no part of the API.
            let document = await Self.file(shop, "/openapi.json")
            #expect(!document.text.contains("/console"))
        }
    }

    /// A refund may take minutes. Its answer must not put that payment's screen, with a form of the same look, over another one.
    @Test func script_answerThatComesLate_isNotDrawnOverAnotherScreen() throws {
        let script = ConsoleFiles.script
        // A screen is drawn by what it was given at its beginning, and shown again only where the person still is.
        #expect(script.ranges(of: "place.replaceChildren(").count == 1 && !script.contains("await show("))
        let begins = try Regex(#"\n *screens\.[a-z]+ = async .*\n(.*)\n"#)
        let screens = script.matches(of: begins).compactMap { $0[1].substring }
        #expect(screens.count == 6 && screens.allSatisfy { $0.contains("drawing()") }, "\(screens)")
        // The line above the screen says which payment it is about.
        #expect(!script.contains("say(outcome(reply))"))
    }

    /// What is pending at a provider fills the first page for weeks: what is in doubt behind it is reached all the same.
    @Test func script_moreThanAPageIsOpen_leadsToTheNextPage_andAsksForNoDecisionAboutWhatIsPending() {
        #expect(!ConsoleFiles.script.contains("Decide these first"))
        #expect(ConsoleFiles.script.contains("`#decide/${new URLSearchParams({ cursor: list.next })}`"))
        #expect(ConsoleFiles.script.contains("isPending ? \"Decide for the provider\" : \"Decide\""))
    }

    @Test func script_paymentThatCantBeRead_isNamedOnBothLists() {
        #expect(ConsoleFiles.script.ranges(of: "lost(list),").count == 2)
        #expect(ConsoleFiles.script.contains("list.unreadable ? \"Nothing else is open.\" : \"Nothing is open.\""))
    }

    /// The provider's portal shows less than was asked for: the rest was not taken, and can't be refunded.
    @Test func script_decisionThatAPartWasExecuted_hasItsAmount() throws {
        let form = try #require(ConsoleFiles.script.firstRange(of: "function decisionForm"))
        let end = try #require(ConsoleFiles.script.firstRange(of: "screens.decide ="))
        let text = ConsoleFiles.script[form.lowerBound..<end.lowerBound]
        #expect(text.contains("body.amount = { value, currency: currency.toUpperCase() }"))
    }

    /// Every address that the script asks is one of the table's, by a method that it has.
    @Test func script_asksTheAPIAlone() throws {
        let places = try ConsoleFiles.script.matches(of: Regex("[\"`](/v1/[^\"`?]*)")).compactMap { $0[1].substring }
        #expect(places.count > 10)
        for place in places {
            let path = place.replacing(try Regex(#"\$\{[^}]*\}"#), with: "x")
            let head = RequestHead(method: "GET", target: String(path))
            switch Router(OperationTable.all).route(head) {
            case .found, .methods: break
            case .none: Issue.record("\(place) is no address of the API")
            }
        }
    }
}
