import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTransport
import Testing

/// What a refusal over HTTP proves.
@Suite struct RefusalTests {
    private static let statuses: [ErrorTable.Row] = [
        .init("http.400", "http", .invalidRequest, .refused, "not valid"),
        .init("http.401", "http", .authentication, .refused, "not known"),
        .init("http.429", "http", .rateLimited, .refused, "too many"),
    ]
    private let plain = ErrorTable([.init("7", "code", .invalidRequest, .refused, "no such thing")] + statuses)
    private let repeating = ErrorTable(
        [
            .init("7", "code", .invalidRequest, .refused, "no such thing"),
            .init("8", "code", .conflict, .maybeSent, "this came before"),
        ] + statuses)

    private func delivery(_ table: ErrorTable, _ status: Int, _ code: String?) -> Delivery {
        let refusal = HTTPErrorResponse(HTTPResponse(status), code.map { ["code": .string($0)] })
        return table.failure(refusal) { ($0?["code"]?.string ?? "", "") }.delivery
    }

    /// Where no code says that something came before, the status is believed.
    @Test func theStatusIsBelievedWhereNothingElseCouldHaveBeenSaid() {
        for code in [nil, "7", "9"] { #expect(delivery(plain, 400, code) == .refused) }
    }

    /// A body that nobody can read may have said that the request came before: then it was carried out.
    @Test func whatMayHaveComeBeforeIsNotRefused() {
        #expect(delivery(repeating, 400, "7") == .refused)
        #expect(delivery(repeating, 400, "8") == .maybeSent)
        for code in [nil, "", "9"] { #expect(delivery(repeating, 400, code) == .maybeSent) }
    }

    /// Whoever isn't let in did nothing, however little he is told.
    @Test(arguments: [401, 429]) func whoIsTurnedAwayAtTheDoorDidNothing(_ status: Int) {
        #expect(delivery(repeating, status, nil) == .refused)
    }
}
