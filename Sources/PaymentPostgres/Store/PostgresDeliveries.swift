internal import PaymentJournalKit
internal import PaymentModel

/// The messages to receivers outside, over a server. One process at a time changes them: what it takes, no other one takes.
struct PostgresDeliveries: DeliveryRows {
    private let line: PostgresConnection

    /// Runs a body in one transaction.
    static func transaction<Value>(
        _ line: PostgresConnection, seed: Int64, _ body: (inout any DeliveryRows) throws -> Value
    ) throws -> Value {
        let check = try RestoreCheck.call(line)
        let opened = try line.exchange([
            PostgresCall(.begin), PostgresCall(.lockDeliveries, [.integer(seed)]), check,
        ])
        // What waits here would be sent beside the journal that is used now.
        if RestoreCheck(opened[2]).refusal == .moved { throw PostgresStoreError.moved }
        var rows: any DeliveryRows = PostgresDeliveries(line: line)
        let value: Value
        do { value = try body(&rows) } catch let failure as PostgresFailure { throw failure } catch {
            _ = try line.exchange([PostgresCall(.rollback)])
            throw error
        }
        _ = try line.exchange([PostgresCall(.commit)])
        return value
    }

    private func deliveries(_ statement: PostgresStatement, _ values: [PostgresValue]) throws -> [OutgoingMessage] {
        let rows = try line.exchange([PostgresCall(statement, values)])[0]
        return (0..<rows.count).map { row in
            OutgoingMessage(
                rows.text(row, 0), rows.text(row, 1), rows.text(row, 2), at: rows.integer(row, 3),
                tries: Int(clamping: rows.integer(row, 4)), due: rows.isNull(row, 5) ? nil : rows.integer(row, 5),
                takenUntil: rows.integer(row, 6), failure: rows.text(row, 7))
        }
    }

    private func run(_ statement: PostgresStatement, _ values: [PostgresValue]) throws {
        _ = try line.exchange([PostgresCall(statement, values)])
    }

    private func endpoints(_ statement: PostgresStatement, _ values: [PostgresValue]) throws -> [DeliveryEndpoint] {
        let rows = try line.exchange([PostgresCall(statement, values)])[0]
        return (0..<rows.count).map { row in
            var endpoint = DeliveryEndpoint(
                rows.text(row, 0),
                from: FeedPosition(
                    rows.text(row, 1), row: rows.integer(row, 2), index: Int(clamping: rows.integer(row, 3))))
            (endpoint.failures, endpoint.pause) = (Int(clamping: rows.integer(row, 4)), rows.integer(row, 5))
            endpoint.offAt = rows.isNull(row, 6) ? nil : rows.integer(row, 6)
            return endpoint
        }
    }

    func endpoint(_ name: String) throws -> DeliveryEndpoint? { try endpoints(.endpoint, [.text(name)]).first }

    func endpoints() throws -> [DeliveryEndpoint] { try endpoints(.allEndpoints, []) }

    func keep(_ endpoint: DeliveryEndpoint) throws {
        try run(
            .keepEndpoint,
            [
                .text(endpoint.name), .text(endpoint.position.feed), .integer(endpoint.position.row),
                .integer(Int64(endpoint.position.index)), .integer(Int64(endpoint.failures)),
                .integer(endpoint.pause), endpoint.offAt.map { .integer($0) } ?? .null,
            ])
    }

    func due(_ endpoint: String, at now: Int64, limit: Int) throws -> [OutgoingMessage] {
        try deliveries(
            .dueDeliveries,
            [
                .text(endpoint), .integer(now), .integer(Int64(limit)),
                .integer(now.addingSaturating(DeliveryRules.dueMax)),
            ])
    }

    func all(_ endpoint: String, after event: String, limit: Int) throws -> [OutgoingMessage] {
        try deliveries(.allDeliveries, [.text(endpoint), .text(event), .integer(Int64(limit))])
    }

    func delivery(_ endpoint: String, _ event: String) throws -> OutgoingMessage? {
        try deliveries(.delivery, [.text(endpoint), .text(event)]).first
    }

    func counts(_ endpoint: String, at now: Int64) throws -> DeliveryCounts {
        try counts(.countDeliveries, endpoint, at: now)
    }

    func waiting(_ endpoint: String, at now: Int64) throws -> DeliveryCounts {
        try counts(.countWaiting, endpoint, at: now)
    }

    private func counts(_ asked: PostgresStatement, _ endpoint: String, at now: Int64) throws -> DeliveryCounts {
        let rows = try line.exchange([PostgresCall(asked, [.text(endpoint), .integer(now)])])[0]
        return DeliveryCounts(
            all: Int(clamping: rows.integer(0, 0)), failed: Int(clamping: rows.integer(0, 1)),
            taken: Int(clamping: rows.integer(0, 2)))
    }

