public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension AdyenTerminalDriver {
    /// Reads a webhook's items, each with its own proof; a terminal's own event is a hint to ask.
    ///
    /// One bad item does not poison the others; a message without a single good one is refused. Items with one signed
    /// content are one item, whatever their other members say.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        guard let body = try? JSONReader().read(message.body) else {
            throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read")
        }
        guard let items = NotificationItem.items(body) else { return try AdyenNotices.hints(body) }
        guard items.count <= Self.webhookItemsMax else {
            throw PaymentError.notExecuted(
                .unreadableReply, "the webhook has \(items.count) items; at most \(Self.webhookItemsMax) are read")
        }
        let proven = items.compactMap { NotificationItem($0) }.filter { isProven($0) }
        let good = proven.filter { $0.merchantAccount == core.configuration.merchant }
        guard !good.isEmpty else { throw Self.notOurs(proven, core.configuration.merchant) }
        var seen: Set<String> = []
        return try good.flatMap { item in
            let id = Hex.encode(try core.crypto.digest(.sha256, Array(item.signedText.utf8)))
            guard seen.insert(id).inserted else { return [ProviderNotice]() }
            return AdyenNotices.notices(item, at: message.at, canAsk: core.kit == nil).map { notice in
                var notice = notice
                notice.id = id
                return notice
            }
        }
    }

    /// How many items of one webhook are read; the provider sends one.
    static var webhookItemsMax: Int { 100 }

    private func isProven(_ item: NotificationItem) -> Bool {
        guard let signature = item.signature, !item.isAmbiguous else { return false }
        return AdyenSigning.isGenuine(
            Array(item.signedText.utf8), signature, core.configuration.webhookKeys, core.crypto)
    }

    /// Why nothing of a webhook counts: nothing proves it, or what is proven is another account's.
    private static func notOurs(_ proven: [NotificationItem], _ merchant: String) -> PaymentError {
        guard let other = proven.first?.merchantAccount else {
            return .notExecuted(.signatureInvalid, "no item of the webhook carries a proof that fits our keys")
        }
        let isName =
            other.utf8.count <= 80 && other.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let account = isName ? other : "another"
        return .notExecuted(
            .signatureInvalid, "the proof fits, and the account is \(account), where ours is \(merchant)")
    }
}
