internal import CPrograms
internal import Dispatch
internal import Foundation
internal import Glibc
internal import PaymentBase

/// A program that runs beside the tests.
///
/// By hand, because Foundation's `Process` reads 256 bytes of each name in `/proc/self/fd`, however short, which ends a
/// program that has some 1,400 descriptors open, and whose heap ends there, by a signal.
public final class TestProgram: Sendable {
    /// Where its errors go.
    public enum Errors: Sendable { case apart, withOutput, nowhere }

    /// It could not be started.
    public struct NotStarted: Error, CustomStringConvertible {
        let program: String
        let code: Int32
        public var description: String { "\(program) could not be started: system error \(code)" }
    }

    private let number: pid_t
    private let input: ProgramPipe.End
    private let output: ProgramPipe.End
    private let errors: ProgramPipe.End
    private let state = Locked(ProgramEnd?.none)
    private let ended = DispatchGroup()

    /// Starts a program with a pipe as its input, in the folder and the environment of the tests unless others are given.
    public init(
        _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
        errors place: Errors = .apart
    ) throws {
        let pipes = try (ProgramPipe(), ProgramPipe(), ProgramPipe())
        (input, output, errors) = (pipes.0.writing, pipes.1.reading, pipes.2.reading)
        defer { for end in [pipes.0.reading, pipes.1.writing, pipes.2.writing] { end.close() } }
        let spoken: ProgramPipe.End? =
            switch place {
            case .apart: pipes.2.writing
            case .withOutput: pipes.1.writing
            case .nowhere: nil
            }
        let start = ProgramStart(program: program, arguments: arguments, folder: folder, environment: environment)
        let number = try start(pipes.0.reading, pipes.1.writing, spoken)
        self.number = number
        ended.enter()
        Thread { [state, ended] in
            // It is taken away under the lock, so that no signal goes to the next process with its number.
            var information = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            state.withLock { $0 = ProgramEnd(takingAway: number) }
            ended.leave()
        }.start()
    }

    deinit { signal(SIGTERM) }

    /// Runs a program to its end with nothing to read.
    public static func run(
        _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
        errors: Errors = .apart
    ) throws -> ProgramRun {
        try TestProgram(program, arguments, in: folder, environment: environment, errors: errors).finish()
    }

    /// Its number.
    public var processIdentifier: Int32 { number }
    /// Whether it has not ended yet.
    public var isRunning: Bool { state.withLock { $0 == nil } }

    /// Writes to its input; false when it doesn't read any more.
    @discardableResult public func write(_ bytes: [UInt8]) -> Bool { input.write(bytes) }
    /// Ends its input.
    public func closeInput() { input.close() }
    /// The next line of its output, without its end; what is left when there is none.
    public func readLine() -> [UInt8] { output.readLine() }

    /// Asks it to end, as a service's manager does.
    public func terminate() { signal(SIGTERM) }
    /// Asks it to end, as a person at the keyboard does.
    public func interrupt() { signal(SIGINT) }

    /// Ends its input, reads what it still says, and waits for its end; it is killed when the time is over.
    public func finish(secondsMax: Int? = nil) -> ProgramRun {
        closeInput()
        let deadline = secondsMax.map { DispatchTime.now() + .seconds($0) }
        let killer = deadline.map { deadline in
            let killer = DispatchWorkItem { [self] in signal(SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: deadline, execute: killer)
            return killer
        }
        let (said, complained) = ProgramPipe.readToEnd(output, errors)
        ended.wait()
        killer?.cancel()
        let end = state.withLock { $0 } ?? .signalled(SIGKILL)
        return ProgramRun(
            end: end, output: String(decoding: said, as: UTF8.self), errors: String(decoding: complained, as: UTF8.self)
        )
    }

    private func signal(_ kind: Int32) {
        state.withLock { end in
            if end == nil { _ = kill(number, kind) }
        }
    }
}

/// The start of a program: its arguments, and where it reads and writes.
struct ProgramStart {
    let program: String
    let arguments: [String]
    let folder: String?
    let environment: [String: String]?

    func callAsFunction(
        _ input: ProgramPipe.End, _ output: ProgramPipe.End, _ errors: ProgramPipe.End?
    ) throws -> pid_t {
        var number: pid_t = 0
        let places = (input.descriptor, output.descriptor, errors?.descriptor ?? -1)
        let code = unsafe Self.withStrings([program] + arguments) { words in
            unsafe Self.withStrings(environment.map { $0.map { "\($0)=\($1)" } }) { environment in
                unsafe pay_test_start(
                    &number, program, words, environment, folder, places.0, places.1, places.2)
            }
        }
        guard code == 0 else { throw TestProgram.NotStarted(program: program, code: code) }
        return number
    }

    /// What C takes for a list of words.
    private static func withStrings(
        _ words: [String]?, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> Int32 {
        guard let words else { return body(nil) }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
    }
}

/// What a program said until its end.
public struct ProgramRun: Sendable {
    /// How it ended.
    public let end: ProgramEnd
    /// What it said on standard output.
    public let output: String
    /// What it said on standard error.
    public let errors: String

    /// Its exit status; -1 where a signal ended it.
    public var code: Int32 { if case .exited(let code) = end { code } else { -1 } }
}

/// A pipe to or from a program, which no other program inherits.
struct ProgramPipe {
    let reading: End
    let writing: End

    init() throws {
        var ends: [Int32] = [-1, -1]
        let code = unsafe pay_test_pipe(&ends)
        guard code == 0 else { throw TestProgram.NotStarted(program: "a pipe", code: code) }
        (reading, writing) = (End(ends[0]), End(ends[1]))
    }

    /// One end, which is closed once.
    final class End: Sendable {
        private let state: Locked<Int32?>

        init(_ descriptor: Int32) { state = Locked(descriptor) }
        deinit { close() }

        var descriptor: Int32 { state.withLock { $0 } ?? -1 }

        func close() {
            state.withLock { descriptor in
                if let open = descriptor { _ = Glibc.close(open) }
                descriptor = nil
            }
        }

        func write(_ bytes: [UInt8]) -> Bool {
            _ = signal(SIGPIPE, SIG_IGN)
            var rest = bytes[...]
            while !rest.isEmpty {
                let (end, count) = (descriptor, rest.count)
                let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(end, $0.baseAddress, count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                rest.removeFirst(written)
            }
            return true
        }

        func readLine() -> [UInt8] {
            var (line, byte) = ([UInt8](), [UInt8(0)])
            while true {
                let count = unsafe read(descriptor, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count > 0, byte[0] != 10 else { return line }
                line.append(byte[0])
            }
        }
    }

    /// Reads two ends until no process writes to them any more.
    static func readToEnd(_ first: End, _ second: End) -> ([UInt8], [UInt8]) {
        var waiting = [first, second].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var (taken, chunk) = ([[UInt8](), []], [UInt8](repeating: 0, count: 65_536))
        while waiting.contains(where: { $0.fd >= 0 }) {
            if unsafe poll(&waiting, nfds_t(waiting.count), -1) < 0 { continue }
            for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
                let count = unsafe read(waiting[index].fd, &chunk, chunk.count)
                if count > 0 {
                    taken[index] += chunk.prefix(count)
                } else if errno != EINTR || count == 0 {
                    // A negative descriptor is not waited for.
                    waiting[index].fd = -1
                }
            }
        }
        return (taken[0], taken[1])
    }
}

/// How a program ended.
public enum ProgramEnd: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)

    /// Takes away a program that has ended, as its number says.
    init(takingAway number: pid_t) {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }
}
