import CLibDeflate
import Raster

/// The embedded profile of a PNG made ready for its pixels, or nothing to be done.
struct PNGTransform: ~Copyable {
    private let transform: ColorTransform?

    /// Takes the profile of a file where there is one that fits its pixels.
    init(layout: PNGLayout, bytes: Span<UInt8>, limits: DecodeLimits) {
        guard let profile = Self.profile(of: layout, bytes: bytes, limits: limits) else {
            transform = nil
            return
        }
        transform = profile.transform()
    }

    /// Pixels must pass through `apply` before they are premultiplied.
    var isNeeded: Bool { transform != nil }

    /// The profile in the file, or one made from the numbers that stand in its place.
    static func profile(
        of layout: PNGLayout, bytes: Span<UInt8>, limits: DecodeLimits
    ) -> ColorProfile? {
        guard layout.profile == nil else {
            return embedded(in: layout, bytes: bytes, limits: limits)
        }
        let isGrey = layout.header.colorType == .grey || layout.header.colorType == .greyAlpha
        // Only whole colours with all their values are pixels of a PNG as we know them.
        guard !isGrey, let numbers = layout.numbers, numbers.matrix == 0, numbers.isFullRange else {
            return nil
        }
        return numbers.profile
    }

    /// The profile in the file; nil where it is broken, too long, or speaks of other pixels.
    private static func embedded(
        in layout: PNGLayout, bytes: Span<UInt8>, limits: DecodeLimits
    ) -> ColorProfile? {
        guard let range = layout.profile else { return nil }
        let body = bytes.extracting(range)
        // A name of at most 79 bytes, a zero, the method 0, then the compressed profile.
        guard let nameEnd = (0..<min(80, body.count)).first(where: { body[$0] == 0 }), nameEnd > 0,
            nameEnd + 2 < body.count, body[nameEnd + 1] == 0
        else { return nil }
        let packed = body.extracting(nameEnd + 2..<body.count)
        guard let inflated = PNGInflate.all(packed, bytesLimit: limits.profileBytes) else {
            return nil
        }
        guard let profile = ColorProfile(inflated.span, bytesLimit: limits.profileBytes) else {
            return nil
        }
        let isGrey = layout.header.colorType == .grey || layout.header.colorType == .greyAlpha
        return profile.model == (isGrey ? .grey : .rgb) ? profile : nil
    }

    /// Straight pixels converted and premultiplied, for tables.
    func finished(_ pixels: [UInt32]) -> [UInt32] {
        var result = pixels
        unsafe result.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            if transform != nil {
                unsafe transform?.convert(
                    base.assumingMemoryBound(to: UInt8.self), pixelCount: pixels.count)
            }
            _ = unsafe Premultiplication.row(base, result: base, count: pixels.count)
        }
        return result
    }

    /// Converts a straight picture in place, premultiplies it and says whether it is opaque.
    func apply(to picture: inout PixelBuffer) -> Bool {
        let count = picture.size.area
        return unsafe picture.withUnsafeMutablePixels { base in
            unsafe transform?.convert(base, pixelCount: count)
            return unsafe Premultiplication.row(base, result: base, count: count) >> 24 == 255
        }
    }
}
