internal import PaymentBase

extension EcommpaySimulator {
    /// Writes down what is to be told of payments that have changed.
    static func note(_ state: inout State, _ now: Int64) {
        let changed = state.payments.changed.sorted()
        state.payments.changed = []
        for id in changed {
            guard let payment = state.payments[id] else { continue }
            let print = print(of: payment)
            if state.told.updateValue(print, forKey: id) == print { continue }
            let operation = payment.operations.last
            let isStep = !payment.origin.isEmpty && !payment.waitsFor.isEmpty
            let message = isStep ? step(payment, state) : body(payment, operation, state)
            tell(message, about: operation?.label ?? id, &state, now)
        }
    }

    /// What a payment's callback tells, in short: the same is not told twice.
    private static func print(of payment: Payment) -> String {
        let operation = payment.operations.last
        let words = [payment.status, payment.waitsFor, operation?.type, operation?.status]
        // What the Gate asks once more has another end.
        let end = payment.origin.isEmpty ? 0 : payment.waitsUntil
        return words.map { $0 ?? "" }.joined(separator: "/") + "/\(payment.operations.count)/\(end)"
    }

    /// Adds a callback, signed.
    static func tell(_ message: JSON, about label: String, _ state: inout State, _ now: Int64) {
        for told in state.play.callbacks(message) {
            state.outbox.add(OutgoingWebhook(body: state.seal.sign(told).bytes(), at: now, attempt: label))
        }
    }
}

extension EcommpaySimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        let now = clock.now
        return state.withLock { state in
            Self.expire(&state, now)
            Self.note(&state, now)
            return body(&state.outbox)
        }
    }

    public var nextDue: Int64? { state.withLock { $0.payments.nextDue() } }

    /// The provider's own schedule; anything but `200 OK` is tried again.
    public var schedule: DeliverySchedule {
        DeliverySchedule(accepted: 200...200) { EcommpayRetries.milliseconds(after: $0) }
    }

    /// Decides what is pending under a label of the books; gives the callback that tells of it, or nil when nothing is.
    public func decide(_ label: String, succeeds: Bool) -> OutgoingWebhook? {
        change(label, "external processing") { payment, index, state, now in
            let operation = payment.operations[index]
            if index == 0 || operation.status == "processing" {
                payment.operations[index].status = "processing"
                state.payments[payment.id] = payment
                succeeds
                    ? Self.decide(payment.id, nil, &state, now) : Self.decline(payment.id, "10100", &state)
                payment = state.payments[payment.id] ?? payment
                return
            }
            payment.operations[index].status = succeeds ? "success" : "decline"
            payment.operations[index].code = succeeds ? "0" : "3028"
            guard succeeds else { return }
            if operation.type == "capture" {
                Self.take(&payment, operation.units, label, &state, now)
            } else {
                Self.giveBack(&payment, operation.units, operation.type == "reversal", label, &state, now)
            }
        }
    }

    /// A refund that was done comes back: the money is the merchant's again.
    public func failLater(_ label: String) -> OutgoingWebhook? {
        change(label, "success") { payment, index, state, now in
            let refund = payment.operations[index]
            let hasFailed = payment.operations.contains { $0.type == "refund reverse" && $0.refund == refund.refund }
            guard !refund.refund.isEmpty, !hasFailed else { return }
            payment.operations.append(
                Operation(
                    id: Self.number(&state), type: "refund reverse", status: "success", units: refund.units,
                    request: refund.request, at: now, refund: refund.refund, code: "0", label: label))
            payment.amounts.takeBack(
                refund.units, isReversal: refund.type == "reversal", .init("refund reverse", by: label, at: now),
                &state.ledger)
            payment.status = payment.amounts.refunded == 0 ? "success" : "partially refunded"
        }
    }

    private func change(
        _ label: String, _ status: String, _ apply: (inout Payment, Int, inout State, Int64) -> Void
    ) -> OutgoingWebhook? {
        let now = clock.now
        defer { changed(now) }
        return state.withLock { state in
            for found in state.payments.records.named("label \(label)") {
                var payment = found
                let index = payment.operations.firstIndex {
                    $0.label == label && ($0.status == status || Self.isPending(payment, $0, status))
                }
                guard let index else { continue }
                let count = payment.operations.count
                apply(&payment, index, &state, now)
                state.payments[payment.id] = payment
                // It is told of here, and not once more when everything that has changed is.
                state.told[payment.id] = Self.print(of: payment)
                let told = payment.operations.count > count ? payment.operations.count - 1 : index
                Self.tell(Self.body(payment, payment.operations[told], state), about: label, &state, now)
                return state.outbox.handOverLast()
            }
            return nil
        }
    }

    private static func isPending(_ payment: Payment, _ operation: Operation, _ status: String) -> Bool {
        let isUnderWay = payment.status == "processing" && payment.waitsFor.isEmpty && status == "external processing"
        return (payment.status == status || isUnderWay) && operation.status == "processing"
    }
}
