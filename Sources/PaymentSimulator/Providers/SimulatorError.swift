/// Why a sandbox could not be opened.
public enum SimulatorError: Error, Hashable, Sendable {
    /// The file with its state can't be used.
    case state(String)
    /// Two providers have one name, or a name is empty.
    case names
    /// There is no such reading, or it can't be played.
    case reading(String)
}
