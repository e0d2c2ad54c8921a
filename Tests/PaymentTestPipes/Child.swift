public import Glibc
internal import PaymentBase

/// A process of ours that lives beside the test programs and speaks over its standard input and output.
public final class Child: Sendable {
    /// How a child ended.
    public enum End: Hashable, Sendable { case exited(Int32), signalled(Int32) }

    /// The process could not be started.
    public struct NotStarted: Error { let code: Int32 }

    /// Its number.
    public let number: pid_t
    /// What is said with it.
    public let channel: Channel
    private let end = Locked(End?.none)

    /// Starts a program that was built beside the one that runs.
    public init(_ program: String, _ arguments: [String]) throws {
        // A child that was killed may still be written to.
        _ = signal(SIGPIPE, SIG_IGN)
        let path = try Self.folder() + "/" + program
        let (input, output) = (try Self.ends(), try Self.ends())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var started = pid_t()
        let code = unsafe posix_spawn(&started, path, &actions, nil, &words, environ)
        _ = close(input.reading)
        _ = close(output.writing)
        (number, channel) = (started, Channel(reading: output.reading, writing: input.writing))
        guard code == 0 else {
            channel.close()
            throw NotStarted(code: code)
        }
    }

    deinit { channel.close() }

    /// Kills it as the kernel does when there is no mercy, and waits until it is gone.
    @discardableResult
    public func kill() -> End {
        if end.withLock({ $0 }) == nil { _ = Glibc.kill(number, SIGKILL) }
        return wait()
    }

    /// Waits until it is gone.
    @discardableResult
    public func wait() -> End {
        // Its number may belong to another process once it was waited for.
        if let known = end.withLock({ $0 }) { return known }
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        let found: End = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        end.withLock { $0 = found }
        return found
    }

    /// Where the running program lies.
    private static func folder() throws -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { throw NotStarted(code: errno) }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// A pipe that no other child inherits.
    private static func ends() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw NotStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
