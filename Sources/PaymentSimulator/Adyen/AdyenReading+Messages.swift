internal import PaymentBase
internal import PaymentTransport

/// What a terminal says about a payment.
extension AdyenReading {
    typealias Played = [String: (word: BehaviorVariant.Expectation, reading: AdyenReading)]

    static let payments: Played = amounts.merging(forms) { one, _ in one }

    // MARK: Amounts

    private static let amounts: Played = [
        "tip.asked-on-terminal": (.works, adding { putting(tip: 1_000, $0) }),
        "tip.beside-the-amount": (.works, adding { putting(tip: 1_000, less(1_000, $0)) }),
        "tip.sent.inside": (.works, AdyenReading { $0.tip = { (0, $0) } }),
        "tip.sent.declined": (.works, AdyenReading { $0.tip = { _ in (0, 0) } }),
        "tip.sent.raised": (.works, AdyenReading { $0.tip = { (2 * $0, 2 * $0) } }),
        "surcharge.by-configuration": (.works, adding { saying("surchargeAmount=1000", $0) }),
        "surcharge.not-in-amount": (.works, adding { saying("surchargeAmount=1000", less(1_000, $0)) }),
        "webhook-amount.larger": (.works, told(otherThan: 500)),
        // A second void finds no balance, which may be the refusal of a copy: it stays in doubt.
        "webhook-amount.smaller": (.unknown, told(otherThan: -500)),
        "dcc.beside-the-amount": (
            .works,
            .payment { body in
                guard body["PaymentResult"]?["AmountsResp"] != nil else { return body }
                let conversion: JSON = [
                    ["CustomerApprovedFlag": true, "ConvertedAmount": ["AmountValue": 16, "Currency": "USD"]]
                ]
                return body.putting(conversion, at: "PaymentResult", "CurrencyConversion")
            }
        ),
        "dcc.amount-in-shoppers-currency": (
            .stops("dcc"),
            .payment { body in
                guard let amounts = body["PaymentResult"]?["AmountsResp"], amounts["Currency"]?.string == "EUR",
                    let held = amounts["AuthorizedAmount"]?.number?.scaled(places: 2)
                else { return body }
                let other = body.putting("USD", at: "PaymentResult", "AmountsResp", "Currency")
                    .putting(
                        AdyenUnits.decimal(held * 1_118 / 1_000, "USD"), at: "PaymentResult", "AmountsResp",
                        "AuthorizedAmount")
                return replacing(
                    ["posAuthAmountCurrency": "USD", "posAuthAmountValue": String(held * 1_118 / 1_000)], other)
            }
        ),
        "partial.called-success": (
            .works,
            .payment { body in
                body.changing("Response", "Result") { $0?.string == "Partial" ? "Success" : $0 }
            }
        ),
        "amounts.place.only-beside": (.works, .payment { $0.without("PaymentResult", "AmountsResp") }),
        "amounts.place.none": (
            .works,
            .payment {
                leavingOut(["posAuthAmountValue", "posAuthAmountCurrency"], $0.without("PaymentResult", "AmountsResp"))
            }
        ),
        "amounts.place.no-currency": (.works, .payment { $0.without("PaymentResult", "AmountsResp", "Currency") }),
        "amounts.place.as-text": (
            .works,
            .payment {
                $0.changing("PaymentResult", "AmountsResp", "AuthorizedAmount") { old in
                    old?.number.map { .string($0.text) }
                }
            }
        ),
        "amounts.disagree.amount-disagrees": (
            .works,
            .payment { body in
                guard let units = pairs(body).first(where: { $0.hasPrefix("posAuthAmountValue=") })?.dropFirst(19),
                    let value = Int64(units)
                else { return body }
                return replacing(["posAuthAmountValue": String(value + 1_000)], body)
            }
        ),
    ]

    /// A terminal that adds ten to every amount, and says it in its way.
    private static func adding(_ say: @escaping @Sendable (JSON) -> JSON) -> AdyenReading {
        AdyenReading {
            $0.extra = 1_000
            $0.payment = { $0["PaymentResult"]?["AmountsResp"] == nil ? $0 : say($0) }
        }
    }

    private static func decimals(_ body: JSON) -> String {
        body["PaymentResult"]?["AmountsResp"]?["Currency"]?.string ?? ""
    }

    /// A tip on top of the one that the till has sent.
    private static func putting(tip: Int64, _ body: JSON) -> JSON {
        let currency = decimals(body)
        let sent = AdyenUnits.units(body["PaymentResult"]?["AmountsResp"]?["TipAmount"], currency) ?? 0
        return body.putting(
            AdyenUnits.decimal(sent + tip, currency), at: "PaymentResult", "AmountsResp", "TipAmount")
    }

    private static func less(_ units: Int64, _ body: JSON) -> JSON {
        let currency = decimals(body)
        return body.changing("PaymentResult", "AmountsResp", "AuthorizedAmount") { old in
            AdyenUnits.units(old, currency).map { AdyenUnits.decimal($0 - units, currency) }
        }
    }

