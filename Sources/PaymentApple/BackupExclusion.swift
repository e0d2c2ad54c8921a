#if canImport(Darwin)
internal import Foundation

/// Marks what backups leave out: a journal that comes back from one is an old one.
package enum BackupExclusion {
    /// Marks a folder with what it holds; false where the system refuses.
    package static func mark(_ folder: String) -> Bool {
        var url = URL(fileURLWithPath: folder, isDirectory: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        return (try? url.setResourceValues(values)) != nil
    }
}
#endif
