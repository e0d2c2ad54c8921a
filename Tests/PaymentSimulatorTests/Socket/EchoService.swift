import PaymentBase
import PaymentSimulator
import PaymentTransport

/// Answers with the method, the target and the body of the request; some targets do something else.
struct EchoService: SimulatorService {
    /// How many have to wait at `/wait` at the same time.
    private let crowd: Int
    private let waiting = Locked(0)
    /// Fulfilled when so many wait there, and what lets them go on.
    let reached = Promise<Bool>()
    let opened = Promise<Bool>()
    /// Fulfilled when a request at `/silent` was given up.
    let abandoned = Promise<Bool>()

    init(crowd: Int = 1) { self.crowd = crowd }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let text = "\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self)
        let response = HTTPResponse(200, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
        switch request.target {
        case "/wait":
            let count = waiting.withLock { waiting in
                waiting += 1
                return waiting
            }
            if count == crowd { reached.fulfill(true) }
            _ = await opened.value()
        case "/silent":
            reached.fulfill(true)
            let gone = Promise<Bool>()
            _ = await withTaskCancellationHandler {
                await gone.value()
            } onCancel: {
                gone.fulfill(true)
            }
            abandoned.fulfill(true)
            return .noReply
        case "/large": return .reply(HTTPResponse(200, body: [UInt8](repeating: 120, count: 4_000_000)))
        case "/reset": return .cutAfter
        case "/closed": return .closed
        case "/torn-head": return .truncatedHead(response)
        case "/torn-body": return .truncatedBody(response)
        case "/dripped": return .slow(response, milliseconds: 80)
        case "/dripped-for-an-hour":
            reached.fulfill(true)
            return .slow(response, milliseconds: 3_600_000)
        case "/socket":
            return .upgrade { socket in
                try? await socket.send("hello")
                while let message = try? await socket.receive(), case .text(let text) = message {
                    if text == "bye" { break }
                    try? await socket.send(text)
                }
                await socket.close()
            }
        default: break
        }
        return .reply(response)
    }
}
