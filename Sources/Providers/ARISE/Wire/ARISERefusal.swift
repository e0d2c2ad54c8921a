internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// The body of an answer that is no success, in any of the shapes that servers of ARISE write.
struct ARISERefusal {
    /// The status, as the table names it.
    let status: String?
    let code: String
    let message: String

    /// Reads a body; names count in either case.
    init(_ json: JSON?, status: Int?) {
        let body = json?.object.map { JSONObject(lowercased: $0) }
        func text(_ name: String) -> String { body?[name]?.string ?? "" }
        let said = body?["statuscode"]?.int64 ?? body?["status"]?.int64
        self.status = status.map { String($0) } ?? said.map { String($0) }
        let errors = body?["errors"]?.object.map { JSONObject(lowercased: $0) }
        let isDuplicate = body?["isduplicate"]?.bool == true || errors?["isduplicate"] != nil
        code = isDuplicate ? "IsDuplicate" : text("errorcode").isEmpty ? text("error") : text("errorcode")
        message = [text("details"), text("title"), text("error_description")].first { !$0.isEmpty } ?? ""
    }

    /// Statuses that a gateway gives as well as ARISE. Without a code of ARISE's they prove nothing; the published codes
    /// beside them are those of checks that come before the execution.
    private static let gatewayStatuses: Set<String> = ["401", "403", "404", "429"]

    /// What it means: ARISE's own code counts, else the status.
    ///
    /// A code that is not listed says less than the status; and what a failure of the server leaves open, no code closes.
    var fault: RequestFailure {
        let table = ErrorTable.arise
        let known = table[code] == nil ? "" : code
        var fault = table.failure(code: known, fallback: status, message: message)
        let isOpen = status.map { status in
            !Self.gatewayStatuses.contains(status) && (table[status]?.delivery ?? .maybeSent) == .maybeSent
        }
        if isOpen == true, fault.delivery != .maybeSent {
            fault = table.failure(code: "", fallback: status, message: message)
        }
        if known.isEmpty, !code.isEmpty { fault.provider = ProviderMessage(code: code, message: message) }
        return fault
    }

    /// The same with how long the answer asks to wait.
    func fault(_ refusal: HTTPErrorResponse) -> RequestFailure {
        var fault = fault
        fault.retryAfterMilliseconds = refusal.retryAfterMilliseconds
        return fault
    }
}

extension JSONObject {
    /// The same members with names in lower case.
    fileprivate init(lowercased object: JSONObject) {
        self.init()
        for member in object.members { self[member.key.lowercased()] = member.value }
    }
}
