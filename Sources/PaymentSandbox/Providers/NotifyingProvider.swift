/// A provider that tells what became of something by messages of its own, such as webhooks.
public protocol NotifyingProvider: SimulatedProvider {
    /// The messages that were not taken yet, oldest first; each is given once.
    func takeNews() -> [SandboxNews]
}
