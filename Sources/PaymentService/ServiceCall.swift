internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

/// One call of an operation.
struct ServiceCall: Sendable {
    let service: ServiceCore
    let shop: ServiceShop
    /// The key; nil for an operation that needs none.
    let key: ServiceKey?
    let input: Input
    let head: RequestHead
    /// The attempt of a money operation.
    var attempt: AttemptID?
    /// How long the request waits for an outcome, in milliseconds.
    var waitMilliseconds: Int64 = 0

    /// What the key may see.
    var role: ServiceRole { key?.role ?? .viewer }
    var client: PaymentClient { shop.client }

    /// What the key allows of a new attempt over an amount.
    func check(_ amount: Money, returnsMoney: Bool = false, at reader: UsedReader? = nil) -> KeyCheck? {
        key.map { key in
            KeyCheck(
                key: key, amount: amount, returnsMoney: returnsMoney, reader: reader?.name, budget: service.budget)
        }
    }

    /// Refuses a reader that the key may not use.
    func check(reader name: String) throws(Problem) {
        if let readers = key?.readers, !readers.contains(name) {
            throw Problem(.forbidden, "This key may not use the reader \(name).")
        }
    }

    /// The payment that an operation acts on. Where there is none, the operation's own id may be known to have been pruned with
    /// it, or a restore may have lost both.
    func subject(_ id: AttemptID, of attempt: AttemptID) async throws(Problem) -> PaymentRecord {
        do throws(Problem) { return try await service.payment(id, in: shop) } catch {
            guard error.code == .notFound else { throw error }
            do throws(PaymentError) {
                try await client.checkFollowUp(of: PaymentID(id), attempt: attempt)
            } catch let why {
                if let gone = Problem.pruned(why) ?? Problem.mayBeLost(why) { throw gone }
            }
            throw error
        }
    }

    /// Notes that the caller is shown what an attempt asks.
    func shows(_ view: AttemptView) {
        guard let question = view.question else { return }
        service.options.desk?.note(question, of: view.id, isShownTo: key?.digest ?? "")
    }

    /// Takes a place for a wait of this request. It has to be left.
    func enterRoom() -> WaitRoom.Place { service.room.enter(shop.name, key: key?.digest ?? "", for: .reads) }

    /// Waits for an attempt as long as the request wants; `work` is the task of the service that works on it.
    func wait(for id: AttemptID, _ work: Waiters?, _ purpose: WaitRoom.Purpose = .reads) async {
        await AttemptWait.wait(for: id, work, purpose, in: self)
    }
}
