/// A reader that has a screen which teaches how to take a card.
public protocol MerchantEducationReader: CardReader {
    /// Shows the screen and returns when it was closed.
    func showEducation() async throws
}
