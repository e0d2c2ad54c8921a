internal import PaymentProviderKit

/// Explains what the memory provider says; the shortest inspector there is, to begin from.
struct MemoryInspector: Inspector {
    private static let known = KnownFields(
        """
        address amount at attempt authorization brand captured card code currency customer devices entry error event
        expires fields held id instruments items kind last4 message minorUnits movement next partial permissions
        pinToken reference refunded save saved secret state tip token total voided
        """, open: "source")

    func inspect(_ message: InspectedMessage) -> [Inspection] {
        guard let json = try? JSONReader().read(message.body), json.object != nil else {
            return [.unknown("unreadable")]
        }
        var found = explained(json, message)
        found.unknownFields = Self.known.unknown(in: json)
        return [found]
    }

    private func explained(_ json: JSON, _ message: InspectedMessage) -> Inspection {
        if let error = json["error"] {
            return Inspection(
                "error", code: error["code"]?.string ?? "", words: error["message"]?.string ?? "",
                httpStatus: message.httpStatus, .memory)
        }
        if (message.httpStatus ?? 200) >= 300 {
            return Inspection("error", code: "", words: "", httpStatus: message.httpStatus, .memory)
        }
        if json["source"] != nil, let attempt = json["attempt"]?.string {
            var request = Inspection("\(json["kind"]?.string ?? "payment") request", .none, .unknown)
            (request.attempt, request.amount) = (attempt, Self.amount(json["amount"]))
            return request
        }
        if json["held"] != nil, let details = MemoryMapping.details(json) { return self.details(details, json) }
        if let reply = MemoryReply(json) { return judged(reply) }
        let others = ["token", "devices", "permissions", "instruments", "items", "secret", "company"]
        let isOther = others.contains { json[$0] != nil }
        return isOther ? Inspection("no payment", .none, .notExecuted) : .unknown("no message that we know")
    }

    /// What the provider lists about a payment: what it holds or has charged has moved.
    private func details(_ details: PaymentDetails, _ json: JSON) -> Inspection {
        let moved = max(details.amount?.minorUnits ?? 0, details.captured?.minorUnits ?? 0)
        var found: Inspection
        switch details.state {
        case "approved" where moved > 0: found = Inspection("details", .approved, .executed)
        case "declined" where moved == 0: found = Inspection("details", .declined, .notExecuted)
        case "cancelled" where moved == 0: found = Inspection("details", .cancelled, .notExecuted)
        case "pending": found = Inspection("details", .pending, .unknown)
        default: found = .unknown("details")
        }
        found.amount = details.captured
        (found.attempt, found.providerReference) = (json["attempt"]?.string, details.references["payment"])
        return found
    }

    private func judged(_ reply: MemoryReply) -> Inspection {
        let kind = reply.event ?? "payment"
        var found: Inspection
        if reply.pinToken != nil || reply.address != nil || !reply.fields.isEmpty {
            found = Inspection("question", .pending, .unknown)
        } else {
            do { found = Inspection(kind, try MemoryMapping.verdict(reply)) } catch { found = .unknown(kind) }
        }
        found.amount = found.amount ?? (try? MemoryMapping.money(reply))
        found.attempt = reply.attempt.isEmpty ? nil : reply.attempt
        found.providerReference = reply.movement ?? (reply.id.isEmpty ? nil : reply.id)
        found.originalReference = reply.movement == nil || reply.id.isEmpty ? nil : reply.id
        return found
    }

    private static func amount(_ json: JSON?) -> Money? {
        guard let units = json?["minorUnits"]?.int64, let currency = json?["currency"]?.string.flatMap(Currency.known)
        else { return nil }
        return Money(minorUnits: units, currency)
    }
}
