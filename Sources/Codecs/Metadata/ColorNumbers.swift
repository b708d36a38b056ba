/// The four code points that stand for a profile in pictures coded like video (ITU-T H.273).
struct ColorNumbers: Hashable {
    let primaries: Int
    let transfer: Int
    /// How colours were mixed into the planes that are stored.
    let matrix: Int
    /// The samples use all their values; else black is 16 and white 235 of 255.
    let isFullRange: Bool

    /// The profile of pixels with these numbers; `nil` for sRGB.
    var profile: ColorProfile? { ColorProfile(primaries: primaries, transfer: transfer) }
}
