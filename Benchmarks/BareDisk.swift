import Foundation

/// The disk alone: a page overwritten and made durable, again and again.
final class BareDisk: Sendable {
    private static let pageBytes = 4_096
    private let descriptor: Int32
    private let page = [UInt8](repeating: 7, count: pageBytes)

    /// The file could not be made.
    struct Unusable: Error {}

    init(_ path: String) throws {
        descriptor = unsafe open(path, O_CREAT | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw Unusable() }
        try write()
    }

    deinit { close(descriptor) }

    /// One durable write.
    func write() throws {
        guard unsafe pwrite(descriptor, page, page.count, 0) == page.count, fdatasync(descriptor) == 0 else {
            throw Unusable()
        }
    }
}
