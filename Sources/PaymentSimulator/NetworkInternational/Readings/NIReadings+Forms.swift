internal import PaymentBase
internal import PaymentTransport

/// Readings of lists, of forms, and of what has to be there before anything is done.
extension NIReadings {
    static let forms: [String: PlayedReading<NISimulator.State>] = [
        "list.reference/2": (
            .unknown, items { $0.changing("reference") { $0?.string.map { .string("payment-" + $0) } } }
        ),
        "list.order/2": (.works, list { $0.reversed() }),
        "list.delay/2": (.unknown, list { _ in [] }),
        "list.time-zone/2": (
            .unknown,
            items { item in
                item.changing("createdDateTime") { time in
                    time?.string.flatMap { Timestamp($0)?.milliseconds }
                        .map { .string(NISimulator.time($0 + 4 * 3_600_000)) } ?? time
                }
            }
        ),
        "list.amounts/2": (
            .works,
            items { $0.changing("amount") { text in number(text) }.changing("refundedAmount") { text in number(text) } }
        ),
        "list.amounts/3": (
            .unknown,
            items { $0.changing("amount") { text in text?.string.map { .string($0.replacing(".", with: "")) } } }
        ),
        "list.amounts/4": (
            .unknown, items { $0.changing("amount") { text in text?.string.map { .string("AED " + $0) } } }
        ),
        "list.actions/3": (
            .works, items { $0.changing("action") { $0?.string == "PURCHASE" ? "SALE" : $0 } }
        ),
        "decline.shape/2": (
            .works,
            payments { said, status in
                guard said["state"]?.string == "FAILED" else { return }
                (said, status) = (["errors": [["errorCode": "113", "message": "Declined"]]], 422)
            }
        ),
        "decline.shape/3": (
            .works, payments { said, _ in said = said.changing("state") { $0?.string == "FAILED" ? "DECLINED" : $0 } }
        ),
        "decline.shape/4": (
            .works,
            payments { said, _ in
                if said["state"]?.string == "FAILED" { said = said.putting(.null, at: "authResponse") }
            }
        ),
        "decline.shape/5": (
            .unknown,
            payments { said, _ in if isApproved(said) { said = said.putting(false, at: "authResponse", "success") } }
        ),
        "error-codes.on-wire/2": (.works, errors { _ in "validationFailed" }),
        "error-codes.on-wire/3": (.works, errors { number($0) }),
        "error-codes.on-wire/4": (
            .works, NIReading { $0.answer = { _, said, status in if status >= 400 { said = ["message": "refused"] } } }
        ),
        "amount.number-form/2": (
            .works,
            NIReading {
                $0.answer = { _, said, _ in
                    said = ReplyFalsifier.changing(["value"], in: said) { value in
                        value.int64.flatMap { try? JSONNumber("\($0).0") }.map { .number($0) }
                    }
                }
            }
        ),
        "amount.number-form/3": (
            .works,
            NIReading {
                $0.answer = { _, said, _ in
                    said = ReplyFalsifier.changing(["value"], in: said) { $0.int64.map { .string(String($0)) } }
                }
            }
        ),
        "capture.amount-top/2": (.works, captureTop(7_700)), "capture.amount-top/3": (.works, captureTop(1)),
        "webhook.softpos/2": (.unknown, NIReading { $0.message = { _ in nil } }),
        "webhook.softpos/3": (.unknown, NIReading { $0.message = { ["event": $0["eventName"] ?? ""] } }),
        "webhook.softpos/4": (.unknown, rule { $0.signsWebhooks = false }),
    ]

    static let doors: [String: PlayedReading<NISimulator.State>] = [
        "auth.scheme/2": (
            .stopsOrOpen("scheme"),
            NIReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/auth/access-token"),
                        exchange.headers["Authorization"]?.hasPrefix("Basic ") != true
                    else { return nil }
                    return NISimulator.refuse(401, "111", "Basic is wanted")
                }
            }
        ),
        "auth.scheme/3": (
            .works,
            NIReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/auth/access-token"),
                        exchange.headers["Authorization"]?.hasPrefix("Bearer ") != true
                    else { return nil }
                    return NISimulator.refuse(401, "111", "Bearer is wanted")
                }
            }
        ),
        "auth.life/2": (.works, tokens { $0.putting(300, at: "expires_in") }),
        "auth.life/3": (.works, tokens { $0.changing("expires_in") { $0?.number.map { .string($0.text) } } }),
        "auth.life/4": (.works, tokens { $0.without("expires_in") }),
        "currencies.uae/2": (.stopsOrOpen("currencies"), takesOnly(["AED"])),
        "currencies.uae/3": (.stopsOrOpen("currencies"), takesOnly(["AED", "USD"])),
        "base-path/2": (
            .stopsOrOpen("basePath"),
            NIReading {
                $0.instead = { exchange, _ in
                    exchange.path.hasPrefix("/softpos/") ? NISimulator.refuse(404, "", "there is nothing here") : nil
                }
            }
        ),
    ]

    @Sendable private static func number(_ json: JSON?) -> JSON? {
        json?.string.flatMap { try? JSONNumber($0) }.map { .number($0) } ?? json
    }

    private static func list(_ change: @escaping @Sendable ([JSON]) -> [JSON]) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, _ in
                guard exchange.gets("/softpos/reporting/payments") else { return }
                said = said.changing("items") { .array(change($0?.array ?? [])) }
            }
        }
    }

    private static func items(_ change: @escaping @Sendable (JSON) -> JSON) -> NIReading { list { $0.map(change) } }

    private static func payments(_ change: @escaping @Sendable (inout JSON, inout Int) -> Void) -> NIReading {
        NIReading { $0.answer = { exchange, said, status in if isPayment(exchange) { change(&said, &status) } } }
    }

    private static func errors(_ change: @escaping @Sendable (JSON?) -> JSON?) -> NIReading {
        NIReading {
            $0.answer = { _, said, _ in
                said = said.changing("errors") { list in
                    list?.array.map { .array($0.map { $0.changing("errorCode", to: change) }) } ?? list
                }
            }
        }
    }

    private static func captureTop(_ units: Int64) -> NIReading {
        NIReading {
            $0.answer = { exchange, said, status in
                guard exchange.posts("/capture"), status == 200 else { return }
                said = said.putting(.number(JSONNumber(units)), at: "amount", "value")
            }
        }
    }

    private static func tokens(_ change: @escaping @Sendable (JSON) -> JSON) -> NIReading {
        NIReading { $0.answer = { _, said, _ in if said["access_token"] != nil { said = change(said) } } }
    }

    private static func takesOnly(_ currencies: Set<String>) -> NIReading {
        NIReading {
            $0.instead = { exchange, _ in
                guard isPayment(exchange), let tap = TapPayload(exchange.body?["payment"]?.string),
                    !currencies.contains(tap.amount.currency)
                else { return nil }
                return NISimulator.refuse(400, "202", "the currency is not taken")
            }
        }
    }
}
