internal import PaymentBase
internal import PaymentTransport

/// Readings of names, times and words, of callbacks, and of what stands beside payments.
extension EcommpayReadings {
    static let forms: [String: PlayedReading<EcommpaySimulator.State>] = [
        "clock.behind": (.unknown, times { shifted($0, by: -3_600_000) }),
        "clock.ahead": (.works, times { shifted($0, by: 3_600_000) }),
        "time.zone.time-in-another-zone": (.unknown, times { String($0.dropLast(5)) + "+0300" }),
        "time.zone.time-without-zone": (.works, times { String($0.dropLast(5)) }),
        "refund-name.in-operation": (
            .works,
            reports { report in
                guard let name = report["payment"]?["merchant_refund_id"] else { return report }
                let bare = report.without("payment", "merchant_refund_id")
                if bare["operation"] != nil { return bare.putting(name, at: "operation", "merchant_refund_id") }
                guard var list = bare["operations"]?.array, let last = list.popLast() else { return bare }
                return bare.putting(.array(list + [last.adding("merchant_refund_id", name)]), at: "operations")
            }
        ),
        "refund-name.nowhere": (.unknown, reports { $0.without("payment", "merchant_refund_id") }),
        "names.neither.missing-in-operations": (.unknown, operations { $0.without("request_id") }),
        "names.neither.neither": (
            .unknown,
            reports { report in
                let bare = report.without("payment", "merchant_refund_id").without("operation", "request_id")
                return bare.changing("operations") { list in
                    list?.array.map { .array($0.map { $0.without("request_id") }) } ?? list
                }
            }
        ),
        "status.unknown-form.unknown-as-400": (.works, unknown(400)),
        "status.unknown-form.unknown-as-404": (.works, unknown(404)),
        "ack.no-request-id": (.unknown, acks { $0.without("request_id") }),
        "ack.no-payment-id": (.works, acks { $0.without("payment_id") }),
        "ack.with-code-and-message": (.works, acks { $0.adding("code", "").adding("message", "") }),
        "word.cancelled": (.works, words { $0 == "canceled" ? "cancelled" : $0 }),
        "word.unlisted": (.unknown, words { $0 == "success" ? "finished" : $0 }),
        "word.other-case": (.unknown, words { $0 == "success" ? "Success" : $0 }),
        "callback.delivery.twice": (.works, callbacks { [$0, $0] }),
        "callback.delivery.none": (.unknown, callbacks { _ in [] }),
        "callback.members.no-project": (.works, callbacks { [$0.without("project_id")] }),
        "callback.members.no-sum": (.works, callbacks { [$0.without("payment", "sum")] }),
        "callback.members.no-operation": (.unknown, callbacks { [$0.without("operation")] }),
        "callback.members.payment-word-only": (.unknown, callbacks { [$0.without("operation", "status")] }),
        "callback.members.no-request-id": (.unknown, callbacks { [$0.without("operation", "request_id")] }),
        "callback.members.no-date": (
            .works, callbacks { [$0.without("operation", "date").without("payment", "date")] }
        ),
        "code.form.code-as-number": (.works, operations(numbered)),
        "code.form.no-code": (.works, operations { $0.without("code") }),
        "ids.form.ids-as-text": (
            .works, operations { $0.changing("id") { id in id?.number.map { .string($0.text) } ?? id } }
        ),
        "account.no-account": (.works, reports { $0.without("account") }),
        "account.without-expiry": (
            .works, reports { $0.without("account", "expiry_month").without("account", "expiry_year") }
        ),
        "saved-by-sale.next-session": (.works, reports { $0.without("account", "id") }),
    ]

    static let answers: [String: PlayedReading<EcommpaySimulator.State>] = [
        "list.payment-method.not-needed": (.works, rule { $0.wantsMethod = false }),
        "list.none.empty-object": (
            .works, lists { $0["accounts"]?.array?.isEmpty == true ? $0.without("accounts") : $0 }
        ),
        "list.none.none-as-3241": (
            .works,
            EcommpayReading {
                $0.answer = { exchange, said, status in
                    guard exchange.posts("/saved_account/list"), said["accounts"]?.array?.isEmpty == true else {
                        return
                    }
                    (said, status) = (["status": "error", "code": "3241", "message": "Customer not found"], 400)
                }
            }
        ),
        "list.tokens.tokens-masked": (
            .unknown,
            accounts { $0.changing("token") { $0?.string.map { .string($0.prefix(4) + "****" + $0.suffix(4)) } } }
        ),
        "list.tokens.tokens-missing": (.unknown, accounts { $0.without("token") }),
        "list.order.newest-first": (
            .works, lists { $0.changing("accounts") { .array(($0?.array ?? []).reversed()) } }
        ),
        "delete.answer.status-only": (.works, deleted { $0.without("message") }),
        "delete.answer.other-word": (.works, deleted { $0.putting("deleted", at: "status") }),
    ]

    /// What becomes of each time that a report tells.
    private static func times(_ change: @escaping @Sendable (String) -> String) -> EcommpayReading {
        reports { report in
            ReplyFalsifier.changing(["date", "created_date"], in: report) { $0.string.map { .string(change($0)) } }
        }
    }

    @Sendable private static func shifted(_ time: String, by milliseconds: Int64) -> String {
        guard let at = Timestamp(time)?.milliseconds else { return time }
        return EcommpaySimulator.time(at + milliseconds).string ?? time
    }

    /// What becomes of each word about a payment or an operation.
    private static func words(_ change: @escaping @Sendable (String) -> String) -> EcommpayReading {
        reports { report in
            ReplyFalsifier.changing(["status"], in: report) { $0.string.map { .string(change($0)) } }
        }
    }

    private static func unknown(_ refusal: Int) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in
                guard exchange.posts("/v2/payment/status"), said["payment"]?["status"]?.string == "error" else {
                    return
                }
                (said, status) = (["errors": said["errors"] ?? [], "status": "error", "code": "3061"], refusal)
            }
        }
    }

    private static func acks(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in if isChange(exchange), status == 200 { said = change(said) } }
        }
    }

    private static func lists(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in
                if exchange.posts("/saved_account/list"), status == 200 { said = change(said) }
            }
        }
    }

    private static func accounts(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        lists { $0.changing("accounts") { .array(($0?.array ?? []).map(change)) } }
    }

    private static func deleted(_ change: @escaping @Sendable (JSON) -> JSON) -> EcommpayReading {
        EcommpayReading {
            $0.answer = { exchange, said, status in
                if exchange.posts("/saved_account/delete"), status == 200 { said = change(said) }
            }
        }
    }
}
