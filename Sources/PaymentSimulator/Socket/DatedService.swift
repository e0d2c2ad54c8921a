internal import PaymentBase
internal import PaymentTransport

/// Answers as another service does, with the time of the sandbox's clock in the head.
struct DatedService: SimulatorService {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private let inner: any SimulatorService
    private let clock: SimulatorClock

    init(_ inner: any SimulatorService, _ clock: SimulatorClock) { (self.inner, self.clock) = (inner, clock) }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let answer = await inner.answer(request)
        guard case .reply(var response) = answer, response.headers["Date"] == nil else { return answer }
        response.headers["Date"] = Self.date(clock.now)
        return .reply(response)
    }

    /// A moment as heads have it: `Sat, 21 Nov 2026 20:08:58 GMT`.
    static func date(_ milliseconds: Int64) -> String? {
        guard let text = Timestamp(milliseconds: milliseconds)?.text() else { return nil }
        let parts = text.split(whereSeparator: { "-T:.Z".contains($0) }).map(String.init)
        guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else { return nil }
        // The first day of 1970 was a Thursday.
        let day = days[Int((milliseconds / 86_400_000 + 4) % 7)]
        return "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
