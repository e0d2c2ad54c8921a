extension AdyenBackend: NotifyingProvider {
    public func takeNews() -> [SandboxNews] { takeWebhooks().map { SandboxNews(body: $0) } }
}
