public import PaymentAbstraction
public import PaymentBase

/// The customer has to do something elsewhere: on another provider's page, or with a code that is shown.
///
/// The answer says whether that was done, as far as the application knows; then the payment is asked for again, which
/// alone says what became of it.
public struct EcommpayCustomerStep: Question {
    /// Something to show, such as the text of a code.
    public struct Code: Hashable, Sendable {
        /// The provider's word for what it is, such as `qr_data`.
        public let kind: String
        /// Its title for people.
        public let title: String?
        /// What is shown, or made a picture of.
        public let data: String
    }

    /// What there is to do.
    public enum Step: Hashable, Sendable {
        /// Goes to a page, by a method and with fields.
        case page(method: String, address: String, fields: [String: String])
        /// Reads or scans what is shown.
        case codes([Code])
    }

    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(30 * 60)
    /// What there is to do.
    public let step: Step

    init(_ step: Step) { self.step = step }
}

extension EcommpayCustomerStep: RedactedDescription {
    /// The kind of step alone: addresses and codes carry what lets somebody pay.
    public var description: String {
        switch step {
        case .page(let method, _, _): "EcommpayStep(page, \(method))"
        case .codes(let codes): "EcommpayStep(codes: \(codes.map(\.kind).joined(separator: ", ")))"
        }
    }
}
