/// Why a file can't be read or written.
enum FileFailure: Error, Hashable {
    case missing
    case forbidden
    /// It is a directory, a pipe, a device, or a link where none may be.
    case notRegular
    case tooLarge(bytesMax: Int)
    /// Others may do with it what they may not.
    case exposed(mode: UInt32)
    case failed(code: Int32)

    /// What is wrong, as a clause.
    var problem: String {
        switch self {
        case .missing: "there is no such file"
        case .forbidden: "this user may not open it"
        case .notRegular: "it is no ordinary file"
        case .tooLarge(let bytesMax): "it has more than \(bytesMax) bytes"
        case .exposed(let mode): "its mode \(String(mode, radix: 8)) lets others read or change it"
        case .failed(let code): "the system failed with error \(code)"
        }
    }
}
