/// A number of points as style sheets and resources write it.
enum ThemeNumber {
    static func text(_ points: Double) -> String {
        Int(exactly: points).map(String.init) ?? "\((points * 1000).rounded() / 1000)"
    }
}
