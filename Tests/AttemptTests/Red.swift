import Testing

/// Marks a promise that is not kept yet, with what is done instead.
///
/// The test has to fail: one that passes says so, and then its mark goes. With the last mark this file goes, too, and
/// with it the exception that the tidy rule about honest tests makes of it.
struct Red: TestTrait, TestScoping {
    /// What is done instead.
    let instead: Comment

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await withKnownIssue(instead) { try await function() }
    }
}

extension Trait where Self == Red {
    /// Marks a promise that is not kept yet.
    static func red(_ instead: Comment) -> Red { Red(instead: instead) }
}
