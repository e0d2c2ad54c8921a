internal import CMicroHTTP

/// The head of a request as the library has read it.
extension HeadCheck {
    /// Reads the head of a connection's request; nil if it is malformed.
    static func read(
        _ connection: OpaquePointer?, method: UnsafePointer<CChar>?, target: String, version: UnsafePointer<CChar>?
    ) -> Checked? {
        guard let method = unsafe method, let version = unsafe version,
            unsafe pay_mhd_is_plain(connection, method, target.utf8.count, version) != 0,
            let fields = unsafe fields(of: connection)
        else { return nil }
        return unsafe check(
            method: ServerCallbacks.text(method), target: target, version: ServerCallbacks.text(version), fields)
    }

    private final class Gathered {
        var fields: [HTTPField] = []
        var isReadable = true
    }

    /// The fields of a head; nil if one is not UTF-8.
    private static func fields(of connection: OpaquePointer?) -> [HTTPField]? {
        let gathered = Gathered()
        let context = unsafe Unmanaged.passUnretained(gathered).toOpaque()
        _ = unsafe MHD_get_connection_values_n(
            connection, .HEADER_KIND,
            { context, _, name, nameCount, value, valueCount in
                guard let context = unsafe context else { return .YES }
                let gathered = unsafe Unmanaged<Gathered>.fromOpaque(context).takeUnretainedValue()
                if let name = unsafe HeadCheck.text(name, nameCount),
                    let value = unsafe HeadCheck.text(value, valueCount)
                {
                    gathered.fields.append(HTTPField(name.lowercased(), value))
                } else {
                    gathered.isReadable = false
                }
                return .YES
            }, context)
        return gathered.isReadable ? gathered.fields : nil
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String? {
        guard let start = unsafe start else { return "" }
        return unsafe String(validating: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
