internal import PaymentAbstraction
internal import PaymentBase

extension CheckContext {
    /// Proves that what is not declared is refused clearly, before anything is sent; gives the reason to report.
    func proveAbsence(of capability: String) async throws -> NotApplicable {
        let isProven = try await isRefused(capability)
        let how = isProven ? "refused as unsupported, nothing sent" : "nothing to call"
        return NotApplicable("\(capability) is not declared: \(how)")
    }

    private func isRefused(_ capability: String) async throws -> Bool {
        if capability.hasPrefix("source.") { return try await isSourceRefused(String(capability.dropFirst(7))) }
        if capability.hasPrefix("request.") { return try await isFeatureRefused(String(capability.dropFirst(8))) }
        let card = Self.sample(.card), amount = try scripted().amount
        switch capability {
        case "sale":
            try await expectUnsupported("a sale") { _ = try await client.sale(amount, from: card, reference: "o") }
        case "authorize":
            try await expectUnsupported("an authorisation") {
                _ = try await client.authorize(amount, from: card, reference: "o")
            }
        case "refund.unlinked":
            let request = UnlinkedRefundRequest(amount, to: card, reference: "o")
            try await expectUnsupported("a refund without an original") {
                _ = try await client.refundUnlinked(request)
            }
        case "verify", "tokenize":
            let request = VerificationRequest(card, in: amount.currency, reference: "o")
            try await expectUnsupported(capability) {
                _ = try await capability == "verify" ? client.verify(request) : client.tokenize(request)
            }
        case "debit":
            let request = CardOnFileRequest(amount, of: .init(rawValue: "none"), reference: "o")
            try await expectUnsupported("a later charge") { _ = try await client.chargeCardOnFile(request) }
        case "webhooks":
            try await expectUnsupported("a webhook") {
                _ = try await client.receiveWebhook([], from: driver.identity.id)
            }
        case "details", "list": return try await isListRefused(capability)
        case "pricing", "settings", "devices", "saved", "offline", "reader", "session": return try isHidden(capability)
        default: return try await isFollowUpRefused(capability)
        }
        return true
    }

    private func isHidden(_ capability: String) throws -> Bool {
        let view = try self.view
        let isThere: [String: Bool] = [
            "pricing": view.pricing != nil, "settings": view.settings != nil, "devices": view.devices != nil,
            "saved": view.savedInstruments != nil, "offline": driver.capabilities.approvesOffline,
            "reader": view.reader != nil,
            "session": view.session != nil,
        ]
        try expect(isThere[capability] == false, "\(capability) is not declared, and there is a view of it")
        return true
    }

    private func isListRefused(_ capability: String) async throws -> Bool {
        guard let transactions = try view.transactions else { return true }
        try await expectUnsupported(capability) {
            if capability == "details" {
                _ = try await transactions.details([:])
            } else {
                _ = try await transactions.list()
            }
        }
        return true
    }

    private func isFollowUpRefused(_ capability: String) async throws -> Bool {
        guard try has("sale") else { return false }
        let payment = try await approvedSale()
        let part = Money(minorUnits: payment.requested.minorUnits / 2, payment.requested.currency)
        switch capability {
        case "void": try await expectUnsupported("a void") { try await client.void(payment.id) }
        case "refund": try await expectUnsupported("a refund") { try await client.refund(payment.id) }
        case "refund.partial": try await expectUnsupported("a part") { try await client.refund(payment.id, of: part) }
        case "adjust": try await expectUnsupported("an adjustment") { try await client.adjust(payment.id, to: part) }
        case "tip.adjust": try await expectUnsupported("a tip") { try await client.adjustTip(payment.id, to: part) }
        case "capture.partial":
            guard try has("authorize") else { return false }
            let held = try await authorized()
            try await expectUnsupported("a part") { try await client.capture(held.id, of: part) }
        default: return false
        }
        return true
    }

    private func isSourceRefused(_ name: String) async throws -> Bool {
        guard let kind = PaymentSource.Kind(rawValue: name), try has("sale") else { return false }
        let amount = try scripted().amount
        try await expectUnsupported("a sale from \(name)") {
            _ = try await client.sale(amount, from: Self.sample(kind), reference: "o")
        }
        return true
    }

    private func isFeatureRefused(_ name: String) async throws -> Bool {
        guard let feature = RequestFeature(rawValue: name), try has("sale") else { return false }
        let scripted = try scripted()
        var request = SaleRequest(scripted.amount, from: scripted.source, reference: "o")
        switch feature {
        case .tip: request.tip = Money(minorUnits: 1, scripted.amount.currency)
        case .customer: request.customer = "c"
        case .contact: request.contact = CustomerContact()
        case .billing: request.billing = PostalAddress()
        case .shipping: request.shipping = PostalAddress()
        case .displayText: request.displayText = "t"
        case .orderNumber: request.orderNumber = "1"
        case .language: request.language = "en"
        case .saveInstrument: request.savesInstrument = true
        case .cardOnFile: request.cardOnFile = CardOnFileTerms(.recurring)
        case .recipient: request.recipient = CustomerContact()
        case .partialApproval: request.acceptsPartialApproval = true
        case .dryRun: request.isDryRun = true
        case .presentation: try request.presentation.showSuccess(for: .seconds(1))
        case .preparedRequest: request.prepared = PreparedRequest([])
        case .quote: return false
        }
        let asked = request
        try await expectUnsupported("a sale with \(name)") { _ = try await client.sale(asked) }
        return true
    }

    /// A source that is well formed, whether or not the provider takes it.
    static func sample(_ kind: PaymentSource.Kind) -> PaymentSource {
        switch kind {
        case .reader: .reader
        case .card:
            (try? KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 40)).map { .card($0) } ?? .reader
        case .external: .external(ExternalCardData(.chip))
        case .wallet: .wallet(WalletToken(.applePay, payload: Secret("sample-wallet")))
        case .saved: .saved(.init(rawValue: "sample"))
        case .token: .token(Secret("sample-token"))
        case .bank: .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .page: .hostedPage
        }
    }
}
