internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTesting

extension Check {
    private static func reader(_ kit: Kit) throws -> Reader {
        guard let reader = kit.client.reader else { throw CheckFailure("a reader is declared and there is none") }
        return reader
    }

    static let readers: [Check] = [
        Check(
            "reader.compatibility", "The reader says what the device has.", .reader, needs: ["reader"], .minor,
            .terminal
        ) {
            kit in
            try kit.expect(try await reader(kit).compatibility().isCompatible, "a good device is called incompatible")
        },
        Check("reader.prepare", "A prepared reader is ready.", .reader, needs: ["reader"], .major, .terminal) { kit in
            let reader = try reader(kit)
            try kit.expect(!reader.isReady, "it is ready before it was prepared")
            try await reader.prepare()
            try kit.expect(reader.isReady, "it was prepared and is not ready")
        },
        Check(
            "reader.prepare-shared", "Five callers share one preparation.", .reader, needs: ["reader"], .minor,
            .terminal
        ) { kit in
            let once = try kit.restarted()
            try await reader(once).prepare()
            let reader = try reader(kit)
            let calls = (1...5).map { _ in kit.start { try await reader.prepare() } }
            for call in calls { try await call.value }
            try kit.expect(kit.log.count, is: once.log.count, "exchanges of five preparations")
        },
        Check(
            "reader.prepare-fails", "A preparation that fails leaves the reader unready, and may be tried again.",
            .reader, needs: ["reader"], .major, .terminal
        ) { kit in
            let reader = try reader(kit)
            try kit.arm("status.500-before")
            _ = try await kit.failure("preparing") { try await reader.prepare() }
            try kit.expect(!reader.isReady, "it is ready after a failed preparation")
            try await reader.prepare()
            try kit.expect(reader.isReady, "it can't be prepared any more")
        },
        Check("reader.activate", "An activated device says so.", .reader, needs: ["reader"], .major, .terminal) { kit in
            let reader = try reader(kit)
            try await reader.activate()
            try kit.expect(try await reader.activation().step, is: .active, "the step")
        },
        Check(
            "reader.prepared-by-sale", "A sale prepares the reader by itself.", .reader,
            needs: ["reader", "source.reader"],
            .major, .terminal
        ) { kit in
            let payment = try await kit.sold(from: .reader)
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
            try kit.expect(try reader(kit).isReady, "it is not ready after a sale")
        },
        Check(
            "reader.one-card-at-a-time", "A second read is refused while one is under way, and moves nothing.", .reader,
            needs: ["reader", "source.reader"], .critical, .terminal
        ) { kit in
            let sales = (1...3).map { number in
                kit.start { try await kit.sell(from: .reader, reference: "o-\(number)") }
            }
            var (approved, refused) = (0, 0)
            for sale in sales {
                switch await sale.result {
                case .success: approved += 1
                case .failure(let error as PaymentError):
                    try kit.expect(error, .readerBusy, .nothingMoved)
                    refused += 1
                case .failure: throw CheckFailure("a foreign error")
                }
            }
            try kit.expect([approved, refused], is: [1, 2], "approved and refused")
            try kit.expect(kit.fixture.ledger.entries.count, is: 1, "movements")
        },
        Check(
            "reader.cancel-nothing", "Cancelling without a read says that there was nothing to cancel.", .reader,
            needs: ["reader"], .minor, .terminal
        ) { kit in try kit.expect(try await reader(kit).cancel(), is: .nothingToCancel, "the answer") },
        Check(
            "reader.cancel-waiting", "Cancelling while no card came ends the sale, and nothing moved.", .reader,
            needs: ["reader", "source.reader"], .critical, .terminal
        ) { kit in
            let reader = try reader(kit)
            _ = try kit.cue(.noCard, .sale, from: .reader)
            try await reader.prepare()
            let id = try kit.attempt()
            let sale = kit.start { try await kit.sell(.noCard, from: .reader, attempt: id) }
            try await kit.wait(1_000)
            let start = kit.stage.now
            try kit.expect(try await reader.cancel(), is: .cancelled, "the answer")
            try await kit.expectCancelled { try await sale.value }
            try kit.expect(
                kit.stage.now - start <= 20_000,
                "the sale went on for \(kit.stage.now - start) ms after it was cancelled")
            try kit.expectNothingMoved(id)
        },
        Check(
            "reader.cancel-too-late",
            "Once the card is in the field, cancelling says that it is too late, and the sale goes on.",
            .reader, needs: ["reader", "source.reader"], .critical, .terminal
        ) { kit in
            let reader = try reader(kit)
            var events = kit.client.events().makeAsyncIterator()
            let sale = kit.start { try await kit.sold(from: .reader) }
            if kit.driver.capabilities.hasOwnTerminal {
                // A terminal of the provider's does not say when a card comes; the harness does.
                try await kit.wait(kit.declaration.cardAfterMilliseconds)
            } else {
                while let event = await events.next(), event.kind != .reader(.cardDetected) {}
            }
            // A harness's reader keeps the card in the field for a moment, so that this is not the end of the read already.
            try kit.expect(try await reader.cancel(), is: .tooLate, "the answer")
            let payment = try await sale.value
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        },
        Check(
            "reader.background", "Leaving the front ends the read, and nothing moved.", .reader,
            needs: ["reader", "source.reader"], .critical, .terminal
        ) { kit in
            try kit.expect(
                !kit.driver.capabilities.hasOwnTerminal, or: "the provider's terminal does not hang on the application")
            let reader = try reader(kit)
            try await reader.prepare()
            let sale = kit.start { try await kit.sell(.noCard, from: .reader) }
            try await kit.wait(1_000)
            await reader.appDidEnterBackground()
            let error = try await kit.failure("the sale") { _ = try await sale.value }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
            try kit.expect(!reader.isReady, "it is ready behind other applications")
            await reader.appDidBecomeActive()
            _ = try await kit.sold(from: .reader, reference: "again")
        },
        Check(
            "reader.unreadable", "A card that can't be read moves nothing and sends nothing about money.", .reader,
            needs: ["reader", "source.reader"], .critical, .terminal
        ) { kit in
            let error = try await kit.failure("the sale") { _ = try await kit.sell(.unreadableCard, from: .reader) }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
            try kit.expect(error.isRetryable, "the holder may not tap again")
        },
        Check(
            "reader.missing", "Without hardware a sale by card reader is refused before anything is sent.", .reader,
            needs: ["reader", "source.reader"], .major, .terminal
        ) { kit in
            try kit.expect(!kit.driver.capabilities.hasOwnTerminal, or: "the provider brings the terminal itself")
            let bare = try kit.restarted { given in
                var given = given; given.reader = nil; return given
            }
            _ = try await bare.silently("a sale without a reader") {
                try await bare.failure("a sale") { _ = try await bare.sell(from: .reader) }
            }
        },
        Check(
            "reader.events", "A read reports that it waits, that a card came, and that it is done.", .reader,
            needs: ["reader", "source.reader"], .minor, .terminal
        ) { kit in
            let payment = try await kit.sold(from: .reader)
            let kinds = try await kit.client.timeline(of: payment.id).map(\.kind)
            // A terminal of the provider's need not say when the card came.
            let due: [PaymentEvent.Kind] =
                kit.driver.capabilities.hasOwnTerminal
                ? [.readyForCard] : [.readyForCard, .reader(.cardDetected), .cardRead]
            for kind in due where !kinds.contains(kind) {
                throw CheckFailure("\(kind) was not reported")
            }
        },
    ]
}
