internal import PaymentBase

/// The steps of payments under way that the provider tells by callbacks: the Gate's status has no place for most of
/// them.
///
/// Whoever follows a payment expects its steps; a callback that comes to the same process brings one. Each is handed
/// over once, however often its callback is sent.
final class EcommpaySteps: Sendable {
    private struct Followed: Sendable {
        var steps: [EcommpayReport] = []
        /// The signatures of the callbacks that were heard.
        var heard: Set<String> = []
        var followers = 1
    }

    /// How many callbacks of one payment are kept at most; it has a handful of steps.
    static let heardMax = 64

    private let payments = Locked([String: Followed]())

    /// Keeps the steps of a payment from now on.
    func expect(_ payment: String) {
        payments.withLock { payments in
            if payments[payment] == nil { payments[payment] = Followed() } else { payments[payment]?.followers += 1 }
        }
    }

    /// Forgets a payment that nobody follows any more.
    func forget(_ payment: String) {
        payments.withLock { payments in
            payments[payment]?.followers -= 1
            if payments[payment]?.followers ?? 0 <= 0 { payments[payment] = nil }
        }
    }

    /// Keeps a step for whoever follows its payment.
    func tell(_ report: EcommpayReport, _ signature: String) {
        payments.withLock { payments in
            guard report.question != nil, var followed = payments[report.payment],
                followed.heard.count < Self.heardMax, followed.heard.insert(signature).inserted
            else { return }
            followed.steps.append(report)
            payments[report.payment] = followed
        }
    }

    /// The next step of a payment, which is handed over once.
    func take(_ payment: String) -> EcommpayReport? {
        payments.withLock { payments in
            guard payments[payment]?.steps.isEmpty == false else { return nil }
            return payments[payment]?.steps.removeFirst()
        }
    }
}
