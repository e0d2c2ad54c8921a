/// What an adapter of a provider with a card reader implements. Applications use ``ProviderClient/Reader``.
///
/// The hardware is behind the context; an adapter only knows what its provider wants of it. Everything but `prepare`
/// has a default for a reader that needs nothing.
public protocol ReaderDriver: PaymentDriver {
    /// What the device has and what this provider needs.
    func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility
    /// How far the device is on its way.
    func activation(_ context: ReaderContext) async throws -> ActivationStatus
    /// Registers the device, has the terms accepted, links it.
    func activate(_ context: ReaderContext) async throws
    /// Gets a reader token and prepares the reader with it.
    func prepare(_ context: ReaderContext) async throws
    /// Ends a wait for a card.
    func cancelReading(_ context: ReaderContext) async throws -> CancelResult
    /// Hears that the application came to the front or left it.
    func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async
}

extension ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        try await context.compatibility()
    }
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        ActivationStatus(.active)
    }
    public func activate(_ context: ReaderContext) async throws {}
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult { try await context.cancelRead() }
    public func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async {}
}
