/// Why a file can't be read or written.
package enum FileFailure: Error, Hashable {
    case missing
    case forbidden
    /// It is a directory, a pipe, a device, or a link where none may be.
    case notRegular
    case tooLarge(bytesMax: Int)
    /// Others may do with it what they may not.
    case exposed(mode: UInt32)
    /// It belongs to somebody else, who can change it whenever he likes.
    case foreign(owner: UInt32)
    /// Others may put something else in its place: they may write into this folder on the way to it, or it is theirs.
    case openFolder(String)
    case failed(code: Int32)

    /// What is wrong, as a clause.
    package var problem: String {
        switch self {
        case .missing: "there is no such file"
        case .forbidden: "this user may not open it"
        case .notRegular: "it is no ordinary file"
        case .tooLarge(let bytesMax): "it has more than \(bytesMax) bytes"
        case .exposed(let mode): "its mode \(String(mode, radix: 8)) lets others read or change it"
        case .foreign(let owner): "it belongs to another user (\(owner)), who can change it"
        case .openFolder(let folder):
            "others may put something else in its place, since the folder \(folder) is open to them"
        case .failed(let code): "the system failed with error \(code)"
        }
    }
}
