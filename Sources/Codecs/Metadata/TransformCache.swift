import System

/// The transforms of the profiles last met, so that a run over the pictures of one camera makes
/// its transform once.
enum TransformCache {
    private struct Key: Hashable {
        let profile: [UInt8]
        let model: ColorModel
        let curve: BrightCurve?
    }

    /// A transform holds up to a few hundred kilobytes. A profile of which none can be made is
    /// remembered as such.
    private static let entries = BoundedCache<Key, ColorTransform?>(countLimit: 8)
    /// Larger profiles, mostly those of printing presses, are seldom met twice.
    private static let profileBytesLimit = 64 << 10

    static func transform(
        for profile: [UInt8], model: ColorModel, curve: BrightCurve?
    ) -> ColorTransform? {
        guard profile.count <= profileBytesLimit else {
            return ColorTransform(profile, model: model, curve: curve)
        }
        return entries.value(for: Key(profile: profile, model: model, curve: curve)) {
            ColorTransform(profile, model: model, curve: curve)
        }
    }
}
