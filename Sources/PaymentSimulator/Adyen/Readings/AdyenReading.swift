internal import PaymentBase
internal import PaymentTransport

/// How the simulated provider behaves under one reading of the documents; what it leaves alone is as usual.
struct AdyenReading: Sendable {
    /// A question about a message, with how often it was asked before.
    struct Question {
        let key: String
        let earlier: Int
        let header: JSONObject
    }

    /// What a terminal puts on top of a payment's amount, in minor units of every currency.
    var extra: Int64 = 0
    /// What becomes of a tip that the till sends: how much is charged on top, and how much the answer names; of none the
    /// answer names nothing.
    var tip: @Sendable (Int64) -> (charged: Int64, named: Int64) = { ($0, $0) }
    /// What a terminal's answer to a payment becomes, before it is remembered and given.
    var payment: @Sendable (JSON) -> JSON = { $0 }
    /// The same for a refund to whatever card is presented.
    var cardRefund: @Sendable (JSON) -> JSON = { $0 }
    /// What the answer to a refund at the terminal becomes.
    var reversal: @Sendable (JSON) -> JSON = { $0 }
    /// What a terminal says about another message.
    var status: @Sendable (JSON, Question) -> JSON = { said, _ in said }
    /// Whether a terminal hears that a payment is to end: by how often it was told so before.
    var hearsAbort: @Sendable (Int) -> Bool = { _ in true }
    /// What is answered to who ends a payment; nil for an empty answer.
    var abort: @Sendable (NexoRequest, String) -> SimulatorResponse? = { _, _ in nil }
    /// What the cloud answers where it doesn't wait for the terminal.
    var taken: SimulatorResponse?
    /// What the back office answers; `isRepeat` says that the key came before.
    var office: @Sendable (String, _ isRepeat: Bool, JSON, Int) -> (JSON, Int) = { _, _, said, status in (said, status)
    }
    /// What one item of a webhook becomes before it is signed; nil for one that is not sent.
    var item: @Sendable (JSON) -> JSON? = { $0 }
    /// What is sent beside or instead of one signed item.
    var items: @Sendable ([JSON]) -> [[JSON]] = { [$0] }

    init(_ build: (inout AdyenReading) -> Void = { _ in }) { build(&self) }

    /// What is put on top of an amount; nothing where nothing would be left.
    func added(to units: Int64) -> Int64 { units + extra > 0 ? extra : 0 }

    /// One of payments alone.
    static func payment(_ change: @escaping @Sendable (JSON) -> JSON) -> AdyenReading {
        AdyenReading { $0.payment = change }
    }

    /// Every reading that can be played, with what is expected of an adapter.
    static let played: [String: (word: BehaviorVariant.Expectation, reading: AdyenReading)] =
        payments.merging(terminals) { one, _ in one }.merging(offices) { one, _ in one }
}

extension AdyenSimulator: VariantProvider {
    public static let readings: [BehaviorVariant] = AdyenReading.list.split(separator: "\n").map { line in
        let parts = line.split(separator: "|", maxSplits: 2).map(String.init)
        let (isUsual, name) = (parts[1].hasPrefix("*"), parts[1].drop { $0 == "*" })
        let word = AdyenReading.played["\(parts[0]).\(name)"]?.word
        return BehaviorVariant(place: "adyen.\(parts[0])", String(name), parts[2], isUsual: isUsual, word)
    }

    public func play(_ reading: String) -> Bool {
        guard let known = Self.readings.first(where: { $0.id == reading }) else { return false }
        if known.isUsual {
            state.withLock { $0.reading = AdyenReading() }
            return true
        }
        guard let played = AdyenReading.played[String(reading.dropFirst(6))] else { return false }
        state.withLock { $0.reading = played.reading }
        return true
    }
}
