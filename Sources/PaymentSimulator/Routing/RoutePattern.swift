internal import PaymentBase

/// A path with names in it: `/payments/:id/refund`.
struct RoutePattern: Hashable, Sendable {
    /// One piece between two slashes.
    enum Segment: Hashable, Sendable {
        case word(String)
        case parameter(String)
    }

    let text: String
    let segments: [Segment]

    /// Reads a pattern; nil unless it begins with a slash and each name comes once.
    init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        self.text = text
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { piece in
            piece.hasPrefix(":") ? .parameter(String(piece.dropFirst())) : .word(String(piece))
        }
        let names = segments.compactMap { segment in
            if case .parameter(let name) = segment { return name }
            return nil
        }
        guard Set(names).count == names.count else { return nil }
    }

    /// The pieces of a path, without escapes; nil when an escape is broken.
    static func pieces(of path: Substring) -> [String]? {
        guard path.first == "/" else { return nil }
        var pieces: [String] = []
        for piece in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = PercentEncoding.decode(String(piece)) else { return nil }
            pieces.append(text)
        }
        return pieces
    }

    /// The values of the names, if the path fits; a name doesn't stand for nothing.
    func match(_ pieces: [String]) -> [String: String]? {
        guard pieces.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, piece) in zip(segments, pieces) {
            switch segment {
            case .word(let word): if word != piece { return nil }
            case .parameter(let name):
                if piece.isEmpty { return nil }
                values[name] = piece
            }
        }
        return values
    }

    /// Words come before names, from the left: `/payments/new` before `/payments/:id`.
    func isMoreExact(than other: RoutePattern) -> Bool {
        for (one, two) in zip(segments, other.segments) {
            switch (one, two) {
            case (.word, .parameter): return true
            case (.parameter, .word): return false
            case (.word, .word), (.parameter, .parameter): continue
            }
        }
        return false
    }
}
