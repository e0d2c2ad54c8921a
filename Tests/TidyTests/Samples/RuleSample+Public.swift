extension RuleSample {
    static let publicSamples = [
        RuleSample(
            .publicDocumentation, at: [1, 4, 10],
            """
            public struct A: Hashable, Sendable {
                // A plain comment.
                public let a: Int
                public init() {}
                /// Explained.
                @discardableResult
                @inlinable
                public func b() -> Int { a }
            }
            public protocol P {
                func c()
            }
            extension A {
                public static func == (one: A, other: A) -> Bool { one.a == other.a }
                public func hash(into hasher: inout Hasher) {}
            }
            """),
        RuleSample(
            .publicDocumentation, at: [],
            """
            public import PaymentBase
            /// Explained.
            public struct A: PaymentClock { public var now: Int64 { 0 } }
            extension A: CustomStringConvertible {
                public var description: String { "public" }
            }
            """),
        RuleSample(
            .publicDocumentation, at: [2, 3],
            "extension A {\n    public static func b() {}\n    public init?(c: Int) {}\n}\n"),
        RuleSample(.publicDocumentation, at: [], "extension HTTPTransport {\n    public func send() {}\n}\n"),
    ]
}
