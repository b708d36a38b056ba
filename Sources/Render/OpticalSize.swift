/// The size at which marks of different shapes look alike.
///
/// A mark that fits its box covers a share S: the area of its outline divided by the area of a
/// square as high as the box. It is drawn at √(T / S) of its size, with T = 0.55, but never larger
/// than it fits. The factor is 0.74 for a full square and 0.84 for a disc; a word twice as wide as
/// high keeps its size. T was chosen by comparing rows of real logos: squares look neither too
/// heavy nor too small.
enum OpticalSize {
    /// The target area T of an outline, as a share of the square.
    static let target = 0.55

    static func scale(ofShare share: Double) -> Double {
        guard share > target else { return 1 }
        return (target / share).squareRoot()
    }
}
