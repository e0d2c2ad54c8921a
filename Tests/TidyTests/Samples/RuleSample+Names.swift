extension RuleSample {
    static let nameSamples = [
        RuleSample(
            .vocabulary, at: [1, 2, 4, 7],
            """
            public struct PaymentGizmo {}
            @frozen public indirect enum Frobnicator {
                /// Nested ones are read, too.
                public final class WidgetReader {}
                public struct Reader {}
            }
            public typealias Doodads = [Int]
            """),
        RuleSample(
            .vocabulary, at: [],
            """
            public struct PaymentClient { struct Gizmo {} }
            public protocol SQLiteJournals {}
            public enum HTTPTransport { public class func gizmo() {} }
            public struct CardOnFileTerms {}
            package struct Gizmo {}
            // public struct Gizmo {}
            extension Gizmo {}
            """),
    ]
}
