/// Something that a request may carry and not every provider takes.
public enum RequestFeature: String, Hashable, Sendable, CaseIterable {
    case quote, tip, customer, contact, billing, shipping, text, orderNumber, language
    case saveInstrument, cardOnFile, recipient, partialApproval, dryRun, presentation
}
