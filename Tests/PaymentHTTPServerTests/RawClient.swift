import Foundation
import Glibc
import PaymentBase
import PaymentHTTPServer
import PaymentTestServers

/// A connection to a server on the loopback that writes bytes as they are given.
final class RawClient: Sendable {
    private let socket: Int32

    init(port: Int) throws { socket = try TestSocket.connect(port: port) }

    deinit { TestSocket.close(socket) }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The server may have closed; what it said is read all the same.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Everything until the server closes.
    func readToEnd() async -> String {
        await Self.offPool { [self] in
            var all: [UInt8] = []
            while let part = receive() { all += part }
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// What has come up to a text; all that came if the server closes before.
    func read(until text: String) async -> String {
        await Self.offPool { [self] in
            var all: [UInt8] = []
            while !String(decoding: all, as: UTF8.self).contains(text), let part = receive() { all += part }
            return String(decoding: all, as: UTF8.self)
        }
    }

    private func receive() -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(socket, &part, part.count, 0)
        return count > 0 ? Array(part.prefix(count)) : nil
    }

    /// Runs what blocks on a thread of its own.
    static func offPool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        let promise = Promise<Value>()
        Thread { promise.fulfill(body()) }.start()
        return await promise.value()
    }

    /// Writes a text on a new connection and gives everything that comes back until the server closes: the text must have a
    /// request with `Connection: close`, or one that the server refuses.
    static func exchange(_ bytes: [UInt8], port: Int) async throws -> String {
        let client = try RawClient(port: port)
        return await offPool {
            client.write(bytes)
            var all: [UInt8] = []
            while let part = client.receive() { all += part }
            return String(decoding: all, as: UTF8.self)
        }
    }
}

/// The statuses of the answers in what a server sent.
func statuses(_ text: String) -> [Int] {
    text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().compactMap { Int($0.prefix(3)) }
}

/// A handler of closures.
struct TestHandler: HTTPRequestHandler {
    var check: @Sendable (RequestHead) -> ServerResponse? = { _ in nil }
    var answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
        ServerResponse(200, [], .bytes(Array("\(request.head.path) \(request.body.count)".utf8)))
    }

    func refusal(of head: RequestHead) -> ServerResponse? { check(head) }
    func response(to request: ServerRequest) async -> ServerResponse { await answer(request) }
    func refusal(_ status: Int) -> ServerResponse { ServerResponse(status, [], .bytes(Array("refused".utf8))) }
}

/// A clock that a test moves.
final class StepClock: PaymentClock {
    private struct State {
        var now: Int64 = 1_000_000
        var sleepers: [(until: Int64, promise: Promise<Bool>)] = []
        var watchers: [Promise<Bool>] = []
    }

    private let state = Locked(State())

    var now: Int64 { state.withLock { $0.now } }

    func sleep(until instant: Int64) async throws {
        let promise = Promise<Bool>()
        let watchers: [Promise<Bool>] = state.withLock { state in
            if state.now >= instant {
                promise.fulfill(true)
                return []
            }
            state.sleepers.append((instant, promise))
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.fulfill(true) }
        let isOver = await withTaskCancellationHandler {
            await promise.value()
        } onCancel: {
            promise.fulfill(false)
        }
        if !isOver { throw CancellationError() }
    }

    /// Returns when so many tasks sleep.
    func sleepers(_ count: Int) async {
        while true {
            let watcher = Promise<Bool>()
            let isThere = state.withLock { state in
                state.sleepers.removeAll { $0.promise.result != nil }
                if state.sleepers.count >= count { return true }
                state.watchers.append(watcher)
                return false
            }
            if isThere { return }
            _ = await watcher.value()
        }
    }

    func advance(by milliseconds: Int64) {
        let due = state.withLock { state in
            state.now += milliseconds
            let now = state.now
            let due = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return due.map(\.promise)
        }
        for promise in due { promise.fulfill(true) }
    }
}
