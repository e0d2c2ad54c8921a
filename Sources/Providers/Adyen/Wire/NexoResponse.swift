internal import PaymentBase

/// The block that says how a request ended.
struct NexoResponse: Sendable {
    /// `Success`, `Failure` or `Partial`; anything else proves nothing.
    let result: String
    /// Why it failed.
    let condition: String
    /// What the payment service adds.
    let additional: AdditionalResponse

    /// Reads a block; nil when it says nothing about success.
    init?(_ json: JSON?) {
        guard let result = json?.member("Result")?.text else { return nil }
        // However it is written, it is the same word.
        self.result = Self.words.first { $0.lowercased() == result.lowercased() } ?? result
        condition = json?.member("ErrorCondition")?.text ?? ""
        additional = AdditionalResponse(json?.member("AdditionalResponse"))
    }

    private static let words = ["Success", "Failure", "Partial"]

    /// What was said in words, as far as it was.
    var message: String { additional["refusalReason"] ?? additional["message"] ?? "" }
}
