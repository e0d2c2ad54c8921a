public import PaymentBase

extension String {
    /// The text as a secret.
    public var secret: Secret { Secret(self) }
}
