/// Which attempts of a scope are read page by page.
public enum JournalQuery: Hashable, Sendable {
    /// Origins of payments, newest first; rehearsals are not among them.
    case origins
    /// Origins under one reference of the application, oldest first.
    case reference(String)
    /// All that are not decided, oldest first.
    case open
}
