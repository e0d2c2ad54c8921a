/// What becomes due, by time: the earliest is found without looking at the others.
struct TimerQueue<Item: Sendable>: Sendable {
    private struct Due: Sendable {
        let at: Int64
        /// What comes first among those of one moment.
        let rank: Int
        let item: Item

        func isBefore(_ other: Due) -> Bool { (at, rank) < (other.at, other.rank) }
    }

    /// A heap: each is before the two at twice its place and one, and one more.
    private var heap: [Due] = []

    /// The earliest.
    var next: (at: Int64, item: Item)? { heap.first.map { ($0.at, $0.item) } }

    /// Adds something that becomes due at a moment; what has the lower rank comes first among those of one moment.
    mutating func add(_ item: Item, at instant: Int64, rank: Int) {
        heap.append(Due(at: instant, rank: rank, item: item))
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            StoreVisits.count()
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the earliest out.
    @discardableResult
    mutating func popFirst() -> (at: Int64, item: Item)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        StoreVisits.count()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.at, first.item)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == place { return }
            StoreVisits.count()
            heap.swapAt(place, least)
            place = least
        }
    }
}
