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
            // It is taken away under the lock, so that no signal goes to whoever has its number next.
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
    /// Asks it to end, as somebody at the keyboard does.
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
