public import PaymentBase

/// The hardware that reads cards. Adapters never see it; the client hands its reads to them.
///
/// A reader may live on the main actor. Its class is then `@MainActor`, and each witness repeats the attribute, so
/// that it is clear at the declaration on which actor it runs:
///
/// ```swift
/// @MainActor final class PhoneReader: CardReader {
///     @MainActor func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
///     @MainActor func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { self.sink = sink }
///     @MainActor func prepare(token: Secret) async throws { … }
///     @MainActor func read(_ request: CardReadRequest) async throws -> CardReadResult { … }
///     @MainActor func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult { … }
///     @MainActor func cancel() async throws -> CancelResult { … }
/// }
/// ```
public protocol CardReader: Sendable {
    /// Checks what the device has and what is needed.
    func compatibility() async -> ReaderCompatibility
    /// Hands every event to `sink` from now on; called once, before anything else.
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async
    /// Gets ready with the provider's token; may be called again at any time and reports progress as events.
    func prepare(token: Secret) async throws
    /// Waits for a card; honours cancellation of the task.
    func read(_ request: CardReadRequest) async throws -> CardReadResult
    /// Captures the PIN for a card that was read a moment ago.
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult
    /// Ends the wait for a card, if it is not too late.
    func cancel() async throws -> CancelResult
}
