internal import Foundation
internal import Glibc
internal import PaymentBase

/// A PostgreSQL of Debian's, in a folder that is gone with it, spoken with over a socket in that folder alone. It runs
/// as a user without rights, since it refuses to be run by root.
public final class PostgresServer: Sendable {
    /// A program failed, with what it said.
    public struct Failed: Error { let words: String }

    /// Where Debian puts the programs; nil where they are missing.
    public static let programs: String? = {
        let folder = "/usr/lib/postgresql/15/bin"
        return FileManager.default.isExecutableFile(atPath: folder + "/initdb") ? folder : nil
    }()

    /// One for all tests of a process; nil where the programs are missing.
    public static let shared: PostgresServer? = {
        guard programs != nil else {
            print("skipped: no PostgreSQL 15 in /usr/lib/postgresql; install postgresql")
            return nil
        }
        do {
            let server = try PostgresServer()
            // No test holds it when the process ends.
            stopped.withLock { $0 = server.folder }
            atexit { PostgresServer.stopShared() }
            return server
        } catch {
            print("no PostgreSQL could be started: \(error)")
            return nil
        }
    }()

    private static let stopped = Locked(String?.none)
    private static let count = Locked(0)

    /// Where its socket is.
    public let folder: String

    /// Makes a database cluster and starts it.
    ///
    /// - Parameter settings: Further settings of the server, as name=value.
    public init(_ settings: [String] = ["fsync=off"]) throws {
        folder = "/tmp/pay-pg-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = unsafe chmod(folder, 0o711)
        if getuid() == 0, let nobody = unsafe getpwnam("nobody") {
            _ = unsafe chown(folder, nobody.pointee.pw_uid, nobody.pointee.pw_gid)
        }
        try Self.run(
            folder, "initdb",
            [
                "-D", folder + "/data", "-U", "pay", "--auth=trust", "--no-sync", "--no-instructions", "-E", "UTF8",
                "--locale=C", "--data-checksums",
            ])
        let given = ["listen_addresses=''", "unix_socket_directories='\(folder)'", "max_connections=300"] + settings
        try Self.run(
            folder, "pg_ctl",
            [
                "-D", folder + "/data", "-w", "-t", "60", "-l", folder + "/log", "-o",
                given.map { "-c \($0)" }.joined(separator: " "), "start",
            ])
    }

    deinit { stop() }

    /// Stops it at once and removes everything.
    public func stop() { Self.stop(folder) }

