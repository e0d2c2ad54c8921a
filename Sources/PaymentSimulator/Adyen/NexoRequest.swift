internal import PaymentBase

/// A message to a terminal, as it came in.
struct NexoRequest: Sendable {
    let header: JSONObject
    let body: JSON

    /// Reads a message; nil when it is none.
    init?(_ json: JSON?) {
        guard let root = json?["SaleToPOIRequest"], let header = root["MessageHeader"]?.object else { return nil }
        self.header = header
        guard let category = header["MessageCategory"]?.string, header["SaleID"]?.string?.isEmpty == false,
            header["POIID"]?.string?.isEmpty == false, header["MessageType"]?.string == "Request"
        else { return nil }
        let name = header["MessageClass"]?.string == "Device" ? "DeviceID" : "ServiceID"
        guard let id = header[name]?.string, (1...10).contains(id.count) else { return nil }
        body = root[category + "Request"] ?? .null
    }

    var category: String { text("MessageCategory") }
    var poiID: String { text("POIID") }
    /// What an answer is remembered under.
    var key: String { "\(text("SaleID")) \(text("ServiceID"))\(text("DeviceID"))" }
    /// Our own name in it; empty where it has none.
    var reference: String { body["SaleData"]?["SaleTransactionID"]?["TransactionID"]?.string ?? "" }

    private func text(_ name: String) -> String { header[name]?.string ?? "" }

    /// A value out of what goes to the payment service: pairs, or Base64 of JSON.
    func acquirer(_ name: String) -> String? {
        let text = body["SaleData"]?["SaleToAcquirerData"]?.string ?? ""
        if let packed = Base64.standard.decode(text), let json = try? JSONReader().read(packed), json.object != nil {
            return (json[name] ?? json["additionalData"]?[name])?.string
        }
        return FormEncoding.decode(text)?.last { $0.name == name }?.value
    }

    /// The answer to it: the same head, as a response.
    func reply(_ body: JSON) -> JSON {
        var head = header
        head["MessageType"] = "Response"
        return ["SaleToPOIResponse": .object(["MessageHeader": .object(head), category + "Response": body])]
    }

    /// What is said instead of an answer.
    func rejection(_ details: String, at now: String) -> JSON {
        var head = header
        (head["MessageClass"], head["MessageCategory"]) = ("Event", "Event")
        head["MessageType"] = "Notification"
        return [
            "SaleToPOIRequest": [
                "MessageHeader": .object(head),
                "EventNotification": [
                    "TimeStamp": .string(now), "EventToNotify": "Reject", "EventDetails": .string(details),
                ],
            ]
        ]
    }
}
