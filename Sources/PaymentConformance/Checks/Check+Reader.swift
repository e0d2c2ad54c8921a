internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTesting

extension Check {
    private static func reader(_ context: CheckContext) throws -> ProviderClient.Reader {
        guard let reader = context.client.reader else { throw CheckFailure("a reader is declared and there is none") }
        return reader
    }

    static let readers: [Check] = [
        Check(
            "reader.compatibility", "The reader says what the device has.", .reader, needs: ["reader"], .minor,
            .inPerson
        ) {
            context in
            try context.expect(
                try await reader(context).compatibility().isCompatible, "a good device is called incompatible")
        },
        Check("reader.prepare", "A prepared reader is ready.", .reader, needs: ["reader"], .major, .inPerson) {
            context in
            let reader = try reader(context)
            try context.expect(!reader.isReady, "it is ready before it was prepared")
            try await reader.prepare()
            try context.expect(reader.isReady, "it was prepared and is not ready")
        },
        Check(
            "reader.prepare-shared", "Five callers share one preparation.", .reader, needs: ["reader"], .minor,
            .inPerson
        ) { context in
            let once = try context.restarted()
            try await reader(once).prepare()
            let reader = try reader(context)
            // The provider answers when all five have called.
            let line = context.delayReplies()
            let calls = (1...5).map { _ in context.start { try await reader.prepare() } }
            try await context.wait(1)
            line.opened.fulfill(true)
            for call in calls { try await call.value }
            try context.expect(context.log.count, is: once.log.count, "exchanges of five preparations")
        },
        Check(
            "reader.prepare-fails", "A preparation that fails leaves the reader unready, and may be tried again.",
            .reader, needs: ["reader"], .major, .inPerson
        ) { context in
            let reader = try reader(context)
            try context.arm("status.500-before")
            _ = try await context.failure("preparing") { try await reader.prepare() }
            try context.expect(!reader.isReady, "it is ready after a failed preparation")
            try await reader.prepare()
            try context.expect(reader.isReady, "it can't be prepared any more")
        },
        Check("reader.activate", "An activated device says so.", .reader, needs: ["reader"], .major, .inPerson) {
            context in
            let reader = try reader(context)
            try await reader.activate()
            try context.expect(try await reader.activation().step, is: .active, "the step")
        },
        Check(
            "reader.prepared-by-sale", "A sale prepares the reader on its own.", .reader,
            needs: ["reader", "source.reader"],
            .major, .inPerson
        ) { context in
            let payment = try await context.approvedSale(from: .reader)
            try context.expectCharged(payment)
            try context.expect(try reader(context).isReady, "it is not ready after a sale")
        },
        Check(
            "reader.one-card-at-a-time", "A second read is refused while one is under way, and moves nothing.", .reader,
            needs: ["reader", "source.reader"], .critical, .inPerson
        ) { context in
            let sales = (1...3).map { number in
                context.start { try await context.sale(from: .reader, reference: "o-\(number)") }
            }
            var (approved, refused) = (0, 0)
            for sale in sales {
                switch await sale.result {
                case .success: approved += 1
                case .failure(let error as PaymentError):
                    try context.expect(error, .readerBusy, .notExecuted)
                    refused += 1
                case .failure: throw CheckFailure("a foreign error")
                }
            }
            try context.expect([approved, refused], is: [1, 2], "approved and refused")
            try context.expect(context.fixture.ledger.entries.count, is: 1, "movements")
        },
        Check(
            "reader.cancel-nothing", "Cancelling without a read says that there was nothing to cancel.", .reader,
            needs: ["reader"], .minor, .inPerson
        ) { context in try context.expect(try await reader(context).cancel(), is: .nothingToCancel, "the answer") },
        Check(
            "reader.cancel-waiting", "Cancelling while no card came ends the sale, and nothing moved.", .reader,
            needs: ["reader", "source.reader"], .critical, .inPerson
        ) { context in
            let reader = try reader(context)
            _ = try context.scripted(.noCard, .sale, from: .reader)
            try await reader.prepare()
            let id = try context.attempt()
            let sale = context.start { try await context.sale(.noCard, from: .reader, attempt: id) }
            try await context.wait(1_000)
            let start = context.scheduler.now
            try context.expect(try await reader.cancel(), is: .cancelled, "the answer")
            try await context.expectCancelled { try await sale.value }
            try context.expect(
                context.scheduler.now - start <= 20_000,
                "the sale continued for \(context.scheduler.now - start) ms after it was cancelled")
            try context.expectNothingMoved(id)
        },
        Check(
            "reader.cancel-too-late",
            "Once the card is in the field, cancelling says that it is too late, and the sale continues.",
            .reader, needs: ["reader", "source.reader"], .critical, .inPerson
        ) { context in
            let reader = try reader(context)
            var events = context.client.events().makeAsyncIterator()
            let sale = context.start { try await context.approvedSale(from: .reader) }
            if context.driver.capabilities.usesProviderTerminal {
                // A terminal of the provider's does not say when a card comes; the harness does.
                try await context.wait(context.declaration.cardAfterMilliseconds)
            } else {
                while let event = await events.next(), event.kind != .reader(.cardDetected) {}
            }
            // A harness's reader keeps the card in the field for a moment, so that this is not the end of the read
            // already.
            try context.expect(try await reader.cancel(), is: .tooLate, "the answer")
            try context.expectCharged(try await sale.value)
        },
        Check(
            "reader.background", "Leaving the front ends the read, and nothing moved.", .reader,
            needs: ["reader", "source.reader"], .critical, .inPerson
        ) { context in
            try context.expect(
                !context.driver.capabilities.usesProviderTerminal,
                or: "the provider's terminal does not hang on the application")
            let reader = try reader(context)
            try await reader.prepare()
            let sale = context.start { try await context.sale(.noCard, from: .reader) }
            try await context.wait(1_000)
            await reader.appDidEnterBackground()
            try await context.expectCancelled { try await sale.value }
            try context.expect(!reader.isReady, "it is ready behind other applications")
            await reader.appDidBecomeActive()
            _ = try await context.approvedSale(from: .reader, reference: "again")
        },
        Check(
            "reader.unreadable", "A card that can't be read moves nothing and sends nothing about money.", .reader,
            needs: ["reader", "source.reader"], .critical, .inPerson
        ) { context in
            let error = try await context.failure("the sale") {
                _ = try await context.sale(.unreadableCard, from: .reader)
            }
            try context.expect(error.outcome, is: .notExecuted, "the outcome")
            try context.expect(error.isRetryable, "the holder may not tap again")
        },
        Check(
            "reader.missing", "Without hardware a sale by card reader is refused before anything is sent.", .reader,
            needs: ["reader", "source.reader"], .major, .inPerson
        ) { context in
            try context.expect(
                !context.driver.capabilities.usesProviderTerminal, or: "the provider brings the terminal itself")
            let bare = try context.restarted(\.reader, nil)
            _ = try await bare.expectNoRequests(during: "a sale without a reader") {
                try await bare.failure("a sale") { _ = try await bare.sale(from: .reader) }
            }
        },
        Check(
            "reader.events", "A read reports that it waits, that a card came, and that it is done.", .reader,
            needs: ["reader", "source.reader"], .minor, .inPerson
        ) { context in
            let payment = try await context.approvedSale(from: .reader)
            let kinds = try await context.client.timeline(of: payment.id).map(\.kind)
            // A terminal of the provider's need not say when the card came.
            let due: [PaymentEvent.Kind] =
                context.driver.capabilities.usesProviderTerminal
                ? [.readyForCard] : [.readyForCard, .reader(.cardDetected), .cardRead]
            for kind in due where !kinds.contains(kind) {
                throw CheckFailure("\(kind) was not reported")
            }
        },
    ]
}
