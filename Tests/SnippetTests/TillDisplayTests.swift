import Foundation
import PaymentBase
import PaymentCore
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import PhoneTill
import Testing
import TillDisplay

/// The guide on the till's screen, and the example that draws it.
@Suite struct TillDisplayTests {
    /// A day at the counter, as it is typed; a number waits so many milliseconds.
    private static func play(_ script: [String]) throws -> [[String]] {
        let stage = PaymentTestTill.Till()
        stage.reader.present(nil)
        let drawn = Locked([[String]]())
        try stage.play {
            let client = try stage.client(Slow(inner: stage.transport, clock: stage.scheduler))
            let till = PhoneTill.Till(client, executor: stage.scheduler, clock: stage.scheduler)
            let console = TillConsole(till, stage.reader, executor: stage.scheduler) { lines in
                drawn.withLock { $0.append(lines) }
            }
            await console.start()
            for line in script {
                if let pause = Int64(line) {
                    try await stage.scheduler.sleep(until: stage.scheduler.now + pause)
                } else {
                    _ = await console.obey(line)
                }
            }
        }
        return drawn.withLock { $0 }
    }

    /// The sentences of the boxes, each once as long as it does not change.
    private static func sentences(_ boxes: [[String]]) -> [String] {
        boxes.compactMap { $0.count > 2 ? $0[1].trimmingCharacters(in: CharacterSet(charactersIn: "│ ")) : nil }
    }

    @Test func day_typedAtTheCounter_showsEveryScreenInTurn() throws {
        let boxes = try Self.play([
            "500", "accept", "2000", "card visa", "sale 12.50 EUR bill-1", "2000", "refund", "1000",
            "away", "sale 5.00 EUR bill-2", "3000", "card none", "sale 5.10 EUR bill-3", "1500", "cancel", "500",
            "sale 5.20 EUR bill-4", "1500", "stop", "500", "german", "sale 5.30 EUR bill-5", "100000", "card visa",
            "sale 10.51 EUR bill-6", "2000", "quit",
        ])
        var shown: [String] = []
        for sentence in Self.sentences(boxes) where sentence != shown.last { shown.append(sentence) }
        let english = CashierMessages.english, german = CashierMessages.german
        func prompts(_ table: CashierMessages, _ prompts: TillScreen.Prompt...) -> [String] {
            prompts.map { table.sentence(for: $0) }
        }
        let cancelled = english.sentence(for: TillScreen.cancelled)
        let read: [TillScreen.Prompt] = [.holdStill, .removeCard, .deciding]
        let paid = prompts(english, .wait, .presentCard) + read.map { english.sentence(for: $0) }
        let due: [String] =
            [
                "The till is starting.", "Someone who may act for the merchant has to accept the terms.",
                "The card reader is getting ready.", "Ready for the next payment.",
            ]
            + paid + ["The payment was made.", prompts(english, .deciding)[0], "The money was refunded."]
            + prompts(english, .wait, .presentCard, .holdStill, .presentAgain, .holdStill, .removeCard, .deciding)
            + ["The payment was made."] + prompts(english, .wait, .presentCard) + [cancelled]
            + prompts(english, .wait, .presentCard) + [cancelled]
            + prompts(german, .wait, .presentCard) + [german.sentence(for: TillScreen.cancelled)]
            + prompts(german, .wait, .presentCard) + read.map { german.sentence(for: $0) }
            + [german.sentences["screen.declined"] ?? ""]
        #expect(shown == due)
        let made = try #require(boxes.first { $0.contains { $0.contains("The payment was made.") } })
        #expect(made.contains { $0.contains("12.50 EUR") } && made.contains { $0.contains("visa …1111 contactless") })
        #expect(Set(boxes.flatMap { $0 }.map(\.count)) == [Display.width + 4])
    }

    /// The guide's code over the events and the result of one payment.
    actor Counter {
        let payments: PaymentClient
        var screen = TillScreen.ready

        init(_ payments: PaymentClient) { self.payments = payments }

        func sell(_ amount: Money, _ bill: String, attempt: AttemptID) async {
            screen = .paying(.wait)
            let events = payments.events()
            let watching = Task {
                for await event in events where event.attempt == attempt { screen = screen.after(event) }
            }
            defer { watching.cancel() }
            do {
                let result = try await payments.sale(amount, from: .reader, reference: bill, attempt: attempt)
                screen = TillScreen(result, of: attempt)
            } catch {
                screen = TillScreen(error, of: attempt)
            }
        }
    }

    @Test func guide_ofTheScreen_namesEveryScreenPromptAndSentence() throws {
        let guide = try String(
            contentsOf: Documents.root.appendingPathComponent("Sources/Payments/Payments.docc/The-tills-screen.md"),
            encoding: .utf8)
        for prompt in TillScreen.Prompt.allCases {
            #expect(guide.contains("| `\(prompt.rawValue)` |"), "\(prompt)")
            #expect(guide.contains(CashierMessages.english.sentence(for: prompt)), "\(prompt)")
        }
        for screen in [
            "starting", "terms", "preparing", "ready", "paying", "paid", "refunded", "declined", "cancelled", "pending",
            "unknown", "failed", "needsLocation", "unsuitable",
        ] { #expect(guide.contains("`\(screen)`"), "\(screen)") }
    }

    @Test func guidesCode_overASale_endsWithThePayment() throws {
        let stage = PaymentTestTill.Till()
        let screen = try stage.play {
            let client = try stage.client()
            let counter = Counter(client)
            await counter.sell(.cents(1_250), "bill", attempt: try await client.newAttempt())
            return await counter.screen
        }
        guard case .paid(let payment) = screen else {
            Issue.record("\(screen)")
            return
        }
        #expect(payment.approved == .cents(1_250))
    }
}

/// A line that takes as long as a real one, so that the till shows what it waits for.
private struct Slow: HTTPTransport {
    let inner: any HTTPTransport
    let clock: any PaymentClock

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try? await clock.sleep(until: clock.now + 300)
        return try await inner.send(request)
    }
}
