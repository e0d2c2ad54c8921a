internal import PaymentBase

/// One Terminal API message as it came in: its head, and the one body beside it.
struct NexoMessage: Sendable {
    let header: NexoHeader
    /// The name of the body, such as `PaymentResponse`; empty where there is none.
    let bodyName: String
    let body: JSON
    /// Whether it travels under the root of replies.
    let isReply: Bool
    /// The whole message.
    let json: JSON

    /// The roots under which messages travel.
    static let requestRoot = "SaleToPOIRequest"
    static let responseRoot = "SaleToPOIResponse"

    /// Reads a message; nil when there is no head to it.
    init?(_ json: JSON?) {
        let reply = json?.member(Self.responseRoot)
        guard let json, let root = reply ?? json.member(Self.requestRoot),
            let header = NexoHeader(root.member("MessageHeader"))
        else { return nil }
        (self.header, self.json) = (header, json)
        isReply = reply != nil
        let names = [header.category.rawValue + "Response", header.category.rawValue + "Request", "EventNotification"]
        bodyName = names.first { root.member($0) != nil } ?? ""
        body = root.member(bodyName) ?? .null
    }

    /// A request as it is written.
    static func request(_ header: NexoHeader, _ body: JSON) -> JSON {
        [requestRoot: .object(["MessageHeader": header.json, header.category.rawValue + "Request": body])]
    }

    /// What the message says about success.
    var response: NexoResponse? { NexoResponse(body.member("Response")) }

    /// What a terminal or the cloud tells instead of an answer; nil where this is none.
    var rejection: Rejection? {
        guard bodyName == "EventNotification", body.member("EventToNotify")?.text == "Reject" else { return nil }
        return Rejection(body.member("EventDetails")?.text ?? "")
    }

    /// Whether a rejection is about a message of ours; one that does not show what it rejects may be.
    func rejects(_ header: NexoHeader) -> Bool {
        guard let packed = body.member("RejectedMessage")?.text, let bytes = Base64.standard.decode(packed),
            let about = NexoMessage(try? JSONReader().read(bytes))?.header
        else { return true }
        return about.id == header.id && about.saleID == header.saleID && about.poiID == header.poiID
    }

    /// What a rejection proves about the message that it rejects.
    enum Rejection: Hashable, Sendable {
        /// It never came to the terminal.
        case notDelivered(String)
        /// It could not be read.
        case malformed(String)
        /// It came, or may have come, and nobody knows what became of it.
        case unknown(String)

        /// Sorts a rejection by its text.
        init(_ details: String) {
            let said = AdditionalResponse(details)["message"] ?? details
            let starts = { (text: String) in said.lowercased().hasPrefix(text) }
            if starts("failed to send message to poi") {
                self = .notDelivered(said)
            } else if starts("input is not a jsonobject") || starts("empty input") {
                self = .malformed(said)
            } else {
                self = .unknown(said)
            }
        }
    }
}