    /// The host takes another amount than the terminal reports; only the webhook says it.
    private static func told(otherThan units: Int64) -> AdyenReading {
        AdyenReading {
            $0.extra = units
            $0.payment = { body in
                guard let currency = body["PaymentResult"]?["AmountsResp"]?["Currency"]?.string else { return body }
                let asked = less(units, body)
                let held = AdyenUnits.units(asked["PaymentResult"]?["AmountsResp"]?["AuthorizedAmount"], currency)
                return replacing(["posAuthAmountValue": held.map { "\($0)" } ?? ""], asked)
            }
        }
    }

    // MARK: What is said beside

    static func pairs(_ body: JSON) -> [String] {
        (body["Response"]?["AdditionalResponse"]?.string ?? "").split(separator: "&").map(String.init)
    }

    static func saying(_ pair: String, _ body: JSON) -> JSON {
        body.putting(.string((pairs(body) + [pair]).joined(separator: "&")), at: "Response", "AdditionalResponse")
    }

    static func leavingOut(_ names: Set<String>, _ body: JSON) -> JSON {
        let kept = pairs(body).filter { pair in !names.contains(String(pair.prefix { $0 != "=" })) }
        return body.putting(.string(kept.joined(separator: "&")), at: "Response", "AdditionalResponse")
    }

    static func replacing(_ values: [String: String], _ body: JSON) -> JSON {
        values.reduce(leavingOut(Set(values.keys), body)) { saying("\($1.key)=\($1.value)", $0) }
    }

    // MARK: Forms

    private static let forms: Played = [
        "poidata.only-on-success": (
            .works, .payment { $0["Response"]?["Result"]?.string == "Failure" ? $0.without("POIData") : $0 }
        ),
        "poidata.missing": (.works, .payment { $0.without("POIData") }),
        "poidata.no-time": (.works, .payment { $0.without("POIData", "POITransactionID", "TimeStamp") }),
        "poidata.time-in-local-zone": (
            .works,
            .payment {
                $0.changing("POIData", "POITransactionID", "TimeStamp") { old in
                    old?.string.map { .string(String($0.dropLast()) + "+02:00") }
                }
            }
        ),
        "receipt.missing": (.works, .payment { $0.without("PaymentReceipt") }),
        "additional.form.base64-json": (.works, .payment(coded)),
        "additional.form.missing": (.works, .payment { $0.without("Response", "AdditionalResponse") }),
        "psp.place.only-in-name": (.works, .payment { leavingOut(["pspReference"], $0) }),
        "saledata.not-echoed": (.works, .payment { $0.without("SaleData") }),
        "decline.form.no-result": (
            .works, .payment { $0["Response"]?["Result"]?.string == "Failure" ? $0.without("PaymentResult") : $0 }
        ),
        "decline.form.no-condition": (.works, .payment { $0.without("Response", "ErrorCondition") }),
        "decline.form.word-unlisted": (
            .works,
            .payment {
                $0.changing("Response", "ErrorCondition") { $0?.string == "Refusal" ? "IssuerRefusal" : $0 }
            }
        ),
        "result.case.other-case": (
            .works,
            .payment { body in
                body.changing("Response", "Result") { $0?.string.map { .string($0.lowercased()) } }
            }
        ),
        "cancel.word.called-cancel": (
            .works,
            .payment {
                $0.changing("Response", "ErrorCondition") { $0?.string == "Aborted" ? "Cancel" : $0 }
            }
        ),
        "busy.called-in-progress": (
            .unknown,
            .payment {
                $0.changing("Response", "ErrorCondition") { $0?.string == "Busy" ? "InProgress" : $0 }
            }
        ),
        "card.form.types-of-the-description": (
            .works,
            .payment {
                $0.changing("PaymentResult", "PaymentInstrumentData", "CardData", "CardCountryCode") {
                    $0 == nil ? nil : 56
                }
            }
        ),
        "card.form.entry-not-a-list": (
            .works,
            .payment { $0.changing("PaymentResult", "PaymentInstrumentData", "CardData", "EntryMode") { $0?[0] } }
        ),
        "card.form.missing": (.works, .payment { $0.without("PaymentResult", "PaymentInstrumentData") }),
        "cardrefund.acquirer-code.acquirer-code-always": (
            .works, AdyenReading { $0.cardRefund = { saying("acquirerResponseCode=APPROVED", $0) } }
        ),
        "cardrefund.acquirer-code.declined-code": (
            .works, AdyenReading { $0.cardRefund = { saying("acquirerResponseCode=05", $0) } }
        ),
    ]

