public import PaymentAbstraction

extension PaymentError {
    /// A word for an outcome that no table lists: it proves nothing.
    public static func unmapped(_ word: String) -> PaymentError {
        PaymentError(
            .unreadableReply, outcome: .unknown, provider: ProviderMessage(code: word),
            detail: "the word does not say what happened")
    }
}
