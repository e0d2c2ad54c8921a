internal import CPostgres
internal import PaymentBase

/// Where the database is and how it is spoken with, read from what libpq calls a connection string.
struct PostgresAddress: Sendable {
    let keywords: [String]
    let values: [Secret]

    /// What is said where the text says nothing. A network that swallows everything is noticed within seconds.
    private static let defaults = [
        ("client_encoding", "UTF8"), ("connect_timeout", "3"), ("application_name", "payments"),
        ("target_session_attrs", "read-write"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "10000"), ("gssencmode", "disable"),
    ]
    private static let roots = "/etc/ssl/certs/ca-certificates.crt"

    /// Reads a connection string; what it leaves open is set to what a journal needs.
    init(_ text: Secret) throws(OpeningFailure) {
        var given = try Self.parsed(text)
        for (keyword, value) in Self.defaults where given[keyword] == nil { given[keyword] = value }
        let hosts = Self.list(given["host"]) + Self.list(given["hostaddr"])
        if hosts.contains(where: { !Self.isLocal($0) }) {
            guard ["verify-full", nil].contains(given["sslmode"]) else { throw .notVerified(given["sslmode"] ?? "") }
            given["sslmode"] = "verify-full"
            if given["sslrootcert"] == nil { given["sslrootcert"] = Self.roots }
        }
        let sorted = given.sorted { $0.key < $1.key }
        (keywords, values) = (sorted.map(\.key), sorted.map { Secret($0.value) })
    }

    /// The places, as can be shown: hosts and the database's name.
    var shown: String {
        let named = Dictionary(zip(keywords, values)) { first, _ in first }
        let hosts = named["host"]?.expose() ?? named["hostaddr"]?.expose() ?? "the usual place"
        return "\(named["dbname"]?.expose() ?? "the user's database") at \(hosts)"
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
    }

    /// Whether nobody between can listen: a socket of this machine, or its own address.
    private static func isLocal(_ host: String) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }

    private static func parsed(_ text: Secret) throws(OpeningFailure) -> [String: String] {
        // What libpq says of a wrong text may repeat a part of it.
        guard let options = unsafe PQconninfoParse(text.expose(), nil) else { throw .badConnection }
        defer { unsafe PQconninfoFree(options) }
        var given: [String: String] = [:]
        var place = 0
        while let keyword = unsafe options[place].keyword {
            if let value = unsafe options[place].val { unsafe given[String(cString: keyword)] = String(cString: value) }
            place += 1
        }
        return given
    }
}
