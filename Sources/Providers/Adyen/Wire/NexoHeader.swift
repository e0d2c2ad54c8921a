internal import PaymentBase

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
