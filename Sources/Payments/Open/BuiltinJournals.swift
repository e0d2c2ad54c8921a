internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux

/// Which journals were used from a state folder, kept apart from them: one that is gone, with everything beside it, would
/// begin anew in silence, and what it held would be charged again.
struct BuiltinJournals {
    /// The file that names them.
    static let name = "journals.json"
    private static let bytesMax = 64 * 1_024
    /// How many are remembered; then the oldest is forgotten.
    private static let journalsMax = 64

    private let file: String
    private var paths: [String] = []

    /// Reads the file of the state folder that was given or is meant; nil where neither is so.
    static func look(_ state: StateDirectory?, meantBy journal: String) throws(PaymentError) -> BuiltinJournals? {
        if let state { return try BuiltinJournals(state) }
        return journal.hasPrefix(StateDirectory.prefix) ? try BuiltinJournals(.user()) : nil
    }

    private init(_ state: StateDirectory) throws(PaymentError) {
        try state.make()
        file = state.file(Self.name)
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try RegularFile.read(
                file, bytesMax: Self.bytesMax, forbidding: RegularFile.othersMayWrite, followsLinks: false)
        } catch .missing { return } catch { throw StoreFailure.error("the names of the journals", file, error) }
        guard let items = (try? JSONReader().read(bytes))?["journals"]?.array else {
            throw StoreFailure.unreadable("the names of the journals", file)
        }
        paths = items.compactMap(\.string)
    }

    /// Refuses a journal that was used before and now is missing or empty.
    func expect(_ path: String) throws(PaymentError) {
        guard paths.contains(FileWay.plain(path)), RegularFile.isEmptyOrMissing(path) else { return }
        throw PaymentError.notExecuted(
            .journal,
            "the journal \(path) was used here before, and now it is gone or empty: payments that it held could be "
                + "charged again. Restore it from a copy; or, once everything is settled with the providers, remove "
                + "\(file) to begin anew")
    }

    /// Remembers a journal that was opened.
    func remember(_ path: String) throws(PaymentError) {
        let path = FileWay.plain(path)
        if paths.contains(path) { return }
        let kept = (paths + [path]).suffix(Self.journalsMax)
        let json: JSON = ["journals": .array(kept.map { .string($0) })]
        do { try RegularFile.replace(file, with: json.bytes()) } catch {
            throw StoreFailure.error("the names of the journals", file, error)
        }
    }
}
