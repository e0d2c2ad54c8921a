internal import PaymentBase

/// A session that was opened.
struct EcommpayOpening: Sendable {
    let session: Secret
    /// Whether there is a payment of this name already, which is not final.
    let isRestored: Bool

    init?(_ json: JSON?) {
        guard json?["status"]?.string == "success", let session = json?["sid"]?.string, !session.isEmpty else {
            return nil
        }
        self.session = Secret(session)
        isRestored = json?["payment"]?.object != nil
    }
}
