package import PaymentJournalKit

/// What a journal's file needs of the machine beside SQLite: who else may use the file, and how their writing is noticed.
///
/// On Linux several processes share a file (``SharedFile``). Elsewhere one process uses it (``SoleProcess``): that form needs
/// nothing but files and threads, and runs on Linux too.
package protocol JournalHost: Sendable {
    /// This process's name, and which other processes are alive.
    var processes: any ProcessRegistry { get }
    /// By what this opening claims the file for itself; nil where several processes share it.
    var claim: Int64? { get }
    /// Begins to watch the log of a file; `changed` is called when another process may have written to it.
    ///
    /// - Returns: What ends the watch.
    func watch(log path: String, changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// One process uses the file at a time, as an application does with the files in its own container.
///
/// It takes no lock beside SQLite's: Apple's systems may end a suspended application that keeps a file locked. Each opening
/// claims the file by a number in it instead, and the newest one has it. Processes that had it before are taken for gone. One that still
/// runs can report what became of its requests and can record no new one, since both are decided in one transaction. So it
/// sends nothing more, and what it had sent is looked up as after a crash.
package struct SoleProcess: JournalHost, ProcessRegistry {
    package let own: String
    package let claim: Int64?

    /// A process that claims the file.
    ///
    /// - Parameter own: A name that no process has ever had.
    package init(_ own: String) { self.init(own, claim: .random(in: 1 ... .max)) }

    /// The same with a number of the caller's choice; nil for one that claims nothing.
    package init(_ own: String, claim: Int64?) { (self.own, self.claim) = (own, claim) }

    package var processes: any ProcessRegistry { self }

    package func isAlive(_ owner: String) -> Bool { owner == own }

    package func watch(log path: String, changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
}
