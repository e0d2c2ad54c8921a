extension AdyenBackend: NewsCompany {
    public func takeNews() -> [SandboxNews] { takeWebhooks().map { SandboxNews(body: $0) } }
}
