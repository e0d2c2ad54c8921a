package import PaymentModel

/// A fixture at which more happens than the suite plays: what lines, customers and persons do around a payment.
///
/// No part of the neutral API brings any of it about. Each is left out where nothing there does so.
package protocol TroubledFixture: ConformanceFixture {
    /// What takes cards does not reach the issuers and approves on its own, or reaches them again; false where it never does.
    func cutOff(_ isCutOff: Bool) -> Bool
    /// The issuer refuses the next card, and its holder presents another one in the same call; false where that ends the call.
    func refuseFirstCard() -> Bool
    /// The provider says of its sales that they were captured.
    func announceCaptures()
    /// A person refunds a payment at the provider's own pages, which give that none of our names; without an amount, all
    /// that is left. The label is for the books alone. False where that is not possible.
    func refundByHand(_ payment: AttemptID, of minorUnits: Int64?, label: String) -> Bool
    /// The same with an account on which others work, too.
    func sharingItsAccount() -> Self
}

extension TroubledFixture {
    /// A provider that decides every payment itself.
    package func cutOff(_ isCutOff: Bool) -> Bool { false }

    /// A provider at which a refused card ends the call.
    package func refuseFirstCard() -> Bool { false }

    /// A provider that says nothing of the kind.
    package func announceCaptures() {}

    /// A provider whose pages give each refund one of our names.
    package func refundByHand(_ payment: AttemptID, of minorUnits: Int64?, label: String) -> Bool { false }

    /// A provider whose accounts others work on, too.
    package func sharingItsAccount() -> Self { self }
}
