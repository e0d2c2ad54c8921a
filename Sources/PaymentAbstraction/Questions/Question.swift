public import PaymentBase

/// One kind of question to the application; its answer's type belongs to it.
///
/// An adapter outside can add its own kind:
///
/// ```swift
/// struct FavouriteColour: Question {
///     typealias Answer = String
///     static let timeout: Duration = .seconds(1 * 60)
/// }
/// ```
public protocol Question: Sendable {
    /// What the application answers.
    associatedtype Answer: Sendable
    /// How long an answer is of use.
    static var timeout: Duration { get }
    /// What in an answer must not be printed or kept, should a provider echo it.
    static func secrets(in answer: Answer) -> [Secret]
}

extension Question {
    public static func secrets(in answer: Answer) -> [Secret] { [] }
}
