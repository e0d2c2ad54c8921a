import Dispatch
import Glibc
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// Tasks that run on the thread of the transport itself.
@Suite struct CurlExecutorTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private static func charge(_ server: TestServer) -> HTTPRequest {
        HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: Array("amount=1".utf8))
    }

    private static var thread: UInt { UInt(pthread_self()) }

    @Test func anExchangeChangesNoThread() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = Self.charge(server)
        let threads = try await Task(executorPreference: transport.executor) {
            var threads: Set<UInt> = [Self.thread]
            for _ in 0..<50 {
                let status = try await transport.send(request).status
                #expect(status == 200)
                threads.insert(Self.thread)
            }
            return threads
        }.value
        #expect(threads.count == 1)
        await transport.close()
    }

    /// One answer that is long in coming keeps neither the other tasks of the thread from running nor their requests.
    @Test func oneThatWaitsHoldsNobodyUp() async throws {
        let open = DispatchSemaphore(value: 0)
        let server = try TestServer { connection in
            while let request = try connection.readRequest() {
                if request.line.contains("/slow") { open.wait() }
                try connection.write(Self.ok)
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = Self.charge(server)
        var slow = request
        slow.target = "/slow"
        let waiting = Task(executorPreference: transport.executor) { [slow] in try await transport.send(slow).status }
        let fast = Task(executorPreference: transport.executor) {
            var statuses: Set<Int> = []
            for _ in 0..<10 { statuses.insert(try await transport.send(request).status) }
            return statuses
        }
        #expect(try await fast.value == [200])
        open.signal()
        #expect(try await waiting.value == 200)
        await transport.close()
    }

    @Test func whatIsCancelledOnTheThreadSaysTheTruth() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = Self.charge(server)
        var unsent: Set<String> = []
        for number in 0..<100 {
            request.target = "/charge/\(number)"
            let task = Task(executorPreference: transport.executor) { [request] in try await transport.send(request) }
            for _ in 0..<(number % 20) { await Task.yield() }
            task.cancel()
            do { _ = try await task.value } catch TransportFailure.notSent { unsent.insert(request.target) } catch {
                #expect(error as? TransportFailure == .maybeSent(.cancelled))
            }
        }
        await transport.close()
        let arrived = Set(server.requests.withLock { $0.map { String($0.line.split(separator: " ")[1]) } })
        #expect(unsent.isDisjoint(with: arrived))
    }

    /// A task that outlives the thread goes on elsewhere; it is never left behind.
    @Test func tasksOutliveTheThread() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = Self.charge(server)
        let closed = Promise<Bool>()
        let tasks = (0..<20).map { number in
            Task(executorPreference: transport.executor) {
                if number == 0 { await transport.close() }
                _ = await closed.value()
                for _ in 0..<5 { await Task.yield() }
                do { return "\(try await transport.send(request).status)" } catch { return "\(error)" }
            }
        }
        _ = await transport.close()
        closed.fulfill(true)
        for task in tasks { #expect(await task.value == "\(TransportFailure.notSent(.cancelled))") }
        let late = Task(executorPreference: transport.executor) { 1 }
        #expect(await late.value == 1)
    }
}
