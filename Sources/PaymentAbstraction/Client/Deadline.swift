internal import PaymentBase

/// How long a call of an application may take, checked once and in the client's own unit from then on.
struct Deadline: Hashable, Sendable {
    /// The longest that is taken for meant: a year.
    static let longest = Duration.seconds(366 * 86_400)

    /// The same in milliseconds; a part of one counts as a whole.
    let milliseconds: Int64

    /// Takes what a caller gave, or else what holds for the client.
    ///
    /// - Throws: `invalidRequest` when it is not more than nothing or beyond a year; nothing is computed with it then.
    init(_ given: Duration?, otherwise: Duration) throws(PaymentError) {
        let wanted = given ?? otherwise
        guard wanted > .zero, wanted <= Self.longest else {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted,
                detail: "a call may take more than nothing and at most a year, not \(wanted); "
                    + "give its limit as a Duration, such as `.seconds(60)`")
        }
        milliseconds = wanted.wholeMilliseconds
    }
}
