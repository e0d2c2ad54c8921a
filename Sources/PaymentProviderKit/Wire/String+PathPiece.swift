internal import PaymentBase

extension String {
    /// The text as one piece of a path; what can't be one becomes a piece that names nothing.
    public var pathPiece: String { PercentEncoding.pathSegment(self) ?? "-" }
}