    private static func stop(_ folder: String) {
        _ = try? run(folder, "pg_ctl", ["-D", folder + "/data", "-m", "immediate", "-w", "stop"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func stopShared() { if let folder = stopped.withLock({ $0 }) { stop(folder) } }

    /// How it is reached.
    public func connection(user: String = "pay", database: String = "postgres") -> String {
        "host=\(folder) user=\(user) dbname=\(database)"
    }

    /// The name of a new schema.
    public func freshSchema() -> String {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        return "journal_\(getpid())_\(number)"
    }

    /// Has psql run statements; gives what it prints, a line a row.
    @discardableResult
    public func sql(_ text: String) throws -> [String] {
        let said = try Self.run(
            folder, "psql",
            ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "pay", "-d", "postgres", "-c", text])
        return said.split(separator: "\n").map(String.init)
    }

    /// Runs a program of the server's as a user without rights.
    @discardableResult
    public static func run(
        _ folder: String, _ program: String, _ arguments: [String], _ variables: [String] = []
    ) throws -> String {
        guard let programs else { throw Failed(words: "there is no \(program)") }
        let file = folder + "/said-\(UUID().uuidString)"
        var words = ["\(programs)/\(program)"] + arguments
        if getuid() == 0 {
            words = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + words
        }
        let environment = ["PATH=\(programs):/usr/bin:/bin", "HOME=\(folder)", "LC_ALL=C"] + variables
        defer { try? FileManager.default.removeItem(atPath: file) }
        let code = try spawn(words, environment, file)
        let said = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        guard code == 0 else { throw Failed(words: "\(program): \(said)") }
        return said
    }

    /// Runs a program to its end. Foundation's own way waits until no process has what it had open, and so for the end of a
    /// server that it starts.
    private static func spawn(_ words: [String], _ environment: [String], _ file: String) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file, O_CREAT | O_WRONLY | O_TRUNC, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var number = pid_t()
        let code = unsafe posix_spawn(&number, words[0], &actions, nil, &arguments, &variables)
        guard code == 0 else { throw Failed(words: "\(words[0]) can't be started") }
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

/// What lies between one machine and the server, and can be cut. The machine notices at once; the server doesn't before it
/// is informed, as where a network swallows everything.
public final class PostgresProxy: Sendable {
    private struct State {
        var isCut = false
        var isOver = false
        /// Who speaks, as pairs of descriptors.
        var lines: [(machine: Int32, server: Int32)] = []
        /// Ends at the server of lines that were cut.
        var left: [Int32] = []
    }

    private let server: PostgresServer
    private let folder: String
    private let listener: Int32
    private let state = Locked(State())

    private static let name = "/.s.PGSQL.5432"

    /// Stands before a server.
    public init(_ server: PostgresServer) throws {
        self.server = server
        folder = "/tmp/pay-px-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = unsafe Self.at(folder + Self.name) { unsafe bind(listener, $0, $1) }
        guard listener >= 0, isBound == 0, listen(listener, 64) == 0 else {
            throw PostgresServer.Failed(words: "no socket in \(folder)")
        }
        let isStarted = DedicatedThread.start { [self] in
            while true {
                let machine = accept(listener, nil, nil)
                if machine < 0 { return }
                serve(machine)
            }
        }
        if !isStarted { throw PostgresServer.Failed(words: "no thread is left") }
    }

    /// How the server is reached through it.
    public var connection: String { "host=\(folder) user=pay dbname=postgres" }

    /// From now on nothing comes through; the server keeps what the machine had open.
    public func cut() {
        let lines = state.withLock { state in
            state.isCut = true
            defer { state.lines = [] }
            state.left += state.lines.map(\.server)
            return state.lines
        }
        for line in lines { shutdown(line.machine, Int32(SHUT_RDWR)) }
    }

    /// The server finds out that no client is at the other end of what was cut.
    public func tellServer() {
        let left = state.withLock { state in
            defer { state.left = [] }
            return state.left
        }
        for line in left { close(line) }
    }

    /// The way is free again.
    public func mend() { state.withLock { $0.isCut = false } }

    /// Ends it.
    public func stop() {
        cut()
        tellServer()
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func serve(_ machine: Int32) {
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = server.folder + Self.name
        let isOpen = state.withLock { state in
            guard !state.isCut, unsafe Self.at(path, { unsafe Glibc.connect(other, $0, $1) }) == 0 else { return false }
            state.lines.append((machine, other))
            return true
        }
        guard isOpen, DedicatedThread.start({ [self] in carry(machine, other) }) else {
            close(machine)
            close(other)
            return
        }
    }

    /// Carries bytes both ways until an end is reached.
    private func carry(_ machine: Int32, _ other: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        func pass(_ from: Int32, _ to: Int32) -> Bool {
            let count = unsafe read(from, &buffer, buffer.count)
            var sent = 0
            while sent < count {
                let some = unsafe buffer.withUnsafeBytes { bytes in
                    unsafe send(to, bytes.baseAddress.map { unsafe $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
                }
                if some <= 0 { return false }
                sent += some
            }
            return count > 0
        }
        var isOpen = true
        while isOpen {
            var ends = [
                pollfd(fd: machine, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&ends, 2, -1)
            if ends[0].revents != 0 { isOpen = pass(machine, other) }
            if isOpen, ends[1].revents != 0 { isOpen = pass(other, machine) }
        }
        let isOurs = state.withLock { state in
            let count = state.lines.count
            state.lines.removeAll { $0.server == other }
            return state.lines.count != count
        }
        close(machine)
        // What was cut stays open at the server.
        if isOurs { close(other) }
    }

    private static func at(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in path.utf8.enumerated() where index < place.count - 1 { unsafe place[index] = byte }
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
        }
    }
}

/// A server on another address of this machine that knows no TLS and asks for passwords in plain text, as an attacker
/// between a till and its database would.
public final class PostgresImpostor: Sendable {
    /// Where it listens. The loopback has more addresses than 127.0.0.1, and a journal takes none of them for local.
    public static let address = "127.0.0.2"
    /// The port at which it listens.
    public let port: Int

    private let listener: Int32
    private let heard = Locked([String]())

    /// What clients ask first, as numbers in the place of a protocol's version.
    private static let (asksForTLS, asksForGSS): (UInt32, UInt32) = (80_877_103, 80_877_104)
    /// How long a message may be, in bytes.
    private static let bytesMax = 10_000

    /// Listens at a port that the system chooses.
    public init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = unsafe withUnsafeMutablePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: place.sin_port))
        guard listener >= 0, isBound, listen(listener, 16) == 0 else {
            throw PostgresServer.Failed(words: "no port of \(Self.address) is free")
        }
        let isStarted = DedicatedThread.start { [heard] in
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { return }
                Self.serve(client) { words in heard.withLock { $0.append(words) } }
                close(client)
            }
        }
        if !isStarted { throw PostgresServer.Failed(words: "no thread is left") }
    }

    /// What clients said, in order: `TLS?` where one asked for it, `startup`, and `password` with what it sent.
    public var said: [String] { heard.withLock { $0 } }

    /// Ends it.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ client: Int32, _ hear: (String) -> Void) {
        var code: UInt32
        repeat {
            guard let count = number(client), let asked = number(client),
                read(client, Int(count) - 8) != nil
            else { return }
            code = asked
            if code == asksForTLS { hear("TLS?") }
            if code == asksForTLS || code == asksForGSS, !write(client, [UInt8(ascii: "N")]) { return }
        } while code == asksForTLS || code == asksForGSS
        hear("startup")
        // AuthenticationCleartextPassword.
        guard write(client, [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]), read(client, 1) != nil,
            let count = number(client), let password = read(client, Int(count) - 4)
        else { return }
        hear("password \(String(decoding: password.prefix { $0 != 0 }, as: UTF8.self))")
    }

    private static func number(_ client: Int32) -> UInt32? {
        read(client, 4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    private static func read(_ client: Int32, _ count: Int) -> [UInt8]? {
        guard (0...bytesMax).contains(count) else { return nil }
        // Of nothing there is nothing to wait for.
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func write(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
