internal import CPrograms
internal import Glibc
internal import PaymentBase

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

    /// Reads two ends until nobody writes to them any more.
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
