import AllProviders
import PaymentSimulator
import Payments

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A till on the command line: each line that is typed is one thing that a shop does.
@main struct Till {
    static func main() async throws {
        let path = CommandLine.arguments.dropFirst().first ?? "providers.json"
        // The provider in this program; a real one needs neither this nor the two lines that use it.
        let sandbox = try SimulatedProviders(stateFile: "provider.json") { clock in [MemoryBackend(clock: clock)] }
        let payments = try await PaymentClient.open(configuration: path) {
            $0.transport = sandbox.transport
            $0.reader = SimulatedReader(clock: SystemClock())
        }
        // Whatever a crash left behind is looked up before the first customer comes.
        for attempt in try await payments.recover() { print("still open: \(attempt)") }
        try await payments.reader?.prepare { percent in print("preparing the reader: \(percent) %") }

        let till = Till(payments: payments)
        fflush(nil)
        while let line = readLine() {
            defer { fflush(nil) }
            let words = line.split(separator: " ").map(String.init)
            if words.first == "quit" { break }
            do { try await till.obey(words) } catch let error as PaymentError {
                print(error.message)
                if error.outcome == .unknown {
                    print("Do not charge again. Later: status \(error.attempt?.text ?? "")")
                }
            }
        }
    }

    let payments: PaymentClient

    /// One line; what it means stands in the words themselves.
    func obey(_ words: [String]) async throws {
        switch (words.first, words.count) {
        case ("sale", 4):
            let amount = try Money(words[1], try Currency(words[2]))
            // Made before anything is sent, and printed: after a crash `status` with it says what became of the sale.
            let attempt = try await payments.newAttempt()
            print("attempt \(attempt)")
            // The same bill again, while it is paid or may be, is refused and charges nothing.
            tell(try await payments.sale(amount, from: .reader, reference: words[3], attempt: attempt))
        case ("refund", 2...3):
            let id = try PaymentID(words[1])
            let currency = try await payments.payment(id).amounts.captured.currency
            let amount = words.count == 3 ? try Money(words[2], currency) : nil
            tell(try await payments.refund(id, of: amount))
        case ("status", 2): tell(try await payments.status(try AttemptID(words[1])))
        case ("list", 1):
            for record in try await payments.payments().payments {
                print(record.id, record.reference, record.requested, record.state.rawValue)
            }
        case _: print("sale AMOUNT CURRENCY BILL | refund PAYMENT [AMOUNT] | status ATTEMPT | list | quit")
        }
    }

    private func tell(_ result: PaymentResult) {
        switch result {
        case .approved(let payment):
            print("approved:", payment.id, payment.approved, "can still refund", payment.amounts.refundable)
        case .declined(let decline): print("declined:", decline.reason)
        case .cancelled(let cancellation): print("cancelled by", cancellation.cause.rawValue)
        case .pending: print("received; it is decided later")
        }
    }
}
