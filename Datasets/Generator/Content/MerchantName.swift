/// A name of a merchant or bank that does not exist, built from syllables.
struct MerchantName: Sendable {
    let label: String
    let slug: String
    /// The first word in capitals, for a wordmark.
    let word: String
    let initials: String

    init(_ dice: inout Dice) {
        var name = dice.pick(Self.heads) + dice.pick(Self.tails)
        if dice.chance(35) {
            name = dice.pick(Self.heads) + dice.pick(Self.middles) + dice.pick(Self.tails)
        }
        let first = name.prefix(1).uppercased() + name.dropFirst()
        let trade = dice.chance(55) ? dice.pick(Self.trades) : ""
        label = trade.isEmpty ? first : "\(first) \(trade)"
        slug = trade.isEmpty ? name : "\(name)-\(trade.lowercased())"
        word = name.uppercased()
        initials = String(word.prefix(1)) + String(trade.prefix(1))
    }

    private static let heads = [
        "al", "bel", "cor", "dal", "el", "fen", "gal", "hol", "ivo", "jor", "kel", "lum", "mar",
        "nor", "oka", "pel", "quin", "ros", "sol", "tor", "ul", "ver", "wes", "xen", "yar", "zan",
        "bri", "cas", "den", "sil", "tam", "vol",
    ]
    private static let middles = [
        "a", "en", "i", "or", "ul", "ar", "e", "in", "o", "av", "es", "il",
    ]
    private static let tails = [
        "bright", "da", "do", "ford", "go", "ka", "la", "lin", "mont", "na", "nova", "ra", "ria",
        "ro", "sa", "sten", "ta", "tis", "tro", "va", "vella", "via", "vo", "wick", "za", "zen",
    ]
    private static let trades = [
        "Bank", "Market", "Coffee", "Energy", "Mobile", "Travel", "Books", "Pay", "Foods",
        "Pharmacy", "Home", "Air", "Rail", "Studio", "Insurance", "Garden", "Sport", "Optics",
    ]
}
