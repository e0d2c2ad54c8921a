/// Numbers that one seed repeats (SplitMix64); for tests and simulations, never for keys.
public final class SeededRandom: RandomSource {
    private let state: Locked<UInt64>

    /// Makes a source whose whole sequence follows from `seed`.
    public init(seed: UInt64) { state = Locked(seed) }

    public func next() -> UInt64 {
        let word = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        var mixed = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
