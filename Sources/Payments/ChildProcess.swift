#if os(Linux) && !APPLE_CHECK
internal import PaymentBase
internal import PaymentSystem

/// One run of a program without a shell: nothing goes in, one line comes out, and it has to end in time.
struct ChildProcess {
    /// Why there is no output.
    enum Failure: Error, Hashable {
        case notFound
        case notStarted(code: Int32)
        case ended(status: Int32)
        case killed(signal: Int32)
        case tooMuch(bytesMax: Int)
        case tooLong(milliseconds: Int64)
        case cancelled

        /// What is wrong, as a clause.
        var problem: String {
            switch self {
            case .notFound: "there is no such program"
            case .notStarted(let code): "the program could not be started (system error \(code))"
            case .ended(let status): "the program ended with status \(status)"
            case .killed(let signal): "the program was ended by signal \(signal)"
            case .tooMuch(let bytesMax): "the program printed more than \(bytesMax) bytes"
            case .tooLong(let milliseconds): "the program did not end within \(milliseconds) ms"
            case .cancelled: "the wait for the program was cancelled"
            }
        }
    }

    /// How often it is looked at, in milliseconds.
    static let everyMilliseconds: Int64 = 5

    private let words: [String]
    /// The program's own variable `PATH`.
    private let path: String
    private let clock: any PaymentClock

    init(_ words: [String], path: String, _ clock: any PaymentClock) {
        (self.words, self.path, self.clock) = (words, path, clock)
    }

    /// Runs it and gives what it printed; whatever happens, nothing of it is left running.
    func run(bytesMax: Int, milliseconds: Int64) async throws(Failure) -> [UInt8] {
        let started = try start()
        defer { close(started.output) }
        let end = clock.uptime + milliseconds
        do throws(Failure) {
            let bytes = try await output(started.output, bytesMax: bytesMax, end, milliseconds)
            try await exit(started.process, end, milliseconds)
            return bytes
        } catch {
            switch error {
            case .ended, .killed: break
            case .tooMuch, .tooLong, .cancelled, .notFound, .notStarted:
                // The whole group: a script's own children hold the pipe too.
                kill(-started.process, SIGKILL)
                waitpid(started.process, nil, 0)
            }
            throw error
        }
    }

    /// Reads until the program has closed its output.
    private func output(
        _ descriptor: Int32, bytesMax: Int, _ end: Int64, _ milliseconds: Int64
    ) async throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let size = chunk.count
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, size) }
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk.prefix(count)
                if bytes.count > bytesMax { throw .tooMuch(bytesMax: bytesMax) }
            } else if errno == EAGAIN {
                try await pause(end, milliseconds)
            } else if errno != EINTR {
                throw .notStarted(code: errno)
            }
        }
    }

    /// Waits for its end.
    private func exit(_ process: pid_t, _ end: Int64, _ milliseconds: Int64) async throws(Failure) {
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process {
                let signal = status & 0x7F
                guard signal == 0 else { throw .killed(signal: signal) }
                let code = (status >> 8) & 0xFF
                guard code == 0 else { throw .ended(status: code) }
                return
            }
            // Another part of the program has taken its end away, so that it is unknown how it ended.
            if ended < 0, errno != EINTR { throw .notStarted(code: errno) }
            try await pause(end, milliseconds)
        }
    }

    private func pause(_ end: Int64, _ milliseconds: Int64) async throws(Failure) {
        if clock.uptime >= end { throw .tooLong(milliseconds: milliseconds) }
        do { try await clock.sleep(until: clock.now + Self.everyMilliseconds) } catch { throw .cancelled }
    }

    /// Starts the program in a process group of its own, with nothing to read and its complaints thrown away.
    private func start() throws(Failure) -> (process: pid_t, output: Int32) {
        let (reading, writing) = try Self.makePipe()
        defer { close(writing) }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, writing, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        // Its environment is ours with another PATH.
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("PATH=\(path)")]
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            if unsafe strncmp(variable, "PATH=", 5) != 0 { unsafe variables.append(strdup(variable)) }
            unsafe next = next.successor()
        }
        unsafe variables.append(nil)
        defer { unsafe variables.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else {
            close(reading)
            throw code == ENOENT ? .notFound : .notStarted(code: code)
        }
        return (process, reading)
    }

    /// A pipe that no other program inherits, whose reading end never waits.
    private static func makePipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .notStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }
}
#endif
