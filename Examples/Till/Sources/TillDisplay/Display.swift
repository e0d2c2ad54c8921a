public import Payments

/// Draws a till's screen as a box of text: the sentence, then what belongs to the payment.
public struct Display: Sendable {
    /// The sentences of the screen.
    public var messages = CashierMessages.english
    /// How wide the box is inside, in letters.
    public static let width = 64

    /// Makes a display in English.
    public init() {}

    /// The box of a screen.
    public func box(_ screen: TillScreen) -> [String] {
        let rule = String(repeating: "─", count: Self.width + 2)
        let inside = wrapped(messages.sentence(for: screen)) + details(screen).flatMap(wrapped)
        return ["┌\(rule)┐"] + inside.map { "│ \(padded($0)) │" } + ["└\(rule)┘"]
    }

    /// What a screen shows beside its sentence.
    private func details(_ screen: TillScreen) -> [String] {
        switch screen {
        case .paid(let payment), .refunded(let payment): ["\(payment.approved)", card(payment.card), "\(payment.id)"]
        case .declined(let reason): [reason.rawValue]
        case .preparing(let percent): ["\(percent) %"]
        case .unsuitable(let reasons): reasons
        case .pending(let attempt), .unknown(let attempt): ["\(attempt)"]
        case .starting, .needsLocation, .terms, .ready, .paying, .cancelled, .failed: []
        }
    }

    /// The card under one name for all providers; the provider's own word where no list has it.
    private func card(_ card: CardSummary?) -> String {
        let words = [
            card?.scheme?.rawValue ?? card?.brand, card?.last4.map { "…\($0)" },
            card?.entryMode?.rawValue ?? card?.entry,
            card?.fundingSource?.rawValue ?? card?.funding,
        ]
        return words.compactMap(\.self).joined(separator: " ")
    }

    private func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= Self.width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word.prefix(Self.width)))
            }
        }
        return lines
    }

    private func padded(_ text: String) -> String { text + String(repeating: " ", count: Self.width - text.count) }
}
