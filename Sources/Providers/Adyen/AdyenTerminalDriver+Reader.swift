public import PaymentAbstraction
internal import PaymentBase

extension AdyenTerminalDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        let answer = try await diagnosis(context)
        let status = answer.body.member("POIStatus")
        func check(_ kind: ReaderCompatibility.Check.Kind, _ name: String) -> ReaderCompatibility.Check? {
            status?.member(name)?.truth.map {
                ReaderCompatibility.Check(kind, passed: $0, found: $0 ? "works" : "does not work", required: "works")
            }
        }
        let word = status?.member("GlobalStatus")?.text ?? "unknown"
        let isReachable = word == "OK" || word == "Busy"
        return ReaderCompatibility(
            [ReaderCompatibility.Check(.connection, passed: isReachable, found: word, required: "OK or Busy")]
                + [
                    check(.integrity, "SecurityOKFlag"), check(.init(rawValue: "pinPad"), "PEDOKFlag"),
                    check(.init(rawValue: "cardReader"), "CardReaderOKFlag"),
                    check(.init(rawValue: "host"), "CommunicationOKFlag"),
                ].compactMap { $0 })
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let word = try await diagnosis(context).body.member("POIStatus", "GlobalStatus")?.text ?? ""
        switch word {
        case "OK", "Busy": return ActivationStatus(.active, raw: word)
        default: return ActivationStatus(.inactive, raw: word)
        }
    }

    public func prepare(_ context: ReaderContext) async throws {
        let answer = try await diagnosis(context)
        let word = answer.body.member("POIStatus", "GlobalStatus")?.text ?? ""
        guard word == "OK" || word == "Busy" else {
            throw PaymentError(
                .readerUnavailable, outcome: .notExecuted, provider: ProviderMessage(code: word),
                detail: "the terminal says that it can't take payments now")
        }
    }

    /// Ends the payment that the terminal works on; only the payment's own end says whether it was in time.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        guard let (running, isCancelled) = core.slot.running else { return .nothingToCancel }
        try await context.exchange { _ in
            let header = try await core.header(.abort, context.number(), at: context.now)
            _ = try await core.link.send(header, ServiceRequests.abort(running), core.configuration.apiKey)
        }
        guard core.configuration.link == .cloudAsync else { return await isCancelled.value() ? .cancelled : .tooLate }
        let lookup = context.lookups
        guard case .answered(let reply) = try await fate(of: running, lookup),
            AdyenDeclineCodes.cancellations[reply.response.condition] != nil
        else { return .tooLate }
        return .cancelled
    }

    private func diagnosis(_ context: ReaderContext) async throws -> NexoMessage {
        try await context.exchange { _ in
            let header = try await core.header(.diagnosis, context.number(), at: context.now)
            let body = ServiceRequests.diagnosis(host: false)
            guard let answer = try await core.link.send(header, body, core.configuration.apiKey),
                let response = answer.response
            else { throw AdyenFailure.unreadable("the terminal does not say how it is") }
            if response.result != "Success" { throw AdyenFailure.refused(response) }
            return answer
        }
    }
}
