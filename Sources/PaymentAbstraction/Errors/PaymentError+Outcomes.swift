extension PaymentError {
    /// An error of which it is proven that no money moved.
    public static func notExecuted(_ code: Code, _ detail: String) -> PaymentError {
        PaymentError(code, outcome: .notExecuted, detail: detail)
    }

    /// An error after which nobody knows yet whether money moved.
    public static func unknown(_ code: Code, _ detail: String) -> PaymentError {
        PaymentError(code, outcome: .unknown, detail: detail)
    }
}
