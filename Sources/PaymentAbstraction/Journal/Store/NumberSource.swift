/// Gives out numbers that nobody else who shares it has had or will have; journals that can do so conform.
///
/// Providers whose wire wants short ids of our own get them from here: a number is used once, over restarts and
/// processes, whether or not anything came of it.
public protocol NumberSource: Sendable {
    /// Takes the next `count` numbers out for good, durable when it returns, and gives the first of them.
    func draw(_ count: Int64) async throws -> Int64
}
