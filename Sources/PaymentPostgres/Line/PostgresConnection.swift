internal import CPostgres
internal import PaymentBase
internal import PaymentSystem

/// One connection in pipeline mode, owned by the thread that made it.
@safe final class PostgresConnection {
    private let handle: OpaquePointer?
    private var prepared: Set<String> = []
    private let warnings = Warnings()
    private var server: Int64?

    /// For how long an exchange may last, in milliseconds: the server's own limits are shorter, but none of them ends a
    /// wait for a standby.
    private static let exchangeMillisecondsMax: Int64 = 20_000

    /// What the server warned of.
    private final class Warnings { var texts: [String] = [] }

    /// Connects, to the first of several hosts that can be written to.
    init(_ address: PostgresAddress, settings: String) throws(PostgresFailure) {
        unsafe handle = PQconnectdb(address.connection.expose())
        guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .lost(trouble) }
        let (host, place) = unsafe (String(cString: PQhost(handle)), String(cString: PQhostaddr(handle)))
        guard address.isMeant(host: host, address: place, isEncrypted: unsafe PQsslInUse(handle) == 1) else {
            throw .lost("\(host) \(place) is not what the connection string names, or has not proven who it is")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context = unsafe context else { return }
                let severity = unsafe PQresultErrorField(result, PostgresConnection.severityField)
                guard let severity = unsafe severity, unsafe String(cString: severity) == "WARNING" else { return }
                let text = unsafe PQresultErrorField(result, PostgresConnection.messageField)
                unsafe Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue()
                    .texts.append(text.map { unsafe String(cString: $0) } ?? "")
            }, Unmanaged.passUnretained(warnings).toOpaque())
        try begin(settings)
    }

    deinit { unsafe PQfinish(handle) }

    private func begin(_ settings: String) throws(PostgresFailure) {
        let done = unsafe PostgresRows(PQexec(handle, settings))
        if let failure = done.failure(of: self) { throw failure }
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
            throw .lost(trouble)
        }
    }

    /// Which field of a message means what.
    private static let (severityField, stateField, messageField): (Int32, Int32, Int32) = (86, 67, 77)

    /// The server's version, as 150004.
    var version: Int { Int(unsafe PQserverVersion(handle)) }
    /// The number of the server's process that the connection was begun with.
    var process: Int64 { Int64(unsafe PQbackendPID(handle)) }
    /// What can be waited for.
    var descriptor: Int32 { unsafe PQsocket(handle) }

    /// What the server warned of since it was asked the last time.
    func takeWarnings() -> [String] {
        defer { warnings.texts = [] }
        return warnings.texts
    }

    /// Which database cluster this is: the number that it was made with. It can't change while the connection lives.
    func serverNumber() throws(PostgresFailure) -> Int64 {
        if let server { return server }
        let found = try exchange([PostgresCall(.server)])[0].integer(0, 0)
        server = found
        return found
    }

    // MARK: - Exchanges

    /// Sends statements together and waits for all answers; outside of a transaction they are one.
    ///
    /// - Throws: `refused` with the first refusal, after which nothing that stood behind it was done.
    func exchange(_ calls: [PostgresCall]) throws(PostgresFailure) -> [PostgresRows] {
        var awaited: [String?] = []
        for call in calls {
            let name = call.statement.name
            // One without a name is another each time.
            if name.isEmpty || prepared.insert(name).inserted {
                guard unsafe PQsendPrepare(handle, name, call.statement.sql, 0, nil) == 1 else {
                    throw .lost(trouble)
                }
                awaited.append(name)
            }
            try send(call)
            awaited.append(nil)
        }
        guard unsafe PQpipelineSync(handle) == 1 else { throw .lost(trouble) }
        let end = DedicatedThread.monotonicNow + Self.exchangeMillisecondsMax
        var (rows, failure): ([PostgresRows], PostgresFailure?) = ([], nil)
        for name in awaited {
            while let one = try result(by: end) {
                if let refused = one.failure(of: self) {
                    if let name { prepared.remove(name) }
                    failure = failure ?? refused
                    if case .lost = refused { throw refused }
                } else if name == nil {
                    rows.append(one)
                }
            }
        }
        guard let sync = try result(by: end), sync.isSync else { throw .lost("the answers don't fit the questions") }
        if let failure { throw failure }
        guard rows.count == calls.count else { throw .lost("the answers don't fit the questions") }
        return rows
    }

    private func send(_ call: PostgresCall) throws(PostgresFailure) {
        var buffer: [UInt8] = []
        var (starts, lengths): ([Int?], [Int32]) = ([], [])
        for value in call.values {
            let start = buffer.count
            let count = value.append(to: &buffer)
            starts.append(count == nil ? nil : start)
            lengths.append(Int32(count ?? 0))
        }
        // A value of no bytes is not the same as none.
        buffer.append(0)
        let formats = [Int32](repeating: 1, count: lengths.count)
        let isSent = unsafe buffer.withUnsafeBufferPointer { buffer in
            let base = unsafe UnsafeRawPointer(buffer.baseAddress)
            let places = unsafe starts.map { start in
                unsafe start.flatMap { unsafe base?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe PQsendQueryPrepared(
                handle, call.statement.name, Int32(lengths.count), places, lengths, formats, 1) == 1
        }
        guard isSent else { throw .lost(trouble) }
    }

    /// The next result; nil at the end of a statement's.
    private func result(by end: Int64) throws(PostgresFailure) -> PostgresRows? {
        while true {
            let left = unsafe PQflush(handle)
            guard left >= 0 else { throw .lost(trouble) }
            if unsafe PQisBusy(handle) == 0 {
                guard let result = unsafe PQgetResult(handle) else {
                    guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .lost(trouble) }
                    return nil
                }
                return unsafe PostgresRows(result)
            }
            let wait = end - DedicatedThread.monotonicNow
            guard wait > 0 else { throw .lost("no answer in time") }
            var waited = pollfd(
                fd: descriptor, events: Int16(left > 0 ? POLLIN | POLLOUT : POLLIN), revents: 0)
            _ = unsafe poll(&waited, 1, Int32(clamping: wait))
            guard unsafe PQconsumeInput(handle) == 1 else { throw .lost(trouble) }
        }
    }

    // MARK: - Signs from others

    /// Waits until a thread rings, a sign comes, or a time has passed; gives the signs' texts.
    func signs(or bell: Int32, milliseconds: Int64) throws(PostgresFailure) -> [String] {
        var waited = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&waited, 2, Int32(clamping: max(0, milliseconds)))
        guard unsafe PQconsumeInput(handle) == 1 else { throw .lost(trouble) }
        var texts: [String] = []
        while let sign = unsafe PQnotifies(handle) {
            unsafe texts.append(String(cString: sign.pointee.extra))
            unsafe PQfreemem(sign)
        }
        return texts
    }

    // MARK: - Words

    fileprivate func failure(_ result: OpaquePointer?) -> PostgresFailure {
        func field(_ code: Int32) -> String? {
            unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
        }
        let words = unsafe words(of: result)
        // After these the server ends the connection.
        guard let state = field(Self.stateField), !["FATAL", "PANIC"].contains(field(Self.severityField)) else {
            return .lost(words)
        }
        return .refused(state: state, words: words)
    }

    /// What the connection says that went wrong.
    private var trouble: String { unsafe words(of: nil) }

    /// What went wrong, without what was written.
    private func words(of result: OpaquePointer?) -> String {
        let field = unsafe PQresultErrorField(result, Self.messageField)
        let text = unsafe field.map { unsafe String(cString: $0) } ?? String(cString: PQerrorMessage(handle))
        return text.split(separator: "\n").joined(separator: "; ")
    }
}

