/// When a simulated provider sends a message again that nobody has taken.
public struct DeliverySchedule: Sendable {
    /// How long it waits after so many tries, in milliseconds; nil when it was the last one.
    public let milliseconds: @Sendable (Int) -> Int64?
    /// The status codes of a receiver that has taken the message.
    public let accepted: ClosedRange<Int>

    /// Makes a schedule.
    public init(accepted: ClosedRange<Int> = 200...299, _ milliseconds: @escaping @Sendable (Int) -> Int64?) {
        (self.accepted, self.milliseconds) = (accepted, milliseconds)
    }

    /// Nine tries: at once, then after 10 s, 30 s, 1 min, 5 min, 15 min, 1 h, 4 h and 12 h.
    public static let usual = DeliverySchedule { tries in
        let waits: [Int64] = [10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000]
        return (1...waits.count).contains(tries) ? waits[tries - 1] : nil
    }
}
