public import PaymentAbstraction
internal import PaymentLinux
public import PaymentProviderKit

extension PaymentConfiguration {
    /// Reads a configuration file.
    ///
    /// - Throws: `configuration`, nothing moved: why the file can't be read and what to do, or all of its problems.
    public static func load(_ path: String, registry: ProviderRegistry) throws(PaymentError) -> PaymentConfiguration {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(
                path, bytesMax: ConfigurationReader.bytesMax, forbidding: RegularFile.othersMayWrite)
        } catch {
            throw PaymentError.notExecuted(
                .configuration, "the configuration \(path) could not be read: \(error.problem). \(advice(error, path))")
        }
        return try ConfigurationReader(registry).read(bytes, file: path)
    }

    private static func advice(_ failure: FileFailure, _ path: String) -> String {
        switch failure {
        case .missing:
            "Run `payctl init` to write a file to start from, or name the file that you have."
        case .exposed: "Whoever can write it decides where payments go: run chmod go-w \(path)."
        case .foreign: "Whoever owns it decides where payments go: make it this user's own."
        case .openFolder(let folder):
            "Whoever can put another in its place decides where payments go: run chmod go-w \(folder)."
        case .forbidden: "Run as a user who may read it, or change its mode."
        case .notRegular, .tooLarge, .failed: "Is it the right file?"
        }
    }
}
