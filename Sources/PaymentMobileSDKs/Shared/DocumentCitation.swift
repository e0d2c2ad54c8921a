/// A place in a vendor's document, kept as data so that a test can hold the rules against it.
public struct DocumentCitation: Sendable, Hashable, CustomStringConvertible {
    /// The file of the document, such as `seeds/halo.txt`.
    public let document: String
    /// The line of the document, from 1.
    public let line: Int

    /// Names one line of a document.
    public init(_ document: String, _ line: Int) { (self.document, self.line) = (document, line) }

    /// The place in the document as text, such as `seeds/halo.txt:169`.
    public var description: String { "\(document):\(line)" }
}
