/// What the simulated ARISE declines, and how it says so.
enum ARISECodes {
    /// The amounts with which the real sandbox declines, with the code.
    static let declinedCents: [Int64: String] = [6: "07", 7: "41", 8: "43", 21: "51"]
    /// The codes with which cards are declined, by number.
    static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "4000000000000010": "59"]
    /// What the codes mean.
    static let messages = [
        "05": "Do not honor", "07": "Pick up card", "41": "Lost card", "43": "Stolen card", "51": "Insufficient funds",
        "54": "Expired card", "55": "Incorrect PIN", "59": "Suspected fraud", "65": "PIN required",
        "N7": "CVV2 mismatch", "79": "Failed at the network",
    ]
}
