public import PaymentAbstraction

/// The journals that an application can choose by name.
public enum Journals {
    /// One that forgets everything with the process.
    public static func memory() -> any Journal { MemoryJournal() }
}
