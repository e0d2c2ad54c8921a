internal import PaymentProviderKit

/// Explains answers about transactions, taps, lists, requests, webhooks and refusals.
struct ARISEInspector: Inspector {
    func inspect(_ message: InspectedMessage) -> [Inspection] {
        let json = try? JSONReader().read(message.body)
        if let status = message.httpStatus, !(200..<300).contains(status) { return [refusal(json, status)] }
        guard let json, json.object != nil else { return [.unknown("unreadable")] }
        return Self.known.noting(items(json, message.operation), in: json)
    }

    private func items(_ json: JSON, _ operation: PaymentOperation?) -> [Inspection] {
        if let list = json["items"]?.array {
            // That nothing was found proves nothing.
            return list.isEmpty ? [Inspection("empty list", .none, .unknown)] : list.map { transaction($0, operation) }
        }
        if json["transactionOutcome"] != nil { return [tap(json)] }
        if json["data"]?["object"] != nil || json["apiVersion"] != nil { return [news(json, operation)] }
        let isTransaction = json["transactionId"] != nil || json["id"] != nil
        if isTransaction, json["status"] != nil || json["statusId"] != nil { return [transaction(json, operation)] }
        return [request(json) ?? other(json) ?? refusal(json, nil)]
    }

    // MARK: What became of a transaction

    private func transaction(_ json: JSON, _ operation: PaymentOperation?) -> Inspection {
        let said = ARISETransaction(json)
        let word = said.type.flatMap { ARISEOperation.names[$0.rawValue] } ?? said.text("type") ?? "transaction"
        let kind = "\(word) \(said.status?.rawValue ?? json["status"]?.string ?? "")"
        let named =
            said.type?.neutral
            ?? ARISEOperation.names.first { $0.value == said.text("type") }
            .flatMap { ARISEOperation(rawValue: $0.key).neutral }
        // Only an answer to a request has its type beside its own name; details and lists have other names.
        let isReply = json["transactionId"] != nil && json["typeId"] != nil
        guard let due = operation ?? Self.asked(named, said.status, isReply: isReply),
            let currency = try? said.currency() ?? .usd
        else { return .unknown(kind) }
        let asked = ARISEMapping.Asked(operation: due, amount: .zero(currency), isReply: isReply)
        var found: Inspection
        do { found = Inspection(kind, try ARISEMapping.verdict(said, asked)) } catch { found = .unknown(kind) }
        if found.status != .approved || due == .void { found.amount = (try? said.total(currency)) ?? nil }
        (found.attempt, found.providerReference) = (said.orderNumber, said.id)
        return found
    }

    /// What was asked for: an answer that shows a later state is one to a capture or to a void.
    private static func asked(
        _ type: PaymentOperation?, _ status: ARISEStatus?, isReply: Bool
    ) -> PaymentOperation? {
        guard isReply, let type, let status else { return type }
        if status == .voided || status == .cancelled { return .void }
        return type == .authorize && (status == .captured || status == .settled) ? .capture : type
    }

    private func tap(_ json: JSON) -> Inspection {
        let said = ARISETapResult(json)
        let kind = "tap \(said.outcome ?? "")"
        var found: Inspection
        do {
            found = Inspection(kind, try ARISEMapping.verdict(said, .zero(.usd), reference: nil))
        } catch { found = .unknown(kind) }
        (found.attempt, found.providerReference) = (said.externalReference, said.id)
        return found
    }

    /// An event names a transaction and what became of it, and no amount.
    private func news(_ json: JSON, _ operation: PaymentOperation?) -> Inspection {
        guard let kind = json["type"]?.string else { return .unknown("webhook") }
        guard kind.hasPrefix("transaction.") else {
            let isListed = kind == "ping" || kind == "settlement.batch.completed" || kind.hasPrefix("terminal.")
            return isListed || kind.hasPrefix("api_key.") ? Inspection(kind, .none, .notExecuted) : .unknown(kind)
        }
        guard let name = json["data"]?["object"]?["id"]?.string, !name.isEmpty, ARISEDriver.isListed(kind) else {
            return .unknown(kind)
        }
        var found: Inspection
        switch kind.split(separator: ".").last {
        case "declined": found = Inspection(kind, .declined, .notExecuted)
        case "failed": found = Inspection(kind, .failed, .notExecuted)
        default: found = Inspection(kind, .approved, .executed)
        }
        found.providerReference = name
        return found
    }

    // MARK: Everything else

    private func request(_ json: JSON) -> Inspection? {
        guard let object = json.object else { return nil }
        // A transfer names no currency.
        let isNamed = json["currencyId"] != nil || json["secCode"] != nil
        let isCharge = isNamed && json["amount"] != nil && json["transactionId"] == nil
        let parts: Set<String> = ["transactionId", "amount", "tipAmount", "cardDataSource"]
        let isPart = object.members.allSatisfy { parts.contains($0.key) }
        guard isCharge || isPart && (json["transactionId"] != nil || json["amount"] != nil) else { return nil }
        var found = Inspection(isCharge ? "request to charge or refund" : "request about one", .none, .unknown)
        if let value = json["amount"] ?? json["tipAmount"] { found.amount = try? ARISEMapping.money(value, .usd) }
        (found.attempt, found.providerReference) = (json["referenceId"]?.string, json["transactionId"]?.string)
        return found
    }

    /// Tokens, settings, prices, devices: nothing about money.
    private func other(_ json: JSON) -> Inspection? {
        let names = [
            "access_token", "permissions", "availablePaymentProcessors", "zeroCostProcessingOptionId", "devices",
            "deviceId", "jwtToken", "creditCard", "debitCard", "clientId", "authenticated", "grant_type", "tokenName",
        ]
        let isRefusal = ARISERefusal(json, status: nil).code.isEmpty == false
        return !isRefusal && names.contains { json[$0] != nil } ? Inspection("no payment", .none, .notExecuted) : nil
    }

    private func refusal(_ json: JSON?, _ status: Int?) -> Inspection {
        let said = ARISERefusal(json, status: status)
        let fault = said.fault
        let isRefused = fault.delivery == .refused
        var found = Inspection("error", isRefused ? .failed : .unknown, isRefused ? .notExecuted : .unknown)
        let code = said.code.isEmpty ? said.status ?? "" : said.code
        found.problem = Inspection.Problem(code, fault.code, said.message)
        found.unknownFields = json.map { Self.known.unknown(in: $0) } ?? []
        return found
    }

    private static let known = KnownFields(ARISEMembers.names, open: ARISEMembers.open, ignoresCase: true)
}
