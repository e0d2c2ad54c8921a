internal import PaymentAbstraction

/// An error of a payment with what a command knows beyond it: the status and the command to type next, where they don't
/// follow from the error.
struct AdvisedError: Error {
    let error: PaymentError
    var status: ExitStatus?
    /// The command to type next.
    var next: String?
    /// The command that asks for the very same again.
    var again: String?

    init(_ error: PaymentError, status: ExitStatus? = nil, next: String? = nil, again: String? = nil) {
        (self.error, self.status, self.next, self.again) = (error, status, next, again)
    }
}
