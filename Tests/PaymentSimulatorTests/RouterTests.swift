import PaymentBase
import PaymentSimulator
import PaymentTransport
import Testing

@Suite struct RouterTests {
    private struct Shop: Sendable {
        var seen: [String] = []
    }

    private static let routes = Router<Shop>(
        refusal: { refusal in HTTPResponse(refusal.status, body: Array("shop:\(refusal)".utf8)) }
    ) { routes in
        routes.check { call, shop in
            shop.seen.append("check")
            return call.bearer == "good" ? nil : .empty(401)
        }
        routes.get("/orders/:id") { call, shop in
            shop.seen.append(call["id"])
            return .json(["id": .string(call["id"]), "page": .string(call.query("page") ?? "none")])
        }
        routes.get("/orders/latest") { _, _ in .json(["id": "the latest"]) }
        routes.post("/orders/:id/refund", .json) { call, _ in .json(call.json ?? .null, status: 201) }
        routes.post("/sign-in", .form, isOpen: true) { call, _ in .json(["user": .string(call.form("user") ?? "")]) }
        routes.put("/orders/:id", .json, headers: ["Idempotency-Key"]) { _, _ in .empty() }
        routes.patch("/orders/:id", .any) { call, _ in .json(.number(JSONNumber(Int64(call.request.body.count)))) }
        routes.delete("/orders/:id") { _, _ in .empty() }
    }

    private func ask(
        _ method: String, _ target: String, _ body: String = "", type: String? = "application/json",
        token: String? = "good", _ more: HTTPHeaders = [:]
    ) -> (status: Int, body: String, headers: HTTPHeaders) {
        var headers = more
        headers["Content-Type"] = type
        headers["Authorization"] = token.map { "Bearer \($0)" }
        let request = HTTPRequest(method, Origin(.http, "shop.test"), target, headers: headers, body: Array(body.utf8))
        var shop = Shop()
        let response = Self.routes.answer(request, &shop, now: 7).response ?? HTTPResponse(0)
        return (response.status, String(decoding: response.body, as: UTF8.self), response.headers)
    }

    @Test func parametersAreDecoded() {
        #expect(ask("GET", "/orders/a%2Fb%20c").body == #"{"id":"a/b c","page":"none"}"#)
        #expect(ask("GET", "/orders/%C3%BC?page=2&page=3").body == #"{"id":"ü","page":"2"}"#)
        #expect(ask("GET", "/orders/a+b?page=1+2").body == #"{"id":"a+b","page":"1 2"}"#)
    }

    @Test func wordsComeBeforeNames() { #expect(ask("GET", "/orders/latest").body == #"{"id":"the latest"}"#) }

    @Test(arguments: ["/orders/%zz", "/orders/%", "/orders/%ff", "/orders/1?a=%g1"])
    func brokenEscapesAreRefused(target: String) { #expect(ask("GET", target).status == 400) }

    @Test(arguments: ["/", "/orders", "/orders/", "/orders/1/", "//orders/1", "/orders/1/refund/2", "/ORDERS/1", "/x"])
    func unknownPathsAreRefusedInTheProvidersWords(target: String) {
        let answer = ask("GET", target)
        #expect(answer.status == 404 && answer.body == "shop:unknownPath")
    }

    @Test func wrongMethodsNameTheRightOnes() {
        let answer = ask("POST", "/orders/1", "{}")
        #expect(answer.status == 405)
        #expect(answer.headers["Allow"] == "DELETE, GET, PATCH, PUT")
        #expect(ask("HEAD", "/orders/1").status == 405)
    }

    @Test func bodiesAreOfTheRightKind() {
        #expect(ask("POST", "/orders/1/refund", #"{"a":1}"#).body == #"{"a":1}"#)
        #expect(ask("POST", "/orders/1/refund", "{}", type: "application/json; charset=utf-8").status == 201)
        #expect(ask("POST", "/orders/1/refund", "{}", type: "application/problem+json").status == 201)
        #expect(ask("POST", "/orders/1/refund", "{}", type: "text/plain").status == 415)
        #expect(ask("POST", "/orders/1/refund", "{}", type: nil).status == 415)
        #expect(ask("POST", "/orders/1/refund", "{").status == 400)
        #expect(ask("POST", "/orders/1/refund", "").status == 400)
        #expect(ask("PATCH", "/orders/1", "{", type: "text/plain").body == "1")
    }

    @Test func formsAreRead() {
        let form = "application/x-www-form-urlencoded"
        #expect(ask("POST", "/sign-in", "user=a%26b+c", type: form).body == #"{"user":"a&b c"}"#)
        #expect(ask("POST", "/sign-in", "user=%zz", type: form).status == 400)
        #expect(ask("POST", "/sign-in", "{}").status == 415)
    }

    @Test func headersAreNeeded() {
        #expect(ask("PUT", "/orders/1", "{}").body == #"shop:missingHeader("Idempotency-Key")"#)
        #expect(ask("PUT", "/orders/1", "{}", ["idempotency-key": "k"]).status == 204)
    }

    @Test func theCheckComesFirstAndSparesOpenRoutes() {
        #expect(ask("GET", "/orders/1", token: nil).status == 401)
        #expect(ask("GET", "/nowhere", token: "bad").status == 401)
        #expect(ask("POST", "/orders/1/refund", "{", token: "bad").status == 401)
        #expect(ask("POST", "/sign-in", "", type: "application/x-www-form-urlencoded", token: nil).status == 200)
    }

    @Test func theListNamesEveryRoute() {
        #expect(Self.routes.list.map { "\($0.method) \($0.pattern)" }.contains("POST /orders/:id/refund"))
        #expect(Self.routes.list.count == 7)
    }
}
