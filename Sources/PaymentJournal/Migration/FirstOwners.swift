internal import PaymentSystem

/// The locks of the processes of the first edition: taken, so that none of them runs or begins meanwhile.
struct FirstOwners {
    private var descriptors: [Int32] = []

    /// Takes all of them.
    ///
    /// Locks of this edition are not meant: their files say who they belong to, and those of the first one are empty.
    ///
    /// - Throws: `OpeningFailure.inUse`, naming those that are held.
    init(besideJournal path: String) throws {
        var held: [String] = []
        for folder in Set([path, RealPath.of(path)].map { $0 + ".owners" }) {
            for name in RealPath.names(in: folder) where name.hasSuffix(".lock") {
                let descriptor = unsafe open("\(folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
                guard descriptor >= 0 else { continue }
                guard lseek(descriptor, 0, SEEK_END) == 0 else {
                    close(descriptor)
                    continue
                }
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                    descriptors.append(descriptor)
                } else {
                    close(descriptor)
                    held.append(String(name.dropLast(5)))
                }
            }
        }
        guard held.isEmpty else {
            release()
            throw OpeningFailure.inUse(held.sorted())
        }
    }

    /// Lets them go.
    func release() { for descriptor in descriptors { close(descriptor) } }
}
