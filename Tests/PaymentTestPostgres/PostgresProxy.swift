internal import Foundation
internal import Glibc
internal import PaymentBase

/// What lies between one machine and the server, and can be cut. The machine notices at once; the server doesn't before it
/// is told, as where a network swallows everything.
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

    /// The server finds out that nobody is at the other end of what was cut.
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
