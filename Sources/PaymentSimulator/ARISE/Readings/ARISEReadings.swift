internal import PaymentBase
internal import PaymentTransport

/// What a reading changes in the books of the simulated provider.
struct ARISERules: ReadingRules {
    /// A payment that fails inside has charged the card all the same.
    var chargesWhatFails = false
    /// A rate of nought counts as none said: the merchant's own is added.
    var takesNoughtForNothing = false
    /// The amount of a sale holds the tip.
    var tipIsInside = false
    /// A part that is approved has a word of its own.
    var namesParts = true
}

typealias ARISEReading = ProviderReading<ARISESimulator.State>

extension ARISESimulator: VariantProvider {
    public static let readings = listed("arise", ARISEReadingList.text)

    public func play(_ reading: String) -> Bool { begin(reading, of: Self.readings, "arise") }

    static let played: [String: PlayedReading<State>] = ARISEReadings.money.merging(ARISEReadings.forms) { one, _ in one
    }
    .merging(ARISEReadings.doors) { one, _ in one }
}

/// What the simulated provider plays; here what touches money and the state of transactions.
enum ARISEReadings {
    static let money: [String: PlayedReading<ARISESimulator.State>] = [
        "failed.may-have-charged/3": (.unknown, rule { $0.chargesWhatFails = true }),
        "surcharge-rate.zero/2": (.unknown, rule { $0.takesNoughtForNothing = true }),
        "sale.amount-includes-tip/2": (.unknown, rule { $0.tipIsInside = true }),
        "approval.less-than-asked/2": (.unknown, rule { $0.namesParts = false }),
        "order-number.server-made/2": (.stopsOrOpen("referenceEcho"), orderNumbers { _ in "1000042" }),
        "order-number.server-made/3": (.works, orderNumbers { _ in nil }),
        "order-number.server-made/4": (.works, orderNumbers { .string($0.uppercased()) }),
        "tap.external-reference/2": (
            .stopsOrOpen("referenceEcho"), taps { $0.putting("gateway-7", at: "externalReferenceID") }
        ),
        "tap.external-reference/3": (.works, taps { $0.without("externalReferenceID") }),
        "double.dust/2": (.works, amounts { number in .number(number.dusty) }),
        "double.dust/3": (.works, amounts { .string($0.text) }),
        "double.dust/4": (
            .works, amounts { number in .number(number.int64.map { JSONNumber($0) } ?? number) }
        ),
        "tap.outcome-words/3": (
            .unknown,
            taps { tap in
                tap.changing("transactionOutcome") { $0?.string == "APPROVED" ? "FAILED" : $0 }
            }
        ),
        "tap.outcome-words/5": (
            .works, taps { tap in tap.changing("transactionOutcome") { $0?.string == "APPROVED" ? "Approved" : $0 } }
        ),
        "tap.authorized-amount-unit/2": (
            .works, taps { tap in tap.changing("authorizedAmount") { cents($0, width: 0) } }
        ),
        "tap.authorized-amount-unit/3": (
            .works, taps { tap in tap.changing("authorizedAmount") { cents($0, width: 12) } }
        ),
        "tap.authorized-amount-unit/4": (
            .unknown, taps { tap in tap.changing("authorizedAmount") { $0?.string.map { .string("$" + $0) } } }
        ),
        "available-operations.null/2": (.unknown, offers { _ in nil }),
        "available-operations.null/3": (
            .unknown,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    if exchange.isDetails { said = said.without("availableOperations") }
                }
            }
        ),
        "available-amount.null/2": (
            .unknown, offers { .array(($0.array ?? []).map { $0.putting(.null, at: "availableAmount") }) }
        ),
        "follow-up.no-receipt/2": (
            .unknown,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    if isFollowUp(exchange) { said = said.putting(.null, at: "transactionReceipt") }
                }
            }
        ),
        "refund.state-after-part/2": (
            .works,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.isDetails, said["status"]?.string == "Settled",
                        let left = said["availableOperations"]?[0]?["availableAmount"]?.number,
                        let total = said["amount"]?["totalAmount"]?.number, left != total
                    else { return }
                    said = said.putting("Refunded", at: "status").putting(4, at: "statusId")
                }
            }
        ),
        "void.state-after/2": (
            .works,
            ARISEReading {
                $0.answer = { exchange, said, _ in
                    guard exchange.isDetails, said["status"]?.string == "Voided" else { return }
                    said = said.putting("Cancelled", at: "status").without("statusId")
                }
            }
        ),
    ]

    // MARK: How they are made

    static func rule(_ change: (inout ARISERules) -> Void) -> ARISEReading { ARISEReading { change(&$0.rules) } }

    @Sendable static func isFollowUp(_ exchange: ReadingExchange) -> Bool {
        ["/capture", "/void", "/return", "/tip-adjustment"].contains { exchange.posts("/transactions" + $0) }
    }

    /// What becomes of the order number wherever it stands.
    private static func orderNumbers(_ change: @escaping @Sendable (String) -> JSON?) -> ARISEReading {
        @Sendable func changed(_ json: JSON) -> JSON {
            json.changing("orderNumber") { old in old?.string.flatMap(change) }
                .changing("transactionReceipt") { receipt in
                    receipt?.changing("orderNumber") { old in old?.string.flatMap(change) }
                }
        }
        return ARISEReading { $0.answer = { _, said, _ in if said["items"] == nil { said = changed(said) } } }
    }

    /// What the answer to a tap becomes.
    private static func taps(_ change: @escaping @Sendable (JSON) -> JSON) -> ARISEReading {
        ARISEReading {
            $0.answer = { _, said, _ in if said["transactionOutcome"] != nil { said = change(said) } }
        }
    }

    /// How amounts are written in every answer about a transaction.
    private static func amounts(_ change: @escaping @Sendable (JSONNumber) -> JSON) -> ARISEReading {
        let names: Set<String> = ["processedAmount", "totalAmount", "availableAmount", "tipAmount"]
        return ARISEReading {
            $0.answer = { _, said, _ in
                said = ReplyFalsifier.changing(names, in: said) { $0.number.map(change) }
            }
        }
    }

    /// What a transaction offers, everywhere.
    private static func offers(_ change: @escaping @Sendable (JSON) -> JSON?) -> ARISEReading {
        @Sendable func changed(_ json: JSON) -> JSON { json.changing("availableOperations") { $0.flatMap(change) } }
        return ARISEReading {
            $0.answer = { _, said, _ in
                said = changed(said).changing("transactionReceipt") { $0.map(changed) }
                    .changing("items") { list in list?.array.map { .array($0.map(changed)) } ?? list }
            }
        }
    }

    /// An amount in major units as its smallest ones, with noughts before them.
    private static func cents(_ json: JSON?, width: Int) -> JSON? {
        guard let units = json?.string.flatMap({ try? JSONNumber($0) })?.scaled(places: 2) else { return json }
        let text = String(units)
        return .string(String(repeating: "0", count: max(0, width - text.count)) + text)
    }
}

extension JSONNumber {
    /// The same as a binary number may be written: a hair too much.
    fileprivate var dusty: JSONNumber {
        let point = text.contains(".") ? text : text + ".0"
        let digits = point.split(separator: ".")[1].count
        return (try? JSONNumber(point + String(repeating: "0", count: max(0, 14 - digits)) + "1")) ?? self
    }
}

extension ReadingExchange {
    /// Whether everything about one transaction is read.
    var isDetails: Bool {
        gets("/pay-api/v1/transactions/") && !path.hasSuffix("/calculate-amount")
    }
}
