/// The amounts of one payment at a simulated provider, with every movement on its ledger.
struct SimulatedPayment: Hashable, Sendable {
    /// What the ledger calls the payment.
    var name = ""
    /// The currency's code.
    var currency = ""
    /// What is set aside for the merchant.
    var held: Int64 = 0
    /// What the merchant got.
    var captured: Int64 = 0
    /// What of it was given back.
    var refunded: Int64 = 0

    /// What can still be given back.
    var refundable: Int64 { captured - refunded }

    /// Who moves money, why and when, as the ledger has it.
    struct Reason: Hashable, Sendable {
        let cause: String
        let attempt: String
        let at: Int64
        let entry: String

        init(_ cause: String, by attempt: String, entry: String = "", at instant: Int64) {
            (self.cause, self.attempt, self.entry, at) = (cause, attempt, entry, instant)
        }
    }

    /// Moves money and keeps the amounts; nothing else changes them.
    mutating func move(
        _ units: Int64, from: Ledger.Account, to: Ledger.Account, _ reason: Reason, _ ledger: inout Ledger
    ) {
        switch (from, to) {
        case (.merchant, .refunded), (.funds, .refunded): refunded += units
        case (.refunded, _): refunded -= units
        case (.held, _): held -= units
        case (.merchant, _): captured -= units
        case (.cardholder, _), (.funds, _): break
        }
        switch (from, to) {
        case (.cardholder, .merchant), (.held, .merchant), (.funds, .merchant): captured += units
        case (_, .held): held += units
        case (_, .merchant), (_, .refunded), (_, .cardholder), (_, .funds): break
        }
        book(units, from, to, reason, &ledger)
    }

    private func book(
        _ units: Int64, _ from: Ledger.Account, _ to: Ledger.Account, _ reason: Reason, _ ledger: inout Ledger
    ) {
        ledger.move(
            LedgerAmount(units, currency), from: from, to: to, payment: name, attempt: reason.attempt,
            cause: reason.cause, entry: reason.entry, at: reason.at)
    }

    /// Takes money from the cardholder, or sets it aside.
    mutating func charge(_ units: Int64, holds: Bool, _ reason: Reason, _ ledger: inout Ledger) {
        move(units, from: .cardholder, to: holds ? .held : .merchant, reason, &ledger)
    }

    /// Gives the merchant what was set aside, or a part of it.
    mutating func capture(_ units: Int64, _ reason: Reason, _ ledger: inout Ledger) {
        move(units, from: .held, to: .merchant, reason, &ledger)
    }

    /// Lets go what is still set aside, under nobody's name.
    mutating func release(at instant: Int64, _ ledger: inout Ledger) {
        move(held, from: .held, to: .cardholder, Reason("release", by: "", at: instant), &ledger)
    }

    /// Gives back to the cardholder what the merchant got.
    mutating func refund(_ units: Int64, _ reason: Reason, _ ledger: inout Ledger) {
        giveBack(units, isReversal: false, reason, &ledger)
    }

    /// Gives back what the merchant got: as a refund, or before the clearing as a reversal of the charge.
    mutating func giveBack(_ units: Int64, isReversal: Bool, _ reason: Reason, _ ledger: inout Ledger) {
        refunded += units
        book(units, .merchant, isReversal ? .cardholder : .refunded, reason, &ledger)
    }

    /// Takes back what was given back.
    mutating func takeBack(_ units: Int64, isReversal: Bool, _ reason: Reason, _ ledger: inout Ledger) {
        refunded -= units
        book(units, isReversal ? .cardholder : .refunded, .merchant, reason, &ledger)
    }

    /// Undoes everything that is held or captured.
    mutating func void(_ reason: Reason, _ ledger: inout Ledger) {
        move(held, from: .held, to: .cardholder, reason, &ledger)
        move(captured, from: .merchant, to: .cardholder, reason, &ledger)
    }

    /// Makes what is held more or less.
    mutating func adjust(to units: Int64, _ reason: Reason, _ ledger: inout Ledger) {
        let more = units - held
        if more >= 0 {
            move(more, from: .cardholder, to: .held, reason, &ledger)
        } else {
            move(-more, from: .held, to: .cardholder, reason, &ledger)
        }
    }
}
