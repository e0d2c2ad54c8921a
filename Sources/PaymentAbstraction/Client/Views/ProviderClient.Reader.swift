internal import PaymentBase

extension ProviderClient {
    /// A provider's reader: whether the device will do, getting it ready, cancelling, and the application's own coming
    /// and going.
    public struct Reader: Sendable {
        private let readerQueue: ReaderQueue
        private let context: ReaderContext

        init?(_ provider: ProviderRuntime, _ services: Services) {
            guard let readerQueue = provider.readerQueue else { return nil }
            self.readerQueue = readerQueue
            context = ReaderContext(provider: provider, services: services)
        }

        /// Whether a card could be read at once.
        public var isReady: Bool { readerQueue.isReady }

        /// What the device has and what the provider needs.
        public func compatibility() async throws(PaymentError) -> ReaderCompatibility {
            do { return try await readerQueue.driver.compatibility(context) } catch {
                throw readerQueue.driver.wrapped(error)
            }
        }

        /// How far the device is on its way to taking cards.
        public func activation() async throws(PaymentError) -> ActivationStatus {
            do { return try await readerQueue.driver.activation(context) } catch {
                throw readerQueue.driver.wrapped(error)
            }
        }

        /// Registers the device, has the terms accepted and links it.
        public func activate() async throws(PaymentError) {
            do { try await readerQueue.driver.activate(context) } catch { throw readerQueue.driver.wrapped(error) }
        }

        /// Gets the reader ready; may be called again at any time, and callers share one preparation.
        ///
        /// - Parameter progress: Hears how far the reader's own update is, 1 to 100.
        public func prepare(_ progress: (@Sendable (Int) -> Void)? = nil) async throws(PaymentError) {
            try await readerQueue.listening({ event in
                if case .updateProgress(let percent) = event { progress?(percent) }
            }) { () async throws(PaymentError) in
                try await readerQueue.prepare(context)
            }
        }

        /// Ends the wait for a card, if it is not too late; says what became of it.
        @discardableResult
        public func cancel() async throws(PaymentError) -> CancelResult { try await readerQueue.cancel(context) }

        /// Shows the screen that teaches how to take a card.
        ///
        /// - Throws: `unsupported`, nothing moved, when the reader has none.
        public func showEducation() async throws(PaymentError) {
            guard let reader = context.services.reader as? any MerchantEducationReader else {
                throw PaymentError(
                    .unsupported, outcome: .notExecuted,
                    detail: "this reader has no screen that teaches; not available")
            }
            do { try await reader.showEducation() } catch { throw readerQueue.driver.wrapped(error) }
            readerQueue.tell(.educationShown, context.services)
        }

        /// The application came to the front.
        public func appDidBecomeActive() async { await readerQueue.lifecycle(.becameActive, context) }

        /// The application left the front; a read that is under way ends.
        public func appDidEnterBackground() async { await readerQueue.lifecycle(.enteredBackground, context) }
    }
}
