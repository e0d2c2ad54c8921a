/// A vendor's object that isn't `Sendable`, confined to the main actor.
///
/// The vendors give such an object calls of the main actor and calls of no actor, so that no actor can make all of them by
/// the compiler's rules. Their own examples make all of them from the main actor, and so does the glue: only it has the
/// object, and a call that leaves the main actor says `unsafe`.
@MainActor struct Confined<Object: AnyObject> {
    /// The object, for calls that stay on the main actor.
    let object: Object

    init(_ object: Object) { self.object = object }

    /// The object for one call that leaves the main actor, which the compiler no longer follows.
    @unsafe func leaving() -> sending Object {
        let place = unsafe unsafeBitCast(object, to: UInt.self)
        return unsafe unsafeBitCast(place, to: Object.self)
    }
}
