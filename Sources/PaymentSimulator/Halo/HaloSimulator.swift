public import PaymentBase
public import PaymentTransport

/// Halo, simulated: a kernel server that takes taps and PINs, keeps records, and knows a reference when it comes again.
public final class HaloSimulator: PlayingProvider {
    /// How long after the tap card data is taken, in milliseconds.
    public static let tapMilliseconds: Int64 = 60_000
    /// How long after the first submission a PIN is taken, in milliseconds.
    public static let pinMilliseconds: Int64 = 115_000
    /// How long a reader token lives, in milliseconds.
    public static let readerTokenMilliseconds: Int64 = 48 * 3_600_000
    /// The largest amount that it takes, in minor units.
    public static let amountMax: Int64 = 1_000_000_000
    /// The longest reference.
    public static let referenceCharactersMax = 64
    /// How many records it keeps.
    public static let recordsMax = 200_000

    let clock: any PaymentClock
    let state: Locked<State>
    let reading = Locked(ProviderReading<State>())
    /// The merchant whose tokens it takes.
    public let merchant: HaloMerchant
    /// The key of the back office.
    public let officeKey: Secret
    public let name: String
    public let members = ReplyFields(
        amounts: ["amount"], currencies: ["currency"],
        references: ["merchantReference", "merchantTransactionReference"],
        words: ["type", "transactionDispositionId"])

    /// Opens the provider.
    public init(
        clock: any PaymentClock, name: String = "halo", merchant: HaloMerchant = HaloMerchant(),
        officeKey: Secret = Secret("halo-simulated-office-key")
    ) {
        (self.clock, self.name, self.merchant, self.officeKey) = (clock, name, merchant, officeKey)
        state = Locked(State(merchant: merchant, officeKey: officeKey))
    }

    public var ledger: Ledger { state.withLock { $0.ledger } }
    public var standing: Ledger.Summary { state.withLock { $0.ledger.standing } }
    /// How many reader tokens were given out.
    public var readerTokenCount: Int { state.withLock { $0.readerTokenCount } }
    /// Refuses every token that was used so far.
    public func revokeTokens() { state.withLock { $0.revoked.formUnion($0.known.names) } }
    public func reset() {
        state.withLock { [merchant, officeKey] in $0 = State(merchant: merchant, officeKey: officeKey) }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        readAnswer(request, Self.routes, now: clock.now)
    }

    static func number(_ state: inout State) -> String {
        state.nextNumber += 1
        let digits = String(state.nextNumber)
        return "62e557d5-fdf3-4f07-a4cb-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
