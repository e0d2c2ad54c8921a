extension SecretScrubber {
    /// What was seen, without our own secrets.
    func callAsFunction(_ sighting: LookupResult) -> LookupResult {
        switch sighting {
        case .found(let verdict): .found(self(verdict))
        case .repeated(let approval):
            if case .approved(let scrubbed) = self(.approved(approval)) { .repeated(scrubbed) } else { sighting }
        case .changed(let verdict): .changed(self(verdict))
        case .candidates(let seen):
            .candidates(seen.map { LookupResult.Candidate($0.name, self($0.verdict), at: $0.at) })
        case .notFound, .cannotTell: sighting
        }
    }

    /// What a verdict brings, without our own secrets.
    func callAsFunction(_ verdict: Verdict) -> Verdict {
        switch verdict {
        case .approved(var approval):
            approval.references = self(approval.references)
            approval.receipt = approval.receipt.map { self($0) }
            approval.card = approval.card.map { self($0) }
            approval.saved = approval.saved.flatMap { self($0) }
            return .approved(approval)
        case .declined(let decline):
            var copy = Decline(
                Decline.Reason(rawValue: self(decline.reason.rawValue)),
                provider: self(decline.provider) ?? decline.provider, references: self(decline.references))
            copy.card = decline.card.map { self($0) }
            copy.receipt = decline.receipt.map { self($0) }
            return .declined(copy)
        case .cancelled(let cancellation):
            return .cancelled(
                Cancellation(
                    cause: cancellation.cause, provider: self(cancellation.provider),
                    references: self(cancellation.references), wasReversed: cancellation.wasReversed))
        case .pending(let pending):
            return .pending(
                Pending(
                    references: self(pending.references), provider: self(pending.provider),
                    shouldPoll: pending.shouldPoll))
        }
    }

    private func callAsFunction(_ card: CardSummary) -> CardSummary {
        var copy = card
        (copy.brand, copy.entry, copy.expiry) = (self(card.brand), self(card.entry), self(card.expiry))
        (copy.funding, copy.issuerCountry) = (self(card.funding), self(card.issuerCountry))
        return copy
    }

    /// An instrument whose name is one of our secrets is not kept: it is no name then.
    private func callAsFunction(_ saved: SavedInstrument) -> SavedInstrument? {
        guard !isSecret(saved.id.rawValue) else { return nil }
        var copy = saved
        copy.card = saved.card.map { self($0) }
        return copy
    }

    private func callAsFunction(_ receipt: Receipt) -> Receipt {
        var copy = Receipt()
        copy.authorizationCode = self(receipt.authorizationCode)
        copy.responseCode = self(receipt.responseCode)
        copy.responseText = self(receipt.responseText).map { Masking.cardNumbers(in: $0) }
        copy.retrievalReference = self(receipt.retrievalReference)
        (copy.at, copy.signatureRequired) = (receipt.at, receipt.signatureRequired)
        copy.verification = self(receipt.verification)
        copy.add(receipt.tags.map { Receipt.EMVTag($0.tag, self($0.value)) })
        (copy.merchant, copy.breakdown) = (receipt.merchant, receipt.breakdown)
        if let check = receipt.addressCheck {
            copy.addressCheck = Receipt.AddressCheck(
                code: self(check.code), action: self(check.action), result: self(check.result))
        }
        copy.lines = receipt.lines.map { line in
            Receipt.Line(
                line.copy, Masking.cardNumbers(in: self(line.label)),
                value: self(line.value).map { Masking.cardNumbers(in: $0) }, key: line.key, isBold: line.isBold)
        }
        return copy
    }
}
