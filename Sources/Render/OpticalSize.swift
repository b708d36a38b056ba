/// The size at which marks of different shapes look alike.
///
/// A mark that fits its box takes a share S of it: the area of its outline over that of a square as
/// high as the box. It is drawn at √(T / S) of its size, T being 0.55, and never larger than it
/// fits. A full square comes to 0.74, a disc to 0.84; a word twice as wide as high stays as it is.
/// Of several values looked at in rows of real logos this one leaves squares neither heavy nor lost.
enum OpticalSize {
    /// What the outline of every mark comes to, of the square.
    static let target = 0.55

    static func scale(ofShare share: Double) -> Double {
        guard share > target else { return 1 }
        return (target / share).squareRoot()
    }
}
