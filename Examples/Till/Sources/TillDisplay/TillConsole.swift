public import PaymentSimulator
internal import Payments
public import PhoneTill

/// A till with a keyboard: each line is one thing that the cashier or the customer does.
public actor TillConsole {
    /// What can be typed.
    public static let help = """
        cashier:  accept (the terms) | sale AMOUNT CURRENCY BILL | cancel | refund | ask | english | german | quit
        customer: card visa | card mastercard | card none | away (takes the card away too early) | stop (cancels)
        """

    private let till: Till
    private let reader: SimulatedReader
    private var display = Display()
    private var paying: Task<Void, Never>?
    private var last: PaymentID?
    private let executor: (any TaskExecutor)?
    private let draw: @Sendable ([String]) -> Void

    /// Makes a console.
    ///
    /// - Parameters:
    ///   - till: The till.
    ///   - reader: What the customer taps on.
    ///   - executor: What runs its tasks; nil for the global pool.
    ///   - draw: Shows one box of lines.
    public init(
        _ till: Till, _ reader: SimulatedReader, executor: (any TaskExecutor)? = nil,
        draw: @escaping @Sendable ([String]) -> Void
    ) {
        (self.till, self.reader, self.executor, self.draw) = (till, reader, executor, draw)
    }

    /// Starts the till, and draws each of its screens from now on.
    public func start() async {
        let screens = await till.screens()
        _ = Task(executorPreference: executor) { [weak self] in
            for await screen in screens { await self?.show(screen) }
        }
        await till.start()
    }

    private func show(_ screen: TillScreen) {
        if case .paid(let payment) = screen { last = payment.id }
        draw(display.box(screen))
    }

    /// Does what a line says; false for the line that ends the program.
    public func obey(_ line: String) async -> Bool {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("sale", 4):
            guard let currency = try? Currency(words[2]), let amount = try? Money(words[1], currency) else { break }
            // The sale runs beside the keyboard, so that the cashier can cancel it.
            paying = Task(executorPreference: executor) { [till] in await till.charge(amount, reference: words[3]) }
            return true
        case ("accept", 1): await till.acceptTerms()
        case ("cancel", 1): await till.cancel()
        case ("refund", 1): if let last { await till.refund(last) }
        case ("ask", 1): await till.askAgain()
        case ("english", 1): display.messages = .english
        case ("german", 1): display.messages = .german
        case ("card", 2): present(words[1])
        case ("away", 1):
            var card = SimulatedReader.Card()
            card.earlyRemovals = 1
            reader.present(card)
        case ("stop", 1): _ = try? await reader.cancel()
        case ("quit", 1):
            await paying?.value
            draw(display.box(await till.screen))
            return false
        case _: draw(Self.help.split(separator: "\n").map(String.init))
        }
        return true
    }

    private func present(_ name: String) {
        let numbers = ["visa": "4111111111111111", "mastercard": "5555555555554444"]
        reader.present(numbers[name].map { SimulatedReader.Card(number: $0) })
    }
}
