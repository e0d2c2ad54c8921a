internal import PaymentProviderKit

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

    /// What a terminal or the cloud says instead of an answer; nil where this is none.
    var rejection: Rejection? {
        guard bodyName == "EventNotification", body.member("EventToNotify")?.text == "Reject" else { return nil }
        return Rejection(body.member("EventDetails")?.text ?? "")
    }

    /// Whether a rejection is about our own message; one that does not show what it rejects may be.
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
        /// It came, or may have come, and its outcome is unknown.
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

/// The head of every Terminal API message: what it is and to which exchange it belongs.
struct NexoHeader: Hashable, Sendable {
    /// What a message is about; an open set, since terminals send more than we ask for.
    struct Category: RawRepresentable, Hashable, Sendable {
        let rawValue: String

        static let payment = Category(rawValue: "Payment")
        static let reversal = Category(rawValue: "Reversal")
        static let status = Category(rawValue: "TransactionStatus")
        static let abort = Category(rawValue: "Abort")
        static let diagnosis = Category(rawValue: "Diagnosis")
        static let login = Category(rawValue: "Login")
        static let logout = Category(rawValue: "Logout")
        static let display = Category(rawValue: "Display")
        static let input = Category(rawValue: "Input")
        static let print = Category(rawValue: "Print")
        static let cardAcquisition = Category(rawValue: "CardAcquisition")
        static let enableService = Category(rawValue: "EnableService")
        static let totals = Category(rawValue: "GetTotals")
        static let storedValue = Category(rawValue: "StoredValue")
        static let admin = Category(rawValue: "Admin")
        static let event = Category(rawValue: "Event")

        /// All that terminals are asked or tell, as the documents list them.
        static let listed = AdyenMembers.words(
            """
            Abort Admin BalanceInquiry CardAcquisition Diagnosis Display EnableService Event GetTotals Input InputUpdate
            Login Logout Loyalty Payment Print Reconciliation Reversal StoredValue TransactionStatus
            """)
        /// Those that are asked of the device rather than of the payment service.
        static let ofDevice: Set<Category> = [.display, .input, .print]
    }

    var messageClass = "Service"
    let category: Category
    var type = "Request"
    /// The name of this exchange, chosen by us; never used again within 48 hours.
    let id: String
    let saleID: String
    let poiID: String

    /// The longest name of an exchange.
    static let idCharactersMax = 10
    /// The version of the protocol.
    static let version = "3.0"

    init(_ category: Category, id: String, saleID: String, poiID: String) {
        (self.category, self.id, self.saleID, self.poiID) = (category, id, saleID, poiID)
        messageClass = Category.ofDevice.contains(category) ? "Device" : "Service"
    }

    /// Reads a head; nil when it names no exchange.
    init?(_ json: JSON?) {
        guard let json, let category = json.member("MessageCategory")?.text else { return nil }
        self.category = Category(rawValue: category)
        messageClass = json.member("MessageClass")?.text ?? ""
        type = json.member("MessageType")?.text ?? ""
        id = (json.member("ServiceID") ?? json.member("DeviceID"))?.text ?? ""
        saleID = json.member("SaleID")?.text ?? ""
        poiID = json.member("POIID")?.text ?? ""
    }

    /// The head as it is written.
    var json: JSON {
        [
            "ProtocolVersion": .string(Self.version), "MessageClass": .string(messageClass),
            "MessageCategory": .string(category.rawValue), "MessageType": .string(type),
            messageClass == "Device" ? "DeviceID" : "ServiceID": .string(id), "SaleID": .string(saleID),
            "POIID": .string(poiID),
        ]
    }

    /// Whether a reply belongs to this request.
    func isAnswered(by reply: NexoHeader) -> Bool {
        reply.category == category && reply.type == "Response" && reply.id == id && reply.saleID == saleID
            && reply.poiID == poiID
    }
}

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
