internal import PaymentBase
internal import PaymentModel
internal import PaymentSimulator
internal import PaymentTesting

/// Answers the questions that simulated providers ask, as a willing customer would.
enum TerminalPrompts {
    /// Shows where the customer pays; whether that happened is asked for later.
    ///
    /// - Parameter simulated: The providers within this program, whose pages no browser finds.
    static func show(
        _ answers: inout QuestionHandlers, _ simulated: [String], _ note: @escaping @Sendable (String) -> Void
    ) {
        answers.handle(PaymentLink.self) { link in
            note("the customer pays at \(link.address)")
            if let name = simulated.first(where: { link.address.contains("//\($0).") }) {
                note("here you are the customer: payctl sandbox visit \(name) '\(link.address)'")
            }
            return false
        }
    }

    static func agree(_ answers: inout QuestionHandlers) {
        answers.handle(PartialApprovalOffer.self) { _ in true }
        answers.handle(CascadeConsent.self) { _ in true }
        answers.handle(RetryPrompt.self) { _ in .stop }
        answers.handle(RequestedFields.self) { filled($0.fields) }
        answers.handle(ThreeDSecureChallenge.self) { challenge in
            switch challenge.step {
            case .method: ThreeDSecureChallenge.Answer()
            case .challenge: ThreeDSecureChallenge.Answer(result: Secret("ok"))
            case .legacy: ThreeDSecureChallenge.Answer(result: Secret("ok"), merchantData: challenge.fields["MD"])
            }
        }
    }

    /// Something plausible for each field.
    private static func filled(_ fields: [RequestedFields.Field]) -> [String: PersonalData] {
        Dictionary(
            fields.map { field in
                let value =
                    switch field.type {
                    case "email": "customer@example.com"
                    case "tel": "15550100"
                    case "date": "01-01-1990"
                    case _: field.options.first ?? "1"
                    }
                return (field.name, PersonalData(value))
            }, uniquingKeysWith: { first, _ in first })
    }
}

/// What a customer would read on the simulated reader's screen, said on standard error.
enum ReaderPrompts {
    /// The reader, with what is on its screen said.
    static func shown(on reader: SimulatedReader, _ say: @escaping @Sendable (String) -> Void) -> any CardReader {
        ObservedCardReader(reader) { event in
            if let prompt = TillScreen.Prompt(.reader(event)) { say("reader: \(text(prompt))") }
        }
    }

    /// The sentence of a prompt.
    static func text(_ prompt: TillScreen.Prompt) -> String { CashierMessages.english.sentence(for: prompt) }
}
