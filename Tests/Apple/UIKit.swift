// The documented names of Apple's UIKit that the providers' SDKs ask for, for Scripts/apple alone. Nothing of it ever runs.

public import Foundation

@MainActor open class UIViewController {
    public init() {}
}

public final class UIImage: Sendable {
    public init() {}
    public init?(data: Data) {}
}
