/// What an exchange can do to money.
public enum RequestEffect: Hashable, Sendable {
    /// It only asks.
    case readOnly
    /// It may move money.
    case money
    /// It may move money, and it carries a key of ours under which the provider does it once, however often it comes.
    ///
    /// Only such an exchange is made again when nobody knows whether it arrived, and only within the same call.
    case idempotent
    /// It may move money, and the customer sees it, as a kit's screen does.
    ///
    /// Such an exchange is never made again by itself: not after a refusal, and not with a renewed access.
    case visible

    /// What such a request can execute, unless the driver says otherwise.
    var cards: Attempt.Request.Cards { self == .visible ? .several : .one }
}