    func keep(_ delivery: OutgoingMessage) throws {
        try run(
            .keepDelivery,
            [
                .text(delivery.endpoint), .text(delivery.event), .text(delivery.body), .integer(delivery.madeAt),
                .integer(Int64(delivery.tries)), delivery.due.map { .integer($0) } ?? .null,
                .integer(delivery.takenUntil), .text(delivery.failure),
            ])
    }

    func remove(_ endpoint: String, _ event: String) throws {
        try run(.removeDelivery, [.text(endpoint), .text(event)])
    }

    func removeFailed(_ endpoint: String, before moment: Int64) throws {
        try run(.removeFailed, [.text(endpoint), .integer(moment)])
    }

    func removeAll(_ endpoint: String) throws { try run(.removeDeliveries, [.text(endpoint)]) }
}

extension PostgresStatement {
    fileprivate static let lockDeliveries = PostgresStatement(
        "lock_deliveries",
        "SELECT count(*) FROM (SELECT pg_advisory_xact_lock(hashtextextended('delivery', $1::bigint)) OFFSET 0) held")
    fileprivate static let endpoint = PostgresStatement(
        "endpoint", "SELECT name, feed, row, place, failures, probe, off FROM endpoint WHERE name = $1::text")
    fileprivate static let allEndpoints = PostgresStatement(
        "all_endpoints", "SELECT name, feed, row, place, failures, probe, off FROM endpoint ORDER BY name")
    fileprivate static let keepEndpoint = PostgresStatement(
        "keep_endpoint",
        """
        INSERT INTO endpoint (name, feed, row, place, failures, probe, off) VALUES \
        ($1::text, $2::text, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint) ON CONFLICT (name) DO UPDATE SET \
        feed = excluded.feed, row = excluded.row, place = excluded.place, failures = excluded.failures, \
        probe = excluded.probe, off = excluded.off
        """)
    private static let columns = "endpoint, event, body, at, tries, due, taken, failure"
    fileprivate static let dueDeliveries = PostgresStatement(
        "due_deliveries",
        """
        (SELECT \(columns) FROM delivery WHERE endpoint = $1::text AND due <= $2::bigint \(isFree) \
        ORDER BY due, event LIMIT $3::bigint) UNION ALL \
        (SELECT \(columns) FROM delivery WHERE endpoint = $1::text \
        AND due > $4::bigint \(isFree) ORDER BY due, event LIMIT $3::bigint) \
        LIMIT $3::bigint
        """)
    private static let isFree =
        "AND (taken <= $2::bigint OR taken > $2::bigint + \(DeliveryRules.takenMax))"
    fileprivate static let allDeliveries = PostgresStatement(
        "all_deliveries",
        """
        SELECT \(columns) FROM delivery WHERE endpoint = $1::text AND event > $2::text ORDER BY event LIMIT $3::bigint
        """)
    fileprivate static let delivery = PostgresStatement(
        "delivery", "SELECT \(columns) FROM delivery WHERE endpoint = $1::text AND event = $2::text")
    private static let counts = """
        SELECT count(*), count(*) FILTER (WHERE due IS NULL), count(*) FILTER (WHERE taken > $2::bigint \
        AND taken <= $2::bigint + \(DeliveryRules.takenMax)) \
        FROM delivery WHERE endpoint = $1::text
        """
    fileprivate static let countDeliveries = PostgresStatement("count_deliveries", counts)
    fileprivate static let countWaiting = PostgresStatement("count_waiting", counts + " AND due IS NOT NULL")
    fileprivate static let keepDelivery = PostgresStatement(
        "keep_delivery",
        """
        INSERT INTO delivery (\(columns)) VALUES ($1::text, $2::text, $3::text, $4::bigint, $5::bigint, $6::bigint, \
        $7::bigint, $8::text) ON CONFLICT (endpoint, event) DO UPDATE SET tries = excluded.tries, due = excluded.due, \
        taken = excluded.taken, failure = excluded.failure
        """)
    fileprivate static let removeDelivery = PostgresStatement(
        "remove_delivery", "DELETE FROM delivery WHERE endpoint = $1::text AND event = $2::text")
    fileprivate static let removeFailed = PostgresStatement(
        "remove_failed",
        """
        DELETE FROM delivery WHERE endpoint = $1::text AND due IS NULL \
        AND CASE WHEN taken < 0 THEN -taken ELSE at END < $2::bigint
        """)
    fileprivate static let removeDeliveries = PostgresStatement(
        "remove_deliveries", "DELETE FROM delivery WHERE endpoint = $1::text")
}
