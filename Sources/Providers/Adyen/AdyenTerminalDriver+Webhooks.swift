public import PaymentAbstraction
internal import PaymentBase

extension AdyenTerminalDriver {
    /// Reads a webhook's items, each with its own proof; a terminal's own event is a hint to ask.
    ///
    /// One bad item does not poison the others; a message without a single good one is refused.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        guard let body = try? JSONReader().read(message.body) else {
            throw PaymentError.nothingMoved(.unreadableReply, "the webhook could not be read")
        }
        guard let items = NotificationItem.items(body) else { return try AdyenNotices.hints(body, at: message.at) }
        let proven = items.compactMap { NotificationItem($0) }.filter { isProven($0) }
        let good = proven.filter { $0.merchantAccount == core.configuration.merchant }
        guard !good.isEmpty else { throw Self.notOurs(proven, core.configuration.merchant) }
        return good.flatMap { AdyenNotices.notices($0, at: message.at, canAsk: core.kit == nil) }
    }

    private func isProven(_ item: NotificationItem) -> Bool {
        guard let signature = item.signature else { return false }
        return AdyenSigning.isGenuine(
            Array(item.signedText.utf8), signature, core.configuration.webhookKeys, core.crypto)
    }

    /// Why nothing of a webhook counts: nothing proves it, or what is proven is another account's.
    private static func notOurs(_ proven: [NotificationItem], _ merchant: String) -> PaymentError {
        guard let other = proven.first?.merchantAccount else {
            return .nothingMoved(.notVerified, "no item of the webhook carries a proof that fits our keys")
        }
        let isName =
            other.utf8.count <= 80 && other.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let account = isName ? other : "another"
        return .nothingMoved(
            .notVerified, "the proof fits, and the account is \(account), where ours is \(merchant)")
    }
}
