public import PaymentProviderKit

/// Signs and verifies a message on request, as `payctl` does: each item by eight of its values, any other message by its bytes.
public struct AdyenSignatures: SignatureScheme {
    /// Makes one.
    public init() {}

    public func sign(_ message: [UInt8], secret: Secret, crypto: any Crypto) throws(PaymentError) -> String {
        let items = items(message)
        guard items?.count ?? 1 == 1 else { throw Self.failed("each item has a signature of its own: give one item") }
        let signed = items?.first.map { Array($0.signedText.utf8) } ?? message
        guard let signature = AdyenHMAC.signature(signed, secret, crypto) else {
            throw Self.failed("the key is no hexadecimal text, or there is no cryptography")
        }
        return Base64.standard.encode(signature)
    }

    public func verifies(
        _ message: [UInt8], signature: String?, secret: Secret, crypto: any Crypto
    ) throws(PaymentError) -> Bool {
        let items = items(message) ?? []
        guard !items.contains(where: \.isAmbiguous) else {
            throw Self.failed(
                "a signed value has a colon, so that the same signature fits other values; none of them is believed")
        }
        if let signature {
            let signed = items.isEmpty ? [message] : items.map { Array($0.signedText.utf8) }
            return signed.allSatisfy { AdyenHMAC.isGenuine($0, signature, [secret], crypto) }
        }
        guard !items.isEmpty, items.allSatisfy({ $0.signature != nil }) else {
            throw Self.failed("there is no item with additionalData.hmacSignature inside")
        }
        return items.allSatisfy { item in
            AdyenHMAC.isGenuine(Array(item.signedText.utf8), item.signature ?? "", [secret], crypto)
        }
    }

    /// The items of a webhook, or the one item that is alone; nil for anything else.
    private func items(_ message: [UInt8]) -> [NotificationItem]? {
        guard let json = try? JSONReader().read(message) else { return nil }
        let items = (NotificationItem.items(json) ?? [json]).compactMap { NotificationItem($0) }
        return items.isEmpty ? nil : items
    }

    private static func failed(_ what: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, what)
    }
}
