internal import PaymentBase

/// What the back office answers, and what its webhooks say.
extension AdyenReading {
    static let offices: Played = answers.merging(webhooks) { one, _ in one }

    // MARK: Answers

    private static let answers: Played = [
        "saved.result.received": (
            .works, saved { $0["resultCode"] == nil ? $0 : $0.putting("Received", at: "resultCode").without("amount") }
        ),
        "saved.result.no-amount": (.works, saved { $0.without("amount") }),
        "saved.result.error-word": (
            .unknown,
            saved { said in said.changing("resultCode") { $0?.string == "Refused" ? "Error" : $0 } }
        ),
        "saved.return-url.not-needed": (.works, AdyenReading()),
        "idempotency.repeat-704": (.works, repeated(422)), "idempotency.repeat-409": (.works, repeated(409)),
        "modification.echo.nothing-echoed": (
            .works, modified { $0.without("amount").without("reference").without("merchantAccount") }
        ),
        "modification.echo.reference-cut": (
            .works,
            modified { said in said.changing("reference") { $0?.string.map { .string(String($0.prefix(20))) } } }
        ),
    ]

    private static func saved(_ change: @escaping @Sendable (JSON) -> JSON) -> AdyenReading {
        AdyenReading {
            $0.office = { path, _, said, status in (path.hasSuffix("/payments") ? change(said) : said, status) }
        }
    }

    private static func modified(_ change: @escaping @Sendable (JSON) -> JSON) -> AdyenReading {
        AdyenReading {
            $0.office = { path, _, said, status in
                (path.hasSuffix("/payments") || status > 299 ? said : change(said), status)
            }
        }
    }

    /// A key that came before is refused, whatever became of the first.
    private static func repeated(_ status: Int) -> AdyenReading {
        AdyenReading {
            $0.office = { _, isRepeat, said, given in
                guard isRepeat else { return (said, given) }
                let refusal: JSON = [
                    "status": .whole(status), "errorCode": "704",
                    "message": "request already processed or in progress", "errorType": "validation",
                ]
                return (refusal, status)
            }
        }
    }

    // MARK: Webhooks

    private static let webhooks: Played = [
        "webhook.delivery.twice": (.works, AdyenReading { $0.items = { [$0, $0] } }),
        "webhook.delivery.with-strangers": (.works, AdyenReading { $0.items = { [[stranger] + $0] } }),
        "webhook.delivery.none": (.unknown, AdyenReading { $0.items = { _ in [] } }),
        "webhook.form.success-as-truth-value": (
            .works, item { item in item.changing("success") { $0?.string == "true" ? true : false } }
        ),
        "webhook.form.empty-original": (.works, item { item in item.changing("originalReference") { $0 ?? "" } }),
        "webhook.form.no-time": (.unknown, item { $0.without("eventDate") }),
        "webhook.form.local-time": (
            .works,
            item { item in item.changing("eventDate") { $0?.string.map { .string(String($0.dropLast()) + "+02:00") } } }
        ),
        "webhook.terminal-name.uniqueTerminalId": (
            .works,
            item { item in
                guard let name = item["additionalData"]?["terminalId"] else { return item }
                return item.without("additionalData", "terminalId").putting(
                    name, at: "additionalData", "uniqueTerminalId")
            }
        ),
        "webhook.terminal-name.no-terminal-names": (
            .works,
            item { $0.without("additionalData", "terminalId").without("additionalData", "tenderReference") }
        ),
        "clock.behind": (.works, shifted(by: -3_600_000)), "clock.ahead": (.works, shifted(by: 3_600_000)),
    ]

    private static func item(_ change: @escaping @Sendable (JSON) -> JSON) -> AdyenReading {
        AdyenReading { $0.item = { change($0) } }
    }

    private static let stranger: JSON = [
        "eventCode": "REPORT_AVAILABLE", "pspReference": "report.csv", "success": "true",
        "merchantAccountCode": "TestMerchant",
    ]

    private static func shifted(by milliseconds: Int64) -> AdyenReading {
        @Sendable func moved(_ json: JSON?) -> JSON? {
            let at = json?.string.flatMap { Timestamp($0)?.milliseconds }
            return at.map { .string(AdyenSimulator.stamp($0 + milliseconds)) } ?? json
        }
        return AdyenReading {
            $0.payment = { $0.changing("POIData", "POITransactionID", "TimeStamp", to: moved) }
            $0.item = { $0.changing("eventDate", to: moved) }
        }
    }
}
