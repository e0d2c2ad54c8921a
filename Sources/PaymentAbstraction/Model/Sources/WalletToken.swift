public import PaymentBase

/// A payment token that a wallet made for this one payment.
public struct WalletToken: Hashable, Sendable {
    /// Which wallet; an open set.
    public struct Wallet: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Apple Pay.
        public static let applePay = Wallet(rawValue: "applePay")
        /// Google Pay.
        public static let googlePay = Wallet(rawValue: "googlePay")
    }

    /// Which wallet made it.
    public let wallet: Wallet
    /// What the wallet handed over, as it came.
    public let payload: Secret

    /// Makes a token.
    public init(_ wallet: Wallet, payload: Secret) { (self.wallet, self.payload) = (wallet, payload) }
}
