import PaymentBase
import PaymentModel

@testable import PaymentHTTPServer
@testable import PaymentService

extension FuzzTarget {
    /// What clients of the service send.
    static let service: [FuzzTarget] = [
        FuzzTarget("service-head") { bytes in head(bytes) },
        FuzzTarget("service-body") { bytes in body(bytes) },
    ]

    private static let router = Router(OperationTable.all)
    private static let names = [
        "host", "content-length", "transfer-encoding", "content-type", "authorization", "idempotency-key", "prefer",
        "traceparent", "last-event-id", "x-forwarded-for",
    ]

    /// Lines of a head: the target, then values of the fields in turn.
    private static func head(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let fields = lines.dropFirst().enumerated().map { HTTPField(names[$0.offset % names.count], $0.element) }
        check(lines, fields)
        for method in ["GET", "POST"] {
            let head = RequestHead(method: method, target: lines.first ?? "", fields: fields)
            if case .found(let operation, let path) = router.route(head) {
                hold(
                    operation.segments.count == head.path.split(separator: "/", omittingEmptySubsequences: false).count
                        - 1,
                    "a path has another length than its operation")
                hold(
                    path.values.allSatisfy { !$0.isEmpty && !$0.contains("%") }, "a part of a path is empty or escaped")
            }
            let wait = Preferences.wait(head)
            hold(wait.map { (0...50_000).contains($0) } ?? true, "a wait is longer than one may be")
            let line = AuditLine(head, at: 0, requestID: "1", trustsProxy: true)
            let text = String(decoding: line.json(200, milliseconds: 0).bytes(), as: UTF8.self)
            hold((try? JSONReader().read(Array(text.utf8))) != nil, "an audit line is no JSON")
            hold(!text.contains("\n"), "an audit line is two lines")
            hold(line.trace.map { $0.utf8.count == 55 } ?? true, "a trace is longer than one is")
            for value in head.values("idempotency-key") {
                guard let id = AttemptID(key: value) else { continue }
                hold(
                    AttemptID(key: id.text) == id && id.text == id.text.lowercased(),
                    "a key is another one when it is written")
            }
            for value in head.values("last-event-id") {
                guard let place = EventPlace(value) else { continue }
                hold(EventPlace(place.text)?.count == place.count, "a place is another one when it is written")
            }
            if let query = head.query {
                guard let cursor = PageCursor(query) else { continue }
                hold(cursor.text == query && cursor.number >= 0, "a cursor is another one when it is written")
            }
        }
    }

    /// A head that may be answered is read in one way alone, also where each line names its own field.
    private static func check(_ lines: [String], _ fields: [HTTPField]) {
        let named = lines.dropFirst().map { line -> HTTPField in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPField(parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : "")
        }
        for fields in [fields, named] {
            for version in ["HTTP/1.1", "HTTP/1.0", "HTTP/2.0"] {
                guard
                    let read = HeadCheck.check(
                        method: "POST", target: lines.first ?? "", version: version, fields)
                else { continue }
                let (lengths, codings) = (read.head.values("content-length"), read.head.values("transfer-encoding"))
                hold(version != "HTTP/2.0", "another version is read")
                hold(read.head.values("host").count == 1, "a head has not one host")
                hold(lengths.count + codings.count <= 1, "a body has two ends")
                hold(read.length.map { $0 >= 0 } ?? lengths.isEmpty, "a length is not read")
                hold(read.head.path.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "a path is not visible")
                let texts = read.head.fields.flatMap { [$0.name, $0.value] }
                hold(!texts.contains { $0.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 } }, "a field has an end")
            }
        }
    }

    /// The body of each operation: what is taken is what its schema says, and no answer repeats the number of a card.
    private static func body(_ bytes: [UInt8]) {
        // No JSON begins with such a byte.
        if let first = bytes.first, first >= 0x80 { return request(bytes) }
        do throws(Problem) {
            let members = try BodyReader.members(bytes)
            for operation in OperationTable.all where operation.takesJSON {
                let path = Dictionary(
                    uniqueKeysWithValues: operation.parameters.filter(operation.isInPath).map {
                        ($0.name, $0.example.string ?? "")
                    })
                read(operation, path, [], members)
            }
        } catch { check(error) }
    }

    /// A request of one operation, of which each parameter is its example, another value, or missing.
    private static func request(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let operations = OperationTable.all
        let operation = operations[(Int(choices.byte()) & 127) % operations.count]
        var (path, query, body) = ([String: String](), [FormField](), JSONObject())
        for parameter in operation.parameters {
            let way = choices.below(8)
            let isInPath = operation.isInPath(parameter)
            if way == 0, !isInPath { continue }
            let value =
                way < 4 ? parameter.example : WebhookLedger.mutated(["": parameter.example], &choices)[""] ?? .null
            let text = value.string ?? String(decoding: value.bytes(), as: UTF8.self)
            if isInPath {
                path[parameter.name] = text
            } else if operation.takesJSON {
                body[parameter.name] = value
            } else {
                query.append(FormField(parameter.name, text))
                if way == 7 { query.append(FormField(parameter.name, text)) }
            }
        }
        if choices.below(8) == 1 { body[String(fuzzed: choices.bytes(20))] = "1" }
        guard operation.takesJSON else { return read(operation, path, query, nil) }
        do throws(Problem) {
            read(operation, path, [], try BodyReader.members(JSON.object(body).bytes()))
        } catch { check(error) }
    }

    private static func read(
        _ operation: Operation, _ path: [String: String], _ query: [FormField], _ body: JSONObject?
    ) {
        do throws(Problem) {
            let input = try Input(operation.parameters, path: path, query: query, body: body)
            for amount in [input[.amount], input[.newTotal], input[.tip], input[.newTip]].compactMap({ $0 }) {
                hold((try? MoneyForm.read(MoneyForm.json(amount), orNothing: true)) == amount, "an amount changes")
                hold(amount.minorUnits >= 0 && amount.isBelievable, "an amount can't be one")
            }
            let reference = input[.reference]
            hold(reference.map { !ReferenceText.normalized($0).isEmpty } ?? true, "a reference is blank")
        } catch { check(error) }
    }

    private static func check(_ problem: Problem) {
        hold([400, 404].contains(problem.code.status), "a body is refused with \(problem.code.status)")
        for field in problem.fields {
            hold(!Masking.findsCardNumber(in: field.pointer), "a pointer has the number of a card")
        }
    }
}
