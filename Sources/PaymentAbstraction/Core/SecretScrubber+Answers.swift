internal import PaymentBase
internal import PaymentDriverKit

/// What a provider answers to questions that move nothing, without our own secrets.
extension SecretScrubber {
    func callAsFunction(_ page: PaymentDetailsPage) -> PaymentDetailsPage {
        PaymentDetailsPage(page.items.map { self($0) }, next: page.next, total: page.total)
    }

    func callAsFunction(_ details: PaymentDetails) -> PaymentDetails {
        var copy = PaymentDetails(short(details.state), references: self(details.references))
        (copy.at, copy.kind, copy.isSettled) = (details.at, details.kind.map { short($0) }, details.isSettled)
        (copy.amount, copy.captured, copy.refunded) = (details.amount, details.captured, details.refunded)
        (copy.breakdown, copy.customer) = (details.breakdown, details.customer)
        copy.operations = details.operations.map { item in
            var operation = PaymentDetails.AvailableOperation(short(item.name), item.operation, amount: item.amount)
            operation.suggestedTips = item.suggestedTips
            return operation
        }
        (copy.captures, copy.refunds) = (details.captures.map { self($0) }, details.refunds.map { self($0) })
        (copy.batch, copy.source) = (compared(details.batch), details.source.map { short($0) })
        (copy.device, copy.card) = (details.device.flatMap { self($0) }, details.card.map { self($0) })
        (copy.receipt, copy.reference) = (details.receipt.map { self($0) }, compared(details.reference))
        // Names of other transactions are among these.
        copy.additional = details.additional.filter { !isSecret($0.value) && !isSecret($0.key) }
        return copy
    }

    /// A text that is compared with another one: whole or not at all.
    private func compared(_ text: String?) -> String? {
        text.flatMap { isSecret($0) || Masking.findsCardNumber(in: $0) ? nil : $0 }
    }

    private func callAsFunction(_ movement: PaymentDetails.Movement) -> PaymentDetails.Movement {
        let name = isSecret(movement.reference) ? "" : movement.reference
        var copy = PaymentDetails.Movement(name, movement.amount, state: short(movement.state))
        (copy.at, copy.followUp) = (movement.at, movement.followUp.map { short($0) })
        return copy
    }

    /// A device whose name for the provider is one of our secrets is none.
    func callAsFunction(_ device: DeviceSummary) -> DeviceSummary? {
        guard !isSecret(device.id) else { return nil }
        var copy = device
        (copy.name, copy.state) = (device.name.map { short($0) }, device.state.map { short($0) })
        copy.terminalID = device.terminalID.flatMap { isSecret($0) ? nil : $0 }
        return copy
    }

    func callAsFunction(_ settings: MerchantSettings) -> MerchantSettings {
        var copy = settings
        (copy.company, copy.pricing) = (settings.company.map { short($0) }, settings.pricing.map { short($0) })
        copy.addressCheck = settings.addressCheck.map { short($0) }
        copy.currencies = settings.currencies.map { short($0) }
        copy.cardTypes = settings.cardTypes.map { short($0) }
        copy.transactionTypes = settings.transactionTypes.map { short($0) }
        copy.tipPercents = settings.tipPercents.map { short($0) }
        copy.processors = settings.processors.filter { !isSecret($0) }
        copy.rates = settings.rates.filter { !isSecret($0.key) }.mapValues { short($0) }
        copy.additional = settings.additional.filter { !isSecret($0.key) }.mapValues { short($0) }
        return copy
    }
}

/// What a provider asks on the way, without our own secrets.
extension SecretScrubber {
    /// The most fields that are asked for at once, and the longest address of a page.
    static let (fieldsMax, addressBytesMax) = (256, 8_192)

    /// A question as it may be shown; nil where it can't be asked without what must not be shown, or leads nowhere that a browser
    /// goes.
    func callAsFunction<Asked: Question>(_ question: Asked) -> Asked? {
        let shown: (any Question)? =
            switch question {
            case let link as PaymentLink: isPage(link.address) ? link : nil
            case let step as ThreeDSecureChallenge: isChallenge(step) ? step : nil
            case let asked as RequestedFields: RequestedFields(self(asked.fields))
            case let consent as CascadeConsent: CascadeConsent(last: self(consent.last))
            case let retry as RetryPrompt:
                if case .declined(let decline) = self(.declined(retry.decline)) {
                    RetryPrompt(after: decline)
                } else {
                    nil
                }
            default: question
            }
        return shown as? Asked
    }

    private func isChallenge(_ step: ThreeDSecureChallenge) -> Bool {
        // A phone's kit may have built the page itself.
        let isBuilt = step.address == "about:blank" && step.fields["content"] != nil
        let texts = step.fields.flatMap { [$0.key, $0.value] } + [step.returnAddress ?? ""]
        return (isBuilt || isPage(step.address)) && !texts.contains { isSecret($0) }
    }

    /// Whether a browser goes there, and no secret goes with it.
    private func isPage(_ address: String) -> Bool {
        let isWeb = ["https://", "http://"].contains { address.lowercased().hasPrefix($0) }
        guard isWeb, address.utf8.count <= Self.addressBytesMax,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return false }
        let host = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
            .prefix { !"/?#\\".contains($0) }
        return !host.isEmpty && !host.contains("@") && !isSecret(address)
    }

    private func callAsFunction(_ fields: [RequestedFields.Field]) -> [RequestedFields.Field] {
        fields.prefix(Self.fieldsMax).compactMap { field in
            guard field.name.utf8.count <= Self.shortMax, !isSecret(field.name) else { return nil }
            var copy = field
            (copy.label, copy.hint) = (field.label.map { short($0) }, field.hint.map { short($0, Self.lineMax) })
            (copy.type, copy.pattern) = (field.type.map { short($0) }, field.pattern.map { self($0) })
            copy.options = field.options.prefix(Self.fieldsMax).filter {
                !isSecret($0) && $0.utf8.count <= Self.shortMax
            }
            return copy
        }
    }
}
