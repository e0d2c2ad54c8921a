import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel

extension Journal {
    /// Takes over a payment that another program took at an account, under the provider's names, as a line of an import does.
    func adopt(
        _ id: String, _ amount: Money, _ references: PaymentReferences, of account: ProviderIdentity, at now: Int64
    ) async throws -> PaymentID {
        let attempt = try AttemptID(id)
        let intent = Attempt.Intent(attempt, .sale, amount, reference: "order-of-\(id)")
        var movement = ImportedMovement(
            Begin(intent, account), .approved(Approval(amount, references: references)), saidAt: now)
        (movement.names, movement.paidAt) = (references.values.sorted(), now)
        let entry = JournalEntry(.report(attempt, .imported(movement)))
        _ = try await write(entry, WriteID(id), at: Attempt.Instant(wall: now, uptime: 0))
        return PaymentID(attempt)
    }
}