extension PostgresRows {
    /// What a result says that went wrong; nothing of a statement that was left out after another's refusal.
    fileprivate func failure(of line: PostgresConnection) -> PostgresFailure? {
        switch kind {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC: nil
        case PGRES_PIPELINE_ABORTED: .refused(state: "25P02", words: "an earlier statement was refused")
        default: unsafe failure { unsafe line.failure($0) }
        }
    }

    fileprivate var isSync: Bool { kind == PGRES_PIPELINE_SYNC }
}

/// A statement by its name and its text; the server prepares it once for each connection.
package struct PostgresStatement: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The text, with its values as $1, $2 and so on.
    package let sql: String

    init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }
}

/// A statement with its values.
struct PostgresCall: Sendable {
    let statement: PostgresStatement
    let values: [PostgresValue]

    init(_ statement: PostgresStatement, _ values: [PostgresValue] = []) {
        (self.statement, self.values) = (statement, values)
    }
}

/// How connections of one journal are made.
struct PostgresLink: Sendable {
    let address: PostgresAddress
    let schema: String
    /// How long work waits for a database that can't be reached, in milliseconds.
    var outageMilliseconds: Int64 = 10_000
    /// Whether a commit of this connection may be lost: for signs of life, which are given again.
    var isHasty = false

    /// How long a lock is waited for, in milliseconds; longer than the server leaves a transaction whose client says
    /// nothing, so that one that was stopped doesn't fail the others.
    private static let lockMilliseconds = 6_000
    private static let silenceMilliseconds = 5_000
    /// After how long the server gives up a machine that answers nothing, in milliseconds: until then its lock is held.
    private static let goneMilliseconds = 30_000

    func connect() throws(PostgresFailure) -> PostgresConnection { try PostgresConnection(address, settings: settings) }

    /// What every connection is set to. A name without a schema is the server's own before it is the journal's, so that
    /// nothing that another role makes there can take the place of a function. Statements find their rows by indexes
    /// alone, also while a table is small.
    var settings: String {
        """
        SET search_path = pg_catalog, "\(schema)", pg_temp; SET client_min_messages = warning; \
        SET synchronous_commit = \(isHasty ? "off" : "on"); SET default_transaction_isolation = 'read committed'; \
        SET lock_timeout = \(Self.lockMilliseconds); SET statement_timeout = 15000; \
        SET idle_in_transaction_session_timeout = \(Self.silenceMilliseconds); \
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4; \
        SET tcp_user_timeout = \(Self.goneMilliseconds); \
        SET client_connection_check_interval = 1000; SET jit = off; SET plan_cache_mode = force_generic_plan; \
        SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off
        """
    }
}

/// Why an exchange with the server failed.
enum PostgresFailure: Error, Hashable {
    /// The server refused a statement; the connection can be used on, once its transaction is undone.
    case refused(state: String, words: String)
    /// The connection is gone, or nothing was received in time; what the server does with what was sent isn't known.
    case lost(String)

    var words: String {
        switch self {
        case .refused(let state, let words): "the database refused it (\(state): \(words))"
        case .lost(let words): "the connection to the database was lost (\(words))"
        }
    }

    /// Whether the same may succeed when it is tried again: another session was in the way.
    var isPassing: Bool {
        guard case .refused(let state, _) = self else { return false }
        // A deadlock, a conflict, a lock that wasn't free in time.
        return ["40P01", "40001", "55P03", "23505"].contains(state)
    }
}

/// Lets a thread of this process rest.
enum Pause {
    static func milliseconds(_ count: Int32) { _ = poll(nil, 0, count) }
}
