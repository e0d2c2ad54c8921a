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
        let good = items.compactMap { NotificationItem($0) }.filter { isGenuine($0) }
        guard !good.isEmpty else {
            throw PaymentError.nothingMoved(.notVerified, "no item of the webhook carries a proof that fits our keys")
        }
        return good.flatMap { AdyenNotices.notices($0, at: message.at, canAsk: core.kit == nil) }
    }

    private func isGenuine(_ item: NotificationItem) -> Bool {
        guard item.merchantAccount == core.configuration.merchant, let signature = item.signature else { return false }
        return AdyenSigning.isGenuine(
            Array(item.signedText.utf8), signature, core.configuration.webhookKeys, core.crypto)
    }
}
