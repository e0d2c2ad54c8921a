internal import PaymentBase
internal import PaymentConformance

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How a report is written.
enum ReportFormat: String, CaseIterable {
    case html, json, xml, md, txt

    /// The format of a file, by the end of its name.
    init?(fileName: String) {
        guard let ending = fileName.split(separator: ".").last, let format = Self(rawValue: String(ending)) else {
            return nil
        }
        self = format
    }

    /// A report in this format; nil when it could not be written.
    func bytes(_ report: Report) -> [UInt8]? {
        switch self {
        case .html: Array(report.html.utf8)
        case .json: report.json.bytes()
        case .xml: JUnitReport.bytes(report)
        case .md: Array(report.markdown.utf8)
        case .txt: Array((report.text + "\n").utf8)
        }
    }
}

/// A file that a report goes into.
enum ReportFile {
    /// Replaces the file; says whether all of it was written.
    static func write(_ bytes: [UInt8], to name: String) -> Bool {
        guard let file = unsafe fopen(name, "w") else { return false }
        let written = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        let isClosed = unsafe fclose(file) == 0
        return written == bytes.count && isClosed
    }
}
