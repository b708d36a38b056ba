/// The Lanczos kernel of three lobes, the same to the last bit on every processor.
enum Lanczos {
    /// How far the kernel reaches, in pixels of the coarser side.
    static let radius = 3.0

    /// The kernel at distance `x`; exactly 1 at 0 and exactly 0 at every other whole number.
    static func weight(at x: Double) -> Double {
        let distance = abs(x)
        guard distance < radius else { return 0 }
        // Conversion is quicker than `rounded`, which is a call without SSE4.1.
        guard distance != Double(Int(distance)) else { return distance == 0 ? 1 : 0 }
        // sin(3t) = 3 sin t - 4 sin³ t, so one sine serves for both factors.
        let angle = distance * (Double.pi / 3)
        let slow = ExactSine.sine(angle)
        let fast = slow * (3 - 4 * slow * slow)
        return fast * slow / (3 * angle * angle)
    }
}
