/// One way in which a provider or the way to it can misbehave.
///
/// The raw value is a stable name, used in reports, on the control address and in scenarios.
public enum WireFault: String, Hashable, Sendable, CaseIterable {
    /// The connection ends before the request was looked at.
    case requestLost = "request.lost"
    /// The connection is reset before the request was looked at.
    case requestReset = "request.reset"
    /// The request was read and not carried out; the connection is reset.
    case requestResetAfterReading = "request.reset-after-reading"
    /// The request is carried out twice; the second answer is given.
    case requestDuplicated = "request.duplicated"
    /// The request is carried out twice; the second answer is given, and its body is empty.
    case requestDuplicatedUnread = "request.duplicated-unread"
    /// Carried out; the connection ends without an answer.
    case replyLost = "reply.lost"
    /// Carried out; the connection is reset instead of an answer.
    case replyReset = "reply.reset"
    /// Carried out; the answer is held back for ``FaultRule/delayMilliseconds`` of the provider's clock.
    case replyLate = "reply.late"
    /// Carried out; nothing is said until the client goes away.
    case replyNever = "reply.never"
    /// Carried out; the answer ends in the middle of its head.
    case replyTornHead = "reply.torn-head"
    /// Carried out; the answer ends in the middle of its body.
    case replyTornBody = "reply.torn-body"
    /// Carried out; the answer comes a few bytes at a time, and takes ``FaultRule/dripMilliseconds``.
    case replyDripped = "reply.dripped"
    /// Carried out; the answer names a larger amount.
    case wrongAmount = "member.wrong-amount"
    /// Carried out; the answer names another currency.
    case wrongCurrency = "member.wrong-currency"
    /// Carried out; the answer names another reference.
    case wrongReference = "member.wrong-reference"
    /// Carried out; the answer's word for what happened is in no document.
    case unknownWord = "member.unknown-word"
    /// Carried out; the answer has members that are in no document.
    case extraMembers = "member.extra"
    /// Carried out; a member is missing in the answer: the first at the first time, then the second, and so on.
    case missingMember = "member.missing"
    /// Carried out; the body is a page in HTML.
    case htmlBody = "body.html"
    /// Carried out; the body is empty.
    case emptyBody = "body.empty"
    /// Carried out; the JSON in the body ends early, though its length is right.
    case truncatedJSON = "body.truncated-json"
    /// Refused, as if the token had lapsed; not carried out.
    case accessRefused = "status.401"
    /// Refused for too many requests, with `Retry-After`; not carried out.
    case rateLimited = "status.429"
    /// Status 500, and nothing was done.
    case status500Before = "status.500-before"
    /// Status 500, although it was carried out.
    case status500After = "status.500-after"
    /// Status 502, and nothing was done.
    case status502Before = "status.502-before"
    /// Status 502, although it was carried out.
    case status502After = "status.502-after"
    /// Status 503, and nothing was done.
    case status503Before = "status.503-before"
    /// Status 503, although it was carried out.
    case status503After = "status.503-after"
    /// Status 504, and nothing was done.
    case status504Before = "status.504-before"
    /// Status 504, although it was carried out.
    case status504After = "status.504-after"
    /// A redirect to another origin; not carried out.
    case redirected = "status.307"
    /// Carried out; a gateway in front answers that the access is refused.
    case status401After = "status.401-after"
    /// Carried out; a gateway in front answers that this is forbidden.
    case status403After = "status.403-after"
    /// Carried out; a gateway in front answers that there is no such thing.
    case status404After = "status.404-after"
    /// Carried out; a gateway in front answers with a temporary redirect.
    case status307After = "status.307-after"
    /// Carried out; a gateway in front answers with a permanent redirect.
    case status308After = "status.308-after"
    /// Carried out; a gateway in front answers that there are too many requests.
    case status429After = "status.429-after"

    /// Every fault, in the order in which reports list them.
    public static let all = allCases

    /// How often the provider carries the request out.
    public var executionCount: Int {
        switch self {
        case .requestLost, .requestReset, .requestResetAfterReading, .accessRefused, .rateLimited, .status500Before,
            .status502Before, .status503Before, .status504Before, .redirected:
            0
        case .requestDuplicated, .requestDuplicatedUnread: 2
        case .replyLost, .replyReset, .replyLate, .replyNever, .replyTornHead, .replyTornBody, .replyDripped,
            .wrongAmount, .wrongCurrency, .wrongReference, .unknownWord, .extraMembers, .missingMember, .htmlBody,
            .emptyBody, .truncatedJSON, .status500After, .status502After, .status503After, .status504After,
            .status401After, .status403After, .status404After, .status307After, .status308After, .status429After:
            1
        }
    }

    /// Whether the money moved although the client may not see it.
    public var executes: Bool { executionCount > 0 }

    /// Where it is played as bytes and packets; in process it becomes the failure that a client would see.
    public var needsSocket: Bool {
        switch self {
        case .requestLost, .requestReset, .requestResetAfterReading, .replyLost, .replyReset, .replyTornHead,
            .replyTornBody, .replyDripped, .replyNever:
            true
        case .requestDuplicated, .requestDuplicatedUnread, .replyLate, .wrongAmount, .wrongCurrency, .wrongReference,
            .unknownWord, .extraMembers, .missingMember, .htmlBody, .emptyBody, .truncatedJSON, .accessRefused,
            .rateLimited,
            .status500Before, .status500After, .status502Before, .status502After, .status503Before, .status503After,
            .status504Before, .status504After, .redirected, .status401After, .status403After, .status404After,
            .status307After, .status308After, .status429After:
            false
        }
    }

    /// The status of a failure, and whether the request is carried out before it.
    var brokenStatus: Int? {
        switch self {
        case .status500Before, .status500After: 500
        case .status502Before, .status502After: 502
        case .status503Before, .status503After: 503
        case .status504Before, .status504After: 504
        case .requestLost, .requestReset, .requestResetAfterReading, .requestDuplicated, .requestDuplicatedUnread,
            .replyLost, .replyReset, .replyLate, .replyNever, .replyTornHead, .replyTornBody, .replyDripped,
            .wrongAmount, .wrongCurrency,
            .wrongReference, .unknownWord, .extraMembers, .missingMember, .htmlBody, .emptyBody, .truncatedJSON,
            .accessRefused, .rateLimited, .redirected, .status401After, .status403After, .status404After,
            .status307After, .status308After, .status429After:
            nil
        }
    }

    /// The status with which a gateway refuses what the provider behind it has carried out.
    var gatewayStatus: Int? {
        switch self {
        case .status401After: 401
        case .status403After: 403
        case .status404After: 404
        case .status307After: 307
        case .status308After: 308
        case .status429After: 429
        case .requestLost, .requestReset, .requestResetAfterReading, .requestDuplicated, .requestDuplicatedUnread,
            .replyLost, .replyReset, .replyLate, .replyNever, .replyTornHead, .replyTornBody, .replyDripped,
            .wrongAmount, .wrongCurrency, .wrongReference, .unknownWord, .extraMembers, .missingMember, .htmlBody,
            .emptyBody, .truncatedJSON, .accessRefused, .rateLimited, .redirected, .status500Before, .status500After,
            .status502Before, .status502After, .status503Before, .status503After, .status504Before, .status504After:
            nil
        }
    }
}

extension WireFault: CustomStringConvertible {
    public var description: String { rawValue }
}
