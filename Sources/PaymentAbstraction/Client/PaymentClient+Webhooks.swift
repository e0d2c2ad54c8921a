internal import PaymentBase

extension PaymentClient {
    /// Takes a webhook: verified or refused; a verdict decides, a hint causes a lookup, duplicates do no harm.
    ///
    /// - Returns: What it said, also about payments that are not ours.
    @discardableResult
    public func receive(
        _ body: [UInt8], headers: [String: String] = [:], from id: ProviderID
    ) async throws(PaymentError) -> [ProviderNotice] {
        let provider = try open(id)
        guard let driver = provider.webhooks else { throw unsupported("webhooks", provider) }
        let message = WebhookMessage(headers: headers, body: body, at: services.clock.now)
        let notices: [ProviderNotice]
        do { notices = try driver.notices(in: message) } catch {
            throw PaymentError(wrapping: error, .nothingMoved, nil, driver)
        }
        var failure: PaymentError?
        for notice in notices {
            // One bad item must not keep the others from being heard.
            do { try await hear(notice, provider) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        return notices
    }

    private func hear(_ notice: ProviderNotice, _ provider: OpenProvider) async throws(PaymentError) {
        guard let record = try await find(notice, provider) else {
            services.events.emit(
                .webhook, at: services.clock.now, payment: nil, attempt: nil, provider: provider.id,
                attributes: ["kind": notice.kind])
            return
        }
        let attempt = record.intent.attempt
        services.events.emit(
            .webhook, at: services.clock.now, payment: record.intent.paymentID, attempt: attempt,
            provider: provider.id, attributes: ["kind": notice.kind])
        let run = running.withLock { $0[attempt] }
        var held = record
        if let verdict = notice.verdict {
            let recovery = Recovery(provider: provider, services: services)
            held = try await recovery.apply(.found(verdict), to: record, by: .webhook, at: notice.at)
        } else if run == nil, record.mayTurn {
            let recovery = Recovery(provider: provider, services: services)
            held = try await recovery.look(attempt, isHinted: true)
        } else if run == nil {
            held = try await recover(attempt)
        }
        if let run {
            let result = held.verdict?.isFinal == true ? try await services.result(held) : nil
            run.news(result)
        } else if held.state != record.state {
            await tell(held)
        }
    }

    private func find(
        _ notice: ProviderNotice, _ provider: OpenProvider
    ) async throws(PaymentError) -> AttemptRecord? {
        switch notice.subject {
        case .attempt(let attempt):
            let record = try await services.record(attempt)
            guard let record, record.provider == provider.identity else { return nil }
            return notice.operations?.contains(record.intent.operation) ?? true ? record : nil
        case .reference(let value, let operations):
            let holders = try await services.writing(nil) { journal in
                try await journal.records(.holding(provider.identity, [value]))
            }
            let fitting = holders.filter { operations.contains($0.intent.operation) }
            return fitting.count == 1 ? fitting.first : nil
        }
    }
}
