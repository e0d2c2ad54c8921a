internal import PaymentTransport

/// Connections that became WebSockets.
extension ServerCore {
    func upgrade(
        _ connection: ServerConnection, _ request: HTTPRequest,
        _ handle: @escaping @Sendable (any WebSocketConnection) async -> Void
    ) {
        guard let agreement = SocketHandshake.agreement(to: request) else { return refuse(connection, 426) }
        let socket = ServerWebSocket(self, connection.number)
        connection.send(agreement)
        connection.phase = .socket
        connection.socket = socket
        var frames = SocketFrameReader(messageBytesMax: limits.messageBytesMax)
        frames.feed(connection.parser.takeRest()[...])
        connection.frames = frames
        connection.deadline = .max
        let number = connection.number
        connection.task = Task(executorPreference: loop) {
            await handle(socket)
            await self.endSocket(number)
        }
    }

    func hear(_ connection: ServerConnection) {
        do throws(SocketFrameReader.Violation) {
            while let event = try connection.frames?.next() {
                switch event {
                case .message(let message):
                    if connection.socket?.deliver(message) == false { throw .init(code: 1_008) }
                // Of several pings the last is answered, when there is room (RFC 6455, section 5.5.3).
                case .ping(let payload): connection.ping = payload
                case .pong: break
                case .close:
                    connection.socket?.finish(.success(nil))
                    return finish(connection, 1_000)
                }
            }
        } catch {
            connection.socket?.finish(.failure(.maybeSent(.malformed)))
            return finish(connection, error.code)
        }
        if connection.isEnded { drop(connection) }
    }

    func finish(_ connection: ServerConnection, _ code: UInt16) {
        if let ping = connection.ping {
            connection.ping = nil
            connection.send(SocketFrameReader.frame(.pong, ping))
        }
        connection.send(SocketFrameReader.closeFrame(code))
        connection.phase = .finishing
        connection.deadline = now + limits.writeMilliseconds
    }

    /// Sends a frame; false when the connection is gone or takes nothing.
    func push(_ frame: [UInt8], to number: Int) -> Bool {
        guard let connection = descriptors[number].flatMap({ connections[$0] }), connection.phase == .socket,
            connection.outgoingByteCount + frame.count <= limits.outgoingBytesMax
        else { return false }
        connection.send(frame)
        connection.deadline = now + limits.writeMilliseconds
        settle(connection)
        return descriptors[number] != nil
    }

    /// Says goodbye.
    func endSocket(_ number: Int) {
        guard let connection = descriptors[number].flatMap({ connections[$0] }), connection.phase == .socket else {
            return
        }
        connection.socket?.finish(.success(nil))
        finish(connection, 1_000)
        settle(connection)
    }
}
