/// What keeps a process's memory to itself. Programs begin it; a library doesn't decide that for the process it is part of.
///
/// On a platform that has none, a program goes on without:
///
/// ```swift
/// struct None: MemoryProtection {
///     func begin() -> Bool { false }
///     var holds: Bool { false }
/// }
/// ```
public protocol MemoryProtection: Sendable {
    /// Begins to protect; false where the system refuses.
    func activate() -> Bool
    /// Whether no dump of this process can be written now.
    var isActive: Bool { get }
}
