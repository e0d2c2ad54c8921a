internal import PaymentBase
internal import PaymentTransport

/// Readings of words and numbers, of lists, and of what has to be there before anything is done.
extension ARISEReadings {
    static let forms: [String: PlayedReading<ARISESimulator.State>] = [
        "currency.id/2": (.works, named(["currencyId"]) { _ in 840 }),
        "currency.id/4": (.works, named(["currencyId"]) { _ in .null }),
        "status.spelling/2": (.works, named(["status"]) { $0.string.map { .string($0.lowercased()) } }),
        "status.spelling/3": (
            .works, named(["status"]) { $0.string == "PartiallyAuthorized" ? "Partially Authorized" : $0 }
        ),
        "status.spelling/4": (
            .unknown,
            named(["status"]) { $0.string == "Captured" ? "Approved" : $0 }
        ),
        "status.spelling/5": (.works, named(["status"]) { _ in .null }),
        "details.code/2": (.works, code { $0 == "Approve" ? "Approved" : .string($0) }),
        "details.code/3": (.works, code { $0 == "Approve" ? "00" : .string($0) }),
        "details.code/4": (.works, code { $0 == "Approve" ? 0 : $0 == "Decline" ? 1 : 2 }),
        "decline.http/2": (.works, declined(402)), "decline.http/3": (.unknown, declined(400)),
        "list.declined-amount/2": (
            .works, items { $0["status"]?.string == "Declined" ? $0.putting(0, at: "totalAmount") : $0 }
        ),
        "list.declined-amount/3": (
            .works, items { $0["status"]?.string == "Declined" ? $0.without("totalAmount") : $0 }
        ),
        "list.scope/3": (
            .unknown,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.gets("/pay-api/v1/transactions"), !exchange.isDetails else { return }
                    said = said.changing("items") { list in
                        .array(
                            (list?.array ?? []).filter { item in
                                let at = item["date"]?.string.flatMap { Timestamp($0)?.milliseconds }
                                return at.map { exchange.now - $0 > 300_000 } ?? true
                            })
                    }
                }
            }
        ),
        "dates.zone/2": (
            .unknown,
            named(["date", "transactionDateTime"]) { time in
                time.string.flatMap { Timestamp($0)?.milliseconds }
                    .flatMap { Timestamp(milliseconds: $0 - 5 * 3_600_000)?.text() }
                    .map { .string(String($0.dropLast())) } ?? time
            }
        ),
        "oauth.refresh/3": (.works, tokens { $0.without("refresh_token") }),
        "oauth.refresh/4": (.works, tokens { $0.changing("expires_in") { $0?.number.map { .string($0.text) } } }),
        "permissions.words/2": (.works, permissions { .string(names.indices.contains($0) ? names[$0] : "\($0)") }),
        "permissions.words/3": (.works, permissions { .string(String($0)) }),
        "permissions.words/4": (
            .works, permissions { ["id": .number(JSONNumber(Int64($0))), "name": "x", "enabled": true] }
        ),
    ]

    static let doors: [String: PlayedReading<ARISESimulator.State>] = [
        "permissions.needs-version/2": (.works, wantsVersion(400)),
        "permissions.needs-version/3": (.works, wantsVersion(406)),
        "ach-refund.whole-only/3": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    let isRefund = exchange.path.contains("/ach/") && exchange.path.hasSuffix("/refund")
                    return isRefund && exchange.body != nil ? ARISESimulator.invalid("no body is taken") : nil
                }
            }
        ),
        "conflict.status/2": (
            .works, ARISEReading { $0.answer = { _, _, status in if status == 409 { status = 400 } } }
        ),
        "activate.body/2": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/tap-to-pay/activate"), exchange.body != nil else { return nil }
                    return .reply(ARISESimulator.refusal(415, "", "", "no body is taken"))
                }
            }
        ),
        "oauth.client-auth/2": (
            .works,
            ARISEReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/oauth2/token"), exchange.headers["Authorization"] == nil else { return nil }
                    return .json(["error": "invalid_client"], status: 401)
                }
            }
        ),
    ]

    /// The names of the permissions by their numbers.
    private static let names = """
        posStartTransaction posGetTransactions posGetTransactionDetails posCancelTransaction posPrintReceipt
        getTerminalList getTerminalInformation ecommerceAuth ecommerceSale ecommerceCapture ecommerceVoid
        ecommerceRefund ecommerceRefundWithoutReference achDebit achCredit achVoid achHold achUnhold listTransactions
        getTransactionDetails calculateTransactionAmount submitTipAdjustment getSettlementBatches
        submitBatchForSettlement sendReceiptBySms listCustomers getCustomerDetails manageCustomers hostedInvoices
        hostedQuickPayment hostedSubscriptions hostedWebComponents hostedWooCommerce featureTapToPayOnMobile
        generalPing generalStatus generalConfigurations
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static func named(_ names: Set<String>, _ change: @escaping @Sendable (JSON) -> JSON?) -> ARISEReading {
        ARISEReading {
            $0.answer = { exchange, said, status in
                guard status == 200, exchange.path.contains("/transactions") else { return }
                said = ReplyFalsifier.changing(names, in: said, change)
            }
        }
    }

    private static func code(_ change: @escaping @Sendable (String) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { _, said, _ in
                guard said["details"]?.object != nil else { return }
                said = said.changing("details", "code") { $0?.string.map(change) }
            }
        }
    }

    private static func items(_ change: @escaping @Sendable (JSON) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { _, said, _ in
                said = said.changing("items") { list in list?.array.map { .array($0.map(change)) } ?? list }
            }
        }
    }

    private static func declined(_ refusal: Int) -> ARISEReading {
        ARISEReading {
            $0.answer = { exchange, said, status in
                guard exchange.method == "POST", said["status"]?.string == "Declined" else { return }
                status = refusal
                if refusal == 400 {
                    said = [
                        "details": "declined", "statusCode": 400, "source": "Transactions",
                        "exceptionType": "ValidationException", "errorCode": "V0000", "errors": [:],
                    ]
                }
            }
        }
    }

    private static func tokens(_ change: @escaping @Sendable (JSON) -> JSON) -> ARISEReading {
        ARISEReading { $0.answer = { _, said, _ in if said["access_token"] != nil { said = change(said) } } }
    }

    private static func permissions(_ change: @escaping @Sendable (Int) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { exchange, said, _ in
                guard exchange.gets("/api/available-api-permissions") else { return }
                said = said.changing("permissions") { list in
                    .array((list?.array ?? []).compactMap { $0.int64.map { change(Int($0)) } })
                }
            }
        }
    }

    private static func wantsVersion(_ status: Int) -> ARISEReading {
        ARISEReading {
            $0.instead = { exchange, _ in
                guard exchange.gets("/api/available-api-permissions"), exchange.headers["x-api-version"] != "1.0" else {
                    return nil
                }
                return .reply(ARISESimulator.refusal(status, "V0000", "ValidationException", "API version is required"))
            }
        }
    }
}
