internal import PaymentBase

/// The requests beside payments and refunds, as they are written.
enum ServiceRequests {
    /// Which message another one is about.
    static func reference(_ header: NexoHeader) -> JSON {
        [
            "MessageCategory": .string(header.category.rawValue), "SaleID": .string(header.saleID),
            "ServiceID": .string(header.id),
        ]
    }

    /// What became of a message.
    static func status(of header: NexoHeader) -> JSON {
        ["ReceiptReprintFlag": false, "MessageReference": reference(header)]
    }

    /// Ends a message that is being worked on.
    static func abort(_ header: NexoHeader) -> JSON {
        ["AbortReason": "MerchantAbort", "MessageReference": reference(header)]
    }

    /// How the terminal and its host are.
    static func diagnosis(host: Bool) -> JSON { ["HostDiagnosisFlag": .bool(host)] }

    /// Signs a till in.
    static func login(at timestamp: String, application: String, version: String, language: String) -> JSON {
        [
            "DateTime": .string(timestamp), "OperatorLanguage": .string(language),
            "SaleSoftware": [
                "ProviderIdentification": .string(application), "ApplicationName": .string(application),
                "SoftwareVersion": .string(version), "CertificationCode": "none",
            ],
        ]
    }

    /// Signs a till out.
    static func logout(allowsMaintenance: Bool) -> JSON { ["MaintenanceAllowed": .bool(allowsMaintenance)] }

    /// Shows a text to the shopper.
    static func display(_ lines: [String]) -> JSON {
        ["DisplayOutput": [["Device": "CustomerDisplay", "InfoQualify": "Display", "OutputContent": text(lines)]]]
    }

    /// Asks the shopper for something: `GetConfirmation`, `TextString`, `DigitString` and so on.
    static func input(_ command: String, prompt: String, secondsMax: Int64) -> JSON {
        [
            "DisplayOutput": ["Device": "CustomerDisplay", "InfoQualify": "Display", "OutputContent": text([prompt])],
            "InputData": [
                "Device": "CustomerInput", "InfoQualify": "Input", "InputCommand": .string(command),
                "MaxInputTime": .number(JSONNumber(secondsMax)),
            ],
        ]
    }

    /// Prints lines.
    static func print(_ lines: [String]) -> JSON {
        [
            "PrintOutput": [
                "DocumentQualifier": "Document", "ResponseMode": "PrintEnd", "OutputContent": text(lines),
            ]
        ]
    }

    /// Reads a card before the amount is known.
    static func cardAcquisition(_ transactionID: String, at timestamp: String) -> JSON {
        [
            "SaleData": ["SaleTransactionID": PaymentRequest.transaction(transactionID, timestamp)],
            "CardAcquisitionTransaction": [:],
        ]
    }

    /// Goes on after a card was read, or ends without a payment.
    static func enableService(_ action: String, _ services: [String] = []) -> JSON {
        var body: JSONObject = ["TransactionAction": .string(action)]
        if !services.isEmpty { body["ServicesEnabled"] = .array(services.map { JSON.string($0) }) }
        return .object(body)
    }

    /// What the terminal took since it was reconciled.
    static func totals(_ details: [String]) -> JSON { ["TotalDetails": .array(details.map { JSON.string($0) })] }

    /// Something with a gift card: `BalanceInquiry`-like loads and activations.
    static func storedValue(_ type: String, _ transactionID: String, at timestamp: String) -> JSON {
        [
            "SaleData": ["SaleTransactionID": PaymentRequest.transaction(transactionID, timestamp)],
            "StoredValueData": [["StoredValueTransactionType": .string(type)]],
        ]
    }

    /// One of the services that only this provider's terminals have.
    static func admin(_ service: String) -> JSON { ["ServiceIdentification": .string(service)] }

    private static func text(_ lines: [String]) -> JSON {
        ["OutputFormat": "Text", "OutputText": .array(lines.map { ["Text": .string($0)] })]
    }
}
