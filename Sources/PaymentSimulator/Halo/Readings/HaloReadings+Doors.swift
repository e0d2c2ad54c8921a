internal import PaymentBase
internal import PaymentTransport

/// Readings of forms, and of what has to be there before anything is done.
extension HaloReadings {
    static let answers: [String: PlayedReading<HaloSimulator.State>] = [
        "status.codes/2": (.works, HaloReading { $0.answer = { _, _, status in if status == 201 { status = 200 } } }),
        "status.codes/3": (
            .works,
            HaloReading {
                $0.answer = { _, said, status in
                    guard let answer = said["onlineAuthorizationResponse"], status == 201 else { return }
                    status = answer["type"]?.string == "Approved" ? 200 : 402
                }
            }
        ),
        "response-code.form/2": (.works, responseCode { .number(JSONNumber(Int64($0) ?? 0)) }),
        "response-code.form/3": (.works, responseCode { .string(String(Int64($0) ?? 0)) }),
        "response-code.form/4": (.works, responseCode { _ in nil }),
        "webhook.amount/2": (.works, HaloReading { $0.message = { $0.changing("amount") { _ in "15.50" } } }),
        "webhook.amount/3": (.works, HaloReading { $0.message = { $0.without("amount") } }),
        "webhook.subject/2": (.works, HaloReading { $0.message = { $0.without("haloReference") } }),
        "webhook.subject/3": (.works, HaloReading { $0.message = { $0.putting(.null, at: "merchantReference") } }),
        "code-spelling/3": (
            .works,
            HaloReading {
                $0.answer = { _, said, _ in
                    said = said.changing("errorCode") { code in code?.number.map { .string($0.text) } ?? code }
                }
            }
        ),
        "tap-age/3": (.works, expired { $0.without("message") }),
        "tap-age/4": (.works, expired { $0.without("errorCode") }),
        "list.filters/2": (.works, rule { $0.filtersInMajorUnits = true }),
        "proximity.members/2": (
            .works,
            readerToken { token in
                ["expiresAt", "issuedAt"].reduce(token) { said, name in
                    said.changing(name) { time in
                        time?.string.flatMap { Timestamp($0)?.milliseconds }
                            .map { .number(JSONNumber($0 / 1_000)) } ?? time
                    }
                }
            }
        ),
        "proximity.members/3": (.works, readerToken { $0.without("expiresAt") }),
        "proximity.members/4": (.works, readerToken { ["token": $0] }),
    ]

    static let doors: [String: PlayedReading<HaloSimulator.State>] = [
        "passthrough/2": (.stopsOrOpen("passthroughFields"), wantsFields { $0 == nil }),
        "passthrough/3": (.stopsOrOpen("passthroughFields"), wantsFields { $0?.object == nil }),
        "passthrough/4": (.stopsOrOpen("passthroughFields"), wantsFields { $0?.string == nil }),
        "location.required/2": (
            .stopsOrOpen("location"),
            refusing { $0.posts("/transactions/apple") && $0.headers["X-Location"] == nil }
        ),
        "installation-id/2": (.stopsOrOpen("register"), tapsRefused(400, 136, "unknown installation")),
        "jwt.algorithm/2": (.stops("algorithm"), allRefused(401, 126, "signing algorithm")),
        "refund.key/2": (
            .stopsOrOpen("officeKey"),
            HaloReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/refund"), exchange.headers["Authorization"] != nil else { return nil }
                    return HaloSimulator.refuse(401, 102, "one access at a time")
                }
            }
        ),
        "refund.key/3": (
            .stopsOrOpen("officeKey"),
            HaloReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/refund"), exchange.headers["x-api-key"] != nil else { return nil }
                    return HaloSimulator.refuse(401, 102, "no key is taken here")
                }
            }
        ),
        "proximity.500/2": (
            .works,
            HaloReading {
                $0.instead = { exchange, _ in
                    exchange.posts("/proximity-token") ? HaloSimulator.refuse(403, 101, "missing right") : nil
                }
            }
        ),
        "currency.one/2": (
            .stops("currencies"),
            HaloReading {
                $0.instead = { exchange, _ in
                    guard exchange.posts("/transactions/apple"),
                        let tap = TapPayload(exchange.body?["paymentCardData"]?.string), tap.amount.currency != "ZAR"
                    else { return nil }
                    return HaloSimulator.refuse(400, 302, "invalid currency")
                }
            }
        ),
        "devices.path/2": (
            .works,
            HaloReading {
                $0.instead = { exchange, _ in
                    exchange.gets("/devices") ? HaloSimulator.refuse(404, 122, "nothing here") : nil
                }
            }
        ),
    ]

    private static func responseCode(_ change: @escaping @Sendable (String) -> JSON?) -> HaloReading {
        HaloReading {
            $0.answer = { _, said, _ in
                said = said.changing("onlineAuthorizationResponse") { answer in
                    answer?.changing("isoResponseCode") { $0?.string.flatMap { $0.isEmpty ? nil : change($0) } }
                }
                guard case .array(let records) = said else { return }
                said = .array(records.map { $0.changing("responseCode") { $0?.string.flatMap(change) } })
            }
        }
    }

    private static func expired(_ change: @escaping @Sendable (JSON) -> JSON) -> HaloReading {
        HaloReading {
            $0.answer = { _, said, _ in
                if said["message"]?.string == "Request Expired" { said = change(said) }
            }
        }
    }

    private static func readerToken(_ change: @escaping @Sendable (JSON) -> JSON) -> HaloReading {
        HaloReading {
            $0.answer = { exchange, said, status in
                if exchange.posts("/proximity-token"), status == 200 { said = change(said) }
            }
        }
    }

    private static func wantsFields(_ isMissing: @escaping @Sendable (JSON?) -> Bool) -> HaloReading {
        refusing { $0.posts("/transactions/apple") && isMissing($0.body?["passthroughFields"]) }
    }

    private static func tapsRefused(_ status: Int, _ code: Int64, _ message: String) -> HaloReading {
        HaloReading {
            $0.instead = { exchange, _ in
                exchange.posts("/transactions/apple") ? HaloSimulator.refuse(status, code, message) : nil
            }
        }
    }

    private static func allRefused(_ status: Int, _ code: Int64, _ message: String) -> HaloReading {
        HaloReading { $0.instead = { _, _ in HaloSimulator.refuse(status, code, message) } }
    }
}
