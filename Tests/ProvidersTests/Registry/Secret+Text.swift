import PaymentBase

extension String {
    /// The text as a secret.
    var secret: Secret { Secret(self) }
}
