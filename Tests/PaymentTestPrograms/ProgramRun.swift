/// What a program said until its end.
public struct ProgramRun: Sendable {
    /// How it ended.
    public let end: ProgramEnd
    /// What it said on standard output.
    public let output: String
    /// What it said on standard error.
    public let errors: String

    /// Its exit status; -1 where a signal ended it.
    public var code: Int32 { if case .exited(let code) = end { code } else { -1 } }
}
