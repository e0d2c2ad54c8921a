internal import PaymentBase

extension JSON {
    /// The same with what stands at a place changed; nil takes it away, and where nothing stands it may be put.
    func changing(_ names: String..., to change: (JSON?) -> JSON?) -> JSON { changing(names[...], change) }

    private func changing(_ names: ArraySlice<String>, _ change: (JSON?) -> JSON?) -> JSON {
        guard var object, let name = names.first else { return self }
        if names.count == 1 {
            object[name] = change(object[name])
        } else if let inner = object[name] {
            object[name] = inner.changing(names.dropFirst(), change)
        }
        return .object(object)
    }

    /// The same without what stands at a place.
    func without(_ names: String...) -> JSON { changing(names[...]) { _ in nil } }

    /// The same with a value put at a place, whose surroundings are there.
    func putting(_ value: JSON, at names: String...) -> JSON { changing(names[...]) { _ in value } }
}
