internal import PaymentJournalKit

/// The messages to receivers outside, in a file; within a transaction of the thread that writes.
struct SQLiteDeliveries: DeliveryRows {
    let connection: SQLiteConnection

    private static let columns = "endpoint, event, body, at, tries, due, taken, failure"

    private func deliveries(_ rest: String, _ values: [SQLiteValue]) throws -> [OutgoingMessage] {
        try connection.rows(
            "SELECT \(Self.columns) FROM delivery \(rest)", values, doing: "reading messages"
        ) { row in
            OutgoingMessage(
                row.text(0) ?? "", row.text(1) ?? "", row.text(2) ?? "", at: row.integer(3),
                tries: Int(clamping: row.integer(4)), due: row.optionalInteger(5), takenUntil: row.integer(6),
                failure: row.text(7) ?? "")
        }
    }

    private func endpoints(_ rest: String, _ values: [SQLiteValue]) throws -> [DeliveryEndpoint] {
        try connection.rows(
            "SELECT name, feed, row, place, failures, probe, off FROM endpoint \(rest)", values,
            doing: "reading messages"
        ) { row in
            var endpoint = DeliveryEndpoint(
                row.text(0) ?? "",
                from: FeedPosition(row.text(1) ?? "", row: row.integer(2), index: Int(clamping: row.integer(3))))
            (endpoint.failures, endpoint.pause) = (Int(clamping: row.integer(4)), row.integer(5))
            endpoint.offAt = row.optionalInteger(6)
            return endpoint
        }
    }

    func endpoint(_ name: String) throws -> DeliveryEndpoint? {
        try endpoints("WHERE name = ?1", [.text(name)]).first
    }

    func endpoints() throws -> [DeliveryEndpoint] { try endpoints("ORDER BY name", []) }

    func keep(_ endpoint: DeliveryEndpoint) throws {
        try connection.run(
            "INSERT INTO endpoint (name, feed, row, place, failures, probe, off) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
                + "ON CONFLICT (name) DO UPDATE SET feed = ?2, row = ?3, place = ?4, failures = ?5, probe = ?6, off = ?7",
            [
                .text(endpoint.name), .text(endpoint.position.feed), .integer(endpoint.position.row),
                .integer(Int64(endpoint.position.index)), .integer(Int64(endpoint.failures)),
                .integer(endpoint.pause), .integer(orNull: endpoint.offAt),
            ], doing: "writing messages")
    }

    func due(_ endpoint: String, at now: Int64, limit: Int) throws -> [OutgoingMessage] {
        // Two searches, each of one range of the index.
        var found: [OutgoingMessage] = []
        for range in ["due <= ?2", "due > ?2 + \(DeliveryRules.dueMax)"] where found.count < limit {
            found += try deliveries(
                "WHERE endpoint = ?1 AND due IS NOT NULL AND \(range) "
                    + "AND (taken <= ?2 OR taken > ?2 + \(DeliveryRules.takenMax)) ORDER BY due, event LIMIT ?3",
                [.text(endpoint), .integer(now), .integer(Int64(limit - found.count))])
        }
        return found
    }

    func all(_ endpoint: String, after event: String, limit: Int) throws -> [OutgoingMessage] {
        try deliveries(
            "WHERE endpoint = ?1 AND event > ?2 ORDER BY event LIMIT ?3",
            [.text(endpoint), .text(event), .integer(Int64(limit))])
    }

    func delivery(_ endpoint: String, _ event: String) throws -> OutgoingMessage? {
        try deliveries("WHERE endpoint = ?1 AND event = ?2", [.text(endpoint), .text(event)]).first
    }

    func counts(_ endpoint: String, at now: Int64) throws -> DeliveryCounts { try counts(endpoint, at: now, "") }

    func waiting(_ endpoint: String, at now: Int64) throws -> DeliveryCounts {
        try counts(endpoint, at: now, " AND due IS NOT NULL")
    }

    private func counts(_ endpoint: String, at now: Int64, _ which: String) throws -> DeliveryCounts {
        try connection.rows(
            "SELECT count(*), count(*) FILTER (WHERE due IS NULL), count(*) FILTER "
                + "(WHERE taken > ?2 AND taken <= ?2 + \(DeliveryRules.takenMax)) "
                + "FROM delivery WHERE endpoint = ?1" + which, [.text(endpoint), .integer(now)],
            doing: "reading messages"
        ) { row in
            DeliveryCounts(
                all: Int(clamping: row.integer(0)), failed: Int(clamping: row.integer(1)),
                taken: Int(clamping: row.integer(2)))
        }.first ?? DeliveryCounts(all: 0, failed: 0, taken: 0)
    }

    func keep(_ delivery: OutgoingMessage) throws {
        try connection.run(
            "INSERT INTO delivery (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
                + "ON CONFLICT (endpoint, event) DO UPDATE SET tries = ?5, due = ?6, taken = ?7, failure = ?8",
            [
                .text(delivery.endpoint), .text(delivery.event), .text(delivery.body), .integer(delivery.madeAt),
                .integer(Int64(delivery.tries)), .integer(orNull: delivery.due), .integer(delivery.takenUntil),
                .text(delivery.failure),
            ], doing: "writing messages")
    }

    func remove(_ endpoint: String, _ event: String) throws {
        try connection.run(
            "DELETE FROM delivery WHERE endpoint = ?1 AND event = ?2", [.text(endpoint), .text(event)],
            doing: "writing messages")
    }

    func removeFailed(_ endpoint: String, before moment: Int64) throws {
        try connection.run(
            "DELETE FROM delivery WHERE endpoint = ?1 AND due IS NULL "
                + "AND CASE WHEN taken < 0 THEN -taken ELSE at END < ?2", [.text(endpoint), .integer(moment)],
            doing: "writing messages")
    }

    func removeAll(_ endpoint: String) throws {
        try connection.run("DELETE FROM delivery WHERE endpoint = ?1", [.text(endpoint)], doing: "writing messages")
    }
}