    /// What is said beside, as Base64 of JSON.
    private static func coded(_ body: JSON) -> JSON {
        let said = pairs(body)
        guard !said.isEmpty else { return body }
        var object = JSONObject()
        for field in FormEncoding.decode(said.joined(separator: "&")) ?? [] {
            object[field.name] = .string(field.value)
        }
        let json: JSON = ["additionalData": .object(object), "message": object["message"] ?? "", "store": "Store1"]
        let text = Base64.standard.encode(json.bytes())
        return body.putting(.string(text), at: "Response", "AdditionalResponse")
    }
}

/// What a terminal and the cloud say about messages, refunds and the end of a payment.
extension AdyenReading {
    static let terminals: Played = [
        "phone.status.answers": (.unknown, AdyenReading { $0.phoneAnswers = true }),
        "status-memory.never-found": (.unknown, AdyenReading { $0.status = { _, _ in notFound } }),
        "status.race.not-found-at-first": (
            .works, AdyenReading { $0.status = { said, question in question.earlier == 0 ? notFound : said } }
        ),
        "status.long.in-progress-for-long": (
            .works, AdyenReading { $0.status = { said, question in question.earlier < 5 ? inProgress : said } }
        ),
        "status.long.for-ever": (.unknown, AdyenReading { $0.status = { _, _ in inProgress } }),
        "status.busy.busy-while-running": (
            .works,
            AdyenReading {
                $0.status = { said, _ in
                    said.changing("Response", "ErrorCondition") { $0?.string == "InProgress" ? "Busy" : $0 }
                }
            }
        ),
        "status.repeat.no-repeat": (
            .unknown, AdyenReading { $0.status = { said, _ in said.without("RepeatedMessageResponse") } }
        ),
        "status.repeat.repeat-head-of-status": (
            .works,
            AdyenReading {
                $0.status = { said, question in
                    said.changing("RepeatedMessageResponse", "MessageHeader", "ServiceID") {
                        $0 == nil ? nil : question.header["ServiceID"]
                    }
                }
            }
        ),
        "status.repeat.repeat-head-without-id": (
            .works,
            AdyenReading {
                $0.status = { said, _ in said.without("RepeatedMessageResponse", "MessageHeader", "ServiceID") }
            }
        ),
        "status.repeat.outer-as-inner": (
            .works,
            AdyenReading {
                $0.status = { said, _ in
                    let body = said["RepeatedMessageResponse"]?["RepeatedResponseMessageBody"]
                    return body?["PaymentResponse"]?["Response"].map { said.putting($0, at: "Response") } ?? said
                }
            }
        ),
        "receipt.once-only": (
            .works,
            AdyenReading {
                $0.status = { said, _ in
                    said.without(
                        "RepeatedMessageResponse", "RepeatedResponseMessageBody", "PaymentResponse", "PaymentReceipt")
                }
            }
        ),
        "abort.answer.answered-by-message": (
            .works, AdyenReading { $0.abort = { asked, _ in .json(asked.reply(["Response": ["Result": "Success"]])) } }
        ),
        "abort.answer.text-ok": (
            .works, AdyenReading { $0.abort = { _, _ in .reply(HTTPResponse(200, body: Array("ok".utf8))) } }
        ),
        "abort.answer.rejected": (
            .works,
            AdyenReading {
                $0.hearsAbort = { _ in false }
                $0.abort = { asked, now in
                    .json(asked.rejection("message=Did+not+receive+a+response+from+the+POI.", at: now))
                }
            }
        ),
        "abort.effect.lost": (.works, AdyenReading { $0.hearsAbort = { _ in false } }),
        "abort.effect.lost-once": (.works, AdyenReading { $0.hearsAbort = { $0 > 0 } }),
        "async.answer.empty-body": (.works, AdyenReading { $0.taken = .reply(HTTPResponse(200)) }),
        "async.answer.status-202": (
            .works, AdyenReading { $0.taken = .reply(HTTPResponse(202, body: Array("ok".utf8))) }
        ),
        "reversal.answer.amount-in-minor-units": (
            .works,
            AdyenReading {
                $0.reversal = { body in
                    body.changing("ReversedAmount") { $0?.number?.scaled(places: 2).map { .whole($0) } }
                }
            }
        ),
        "reversal.answer.dotted-name": (
            .works,
            AdyenReading {
                $0.reversal = { body in
                    body.changing("POIData", "POITransactionID", "TransactionID") {
                        $0?.string.map { .string("4r7i001556529591000.\($0)") }
                    }
                }
            }
        ),
        // A refusal that comes later names what no answer has named: it may be that of a second copy, and a person looks.
        "reversal.answer.no-poidata": (.unknown, AdyenReading { $0.reversal = { $0.without("POIData") } }),
    ]

    private static let notFound = AdyenSimulator.failure(
        "NotFound", "message=Did+not+find+message+with+requested+reference")
    private static let inProgress = AdyenSimulator.failure("InProgress", "message=Transaction+in+progress")
}

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
        "saved.result.tried-again": (.works, AdyenReading { $0.rescues = true }),
        "saved.result.tried-again-in-vain": (.works, AdyenReading { $0.rescues = false }),
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
