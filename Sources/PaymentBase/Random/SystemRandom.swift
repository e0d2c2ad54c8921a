/// The operating system's random numbers.
public struct SystemRandom: RandomSource {
    /// Makes a source that asks the operating system.
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
