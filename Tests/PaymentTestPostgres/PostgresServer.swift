internal import Foundation
internal import Glibc
internal import PaymentBase

/// A PostgreSQL of Debian's, in a folder that is gone with it, spoken with over a socket in that folder alone. It runs
/// as somebody without rights, since it refuses to be run by root.
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
            // Nobody holds it when the process ends.
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

    /// The name of a schema that nobody had.
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

    /// Runs a program of the server's as somebody without rights.
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

    /// Runs a program to its end. Foundation's own way waits until nobody has what it had open, and so for the end of a
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
