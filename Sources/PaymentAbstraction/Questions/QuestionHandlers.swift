/// The application's handlers, one per kind of question; what is missing is known before a payment starts.
public struct QuestionHandlers: Sendable {
    private typealias Handler<Asked: Question> = @Sendable (Asked) async throws -> Asked.Answer

    private var handlers: [ObjectIdentifier: any Sendable] = [:]

    /// Answers nothing.
    public init() {}

    /// Sets the handler for one kind of question; a handler that throws gives no answer.
    public mutating func handle<Asked: Question>(
        _ kind: Asked.Type, with handler: @escaping @Sendable (Asked) async throws -> Asked.Answer
    ) {
        handlers[ObjectIdentifier(kind)] = handler as Handler<Asked>
    }

    /// Whether there is a handler.
    public func hasHandler<Asked: Question>(for kind: Asked.Type) -> Bool { handlers[ObjectIdentifier(kind)] != nil }

    func handler<Asked: Question>(for kind: Asked.Type) -> (@Sendable (Asked) async throws -> Asked.Answer)? {
        handlers[ObjectIdentifier(kind)] as? Handler<Asked>
    }
}
