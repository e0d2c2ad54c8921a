internal import CPostgres
internal import PaymentBase
internal import PaymentSystem

/// Where the database is and how it is spoken with, read from what libpq calls a connection string.
///
/// libpq fills in what a connection string leaves open from environment variables and service files. Either would send
/// the password to another server or without TLS, so every option that decides that is set here, whatever its value.
struct PostgresAddress: Sendable {
    /// A connection string that leaves nothing open.
    let connection: Secret

    /// Hosts and addresses as the connection string names them; an empty one is the usual socket.
    private let hosts: [String]
    /// Whether the server has to prove who it is.
    private let isVerified: Bool

    /// What is said where the text says nothing. A network that swallows everything is noticed within seconds.
    private static let defaults = [
        "client_encoding": "UTF8", "connect_timeout": "3", "application_name": "payments",
        "target_session_attrs": "read-write", "keepalives": "1", "keepalives_idle": "5", "keepalives_interval": "2",
        "keepalives_count": "3", "tcp_user_timeout": "10000", "gssencmode": "disable",
    ]
    private static let roots = "/etc/ssl/certs/ca-certificates.crt"
    /// Options without a default of libpq's own that it takes an empty value for none of.
    private static let emptied: Set<String> = [
        "dbname", "fallback_application_name", "gsslib", "host", "hostaddr", "options", "replication", "require_auth",
        "requirepeer", "ssl_max_protocol_version", "sslcert", "sslcrl", "sslcrldir", "sslkey", "sslpassword",
        "sslrootcert",
    ]
    /// Who connects. This alone may come from the environment, as it does for every other program.
    private static let identity: Set<String> = ["user", "password", "passfile"]
    /// Options that read other options from a file.
    private static let indirect = ["service", "servicefile"]

    /// Reads a connection string; what it leaves open is set to what a journal needs.
    init(_ text: Secret) throws(PostgresOpenError) {
        let options = try Self.options(of: text)
        var given: [String: String] = [:]
        for option in options { given[option.keyword] = option.given }
        for keyword in Self.indirect where given[keyword] != nil { throw .service(keyword) }
        let places = [given["host"], given["hostaddr"]].compactMap(\.self)
        // A password with a sign of an address in it ends up in the wrong options, and would be repeated as a host or a port.
        let ports = given["port"].map(Self.list) ?? []
        // At the beginning it means a socket without a file.
        let isSplit = places.flatMap(Self.list).contains { $0.dropFirst().contains("@") }
        let isAddress = text.expose().contains("://") && given["dbname"]?.contains("@") == true
        guard !isSplit, !isAddress, ports.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            throw .badConnection
        }
        hosts = places.isEmpty ? [""] : places.flatMap(Self.list)
        isVerified = hosts.contains { !Self.isLocal($0) }
        if let open = hosts.first(where: Self.isOpenSocket), given["requirepeer"]?.isEmpty != false {
            throw .openSocket(open)
        }
        if isVerified {
            guard ["verify-full", nil].contains(given["sslmode"]) else { throw .notVerified(given["sslmode"] ?? "") }
            given["sslmode"] = "verify-full"
        }
        // Of an empty name libpq takes the roots of the home folder, which a variable names.
        if given["sslmode"]?.hasPrefix("verify-") == true, given["sslrootcert"]?.isEmpty != false {
            given["sslrootcert"] = Self.roots
        }
        for option in options where given[option.keyword] == nil {
            given[option.keyword] = Self.defaultValue(of: option, isVerified: isVerified)
        }
        connection = Secret(
            given.sorted { $0.key < $1.key }.map { "\($0.key)=\(QuotedText.value($0.value))" }.joined(separator: " "))
    }

    /// Whether libpq has connected where the connection string says, and with TLS where it has to.
    ///
    /// By then the password may have left: what protects it is that no option is open. This finds the option that an
    /// unknown version of libpq takes from elsewhere all the same.
    func isMeant(host: String, address: String, isEncrypted: Bool) -> Bool {
        let isSocket = host.hasPrefix("/") || host.hasPrefix("@")
        guard hosts.contains(host) || isSocket && hosts.contains("") else { return false }
        return isSocket || Self.isLocal(host) && !address.isEmpty && Self.isLocal(address) || isVerified && isEncrypted
    }

    // MARK: - What is left open

    /// What an option is set to of which the connection string says nothing; nil for what stays open.
    private static func defaultValue(of option: Option, isVerified: Bool) -> String? {
        if identity.contains(option.keyword) || indirect.contains(option.keyword) { return nil }
        if let value = usual(option.keyword, isVerified: isVerified) ?? option.compiled { return value }
        // Of an option that is not known here libpq may refuse an empty value: then nothing is connected, which is
        // better than to be led astray.
        return emptied.contains(option.keyword) || option.isSetElsewhere ? "" : nil
    }

    /// What an option is set to that says nothing, whatever libpq would take. A server on this machine proves nothing
    /// of itself, so that a libpq that can (16 and later) sends it no password as it is.
    static func usual(_ keyword: String, isVerified: Bool) -> String? {
        keyword == "require_auth" ? isVerified ? nil : "!password" : defaults[keyword]
    }

    /// Whether any user of this machine can make a socket in a place while the server is down: a name without a file,
    /// or a folder that every user may write to.
    private static func isOpenSocket(_ host: String) -> Bool {
        if host.hasPrefix("@") { return true }
        guard host.hasPrefix("/") else { return false }
        var status = stat()
        return unsafe stat(host, &status) == 0 && status.st_mode & S_IWOTH != 0
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    }

    /// Whether no one between can listen: a socket of this machine, or its own address.
    private static func isLocal(_ host: String) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }

    // MARK: - libpq's options

    /// An option that libpq knows.
    private struct Option {
        let keyword: String
        /// What the connection string says.
        let given: String?
        /// What libpq takes where nothing says anything.
        let compiled: String?
        /// Whether the environment or a service says something else.
        let isSetElsewhere: Bool
    }

    private static func options(of text: Secret) throws(PostgresOpenError) -> [Option] {
        // What libpq says of a wrong text may repeat a part of it.
        guard let parsed = unsafe PQconninfoParse(text.expose(), nil) else { throw .badConnection }
        defer { unsafe PQconninfoFree(parsed) }
        guard let usual = unsafe PQconndefaults() else { throw .badConnection }
        defer { unsafe PQconninfoFree(usual) }
        func words(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
        var elsewhere: Set<String> = []
        var place = 0
        while let keyword = unsafe words(usual[place].keyword) {
            if let value = unsafe words(usual[place].val), unsafe value != words(usual[place].compiled) {
                elsewhere.insert(keyword)
            }
            place += 1
        }
        var options: [Option] = []
        place = 0
        while let keyword = unsafe words(parsed[place].keyword) {
            unsafe options.append(
                Option(
                    keyword: keyword, given: words(parsed[place].val), compiled: words(parsed[place].compiled),
                    isSetElsewhere: elsewhere.contains(keyword)))
            place += 1
        }
        return options
    }
}
