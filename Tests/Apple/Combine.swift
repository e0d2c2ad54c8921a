// The documented name of Apple's Combine that Halo's SDK asks for, for Scripts/apple alone. Nothing of it ever runs.

public final class Future<Output, Failure: Error> {
    public typealias Promise = (Result<Output, Failure>) -> Void
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {}
}
