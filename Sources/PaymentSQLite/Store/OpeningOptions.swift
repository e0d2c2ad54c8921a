package import PaymentAbstraction
internal import PaymentBase

/// How a file is opened; the defaults are right but for tests and tools.
package struct OpeningOptions: Sendable {
    /// How a commit fails in a test: before it was made, or after it.
    package enum CommitFault: String, Sendable, CaseIterable { case lost, unheard }

    /// How long to wait for another process that writes, in milliseconds; measured waits stay below one second.
    package var busyMilliseconds: Int32 = 10_000
    /// How many pages the file may have; nil for as many as the disk takes.
    package var pagesMax: Int64?
    /// Up to how many pages a file is checked whole when it is opened; 32 MB take well under a second.
    package var checkedPagesMax: Int64 = 8_192
    /// Whether the file is only read; nothing can begin then.
    package var isReadOnly = false
    /// What time it is for what the opening itself writes down.
    package var now = JournalInstant(
        wall: SystemClock().now, uptime: SystemClock().uptime, boot: SystemClock().boot)

    /// Asked before each commit whether it shall fail.
    package var commitFault: (@Sendable () -> CommitFault?)?

    package init() {}
}
