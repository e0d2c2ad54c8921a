#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Where a command writes: data to one place, everything else to another.
public struct Console: Sendable {
    /// Writes a line of data.
    public let out: @Sendable (String) -> Void
    /// Writes a line of anything else.
    public let error: @Sendable (String) -> Void

    /// Makes a console of two functions.
    public init(out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void) {
        (self.out, self.error) = (out, error)
    }

    /// Standard output and standard error.
    public static let standard = Console(out: { write($0, 1) }, error: { write($0, 2) })

    private static func write(_ line: String, _ descriptor: Int32) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                unsafe Musl.write(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Darwin)
                unsafe Darwin.write(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            // Nobody reads any more: there is nobody to tell.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
