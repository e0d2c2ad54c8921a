/// The provider's names for what it did, by the name of the field; never a secret.
public typealias PaymentReferences = [String: String]
