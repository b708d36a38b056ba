import CLibLCMS
import System

/// Converts straight pixels to sRGB, four bytes per pixel before and after.
///
/// The result is deterministic, because lcms2 uses eight and sixteen bit tables. Any number of
/// threads may share a transform, as lcms2 promises for transforms without its cache.
@safe
package final class ColorTransform: Sendable {
    private nonisolated(unsafe) let context: cmsContext
    private nonisolated(unsafe) let transform: cmsHTRANSFORM
    private let isCMYK: Bool

    /// - Parameter bytes: The ICC profile.
    init?(_ bytes: [UInt8], model: ColorModel) {
        let format: UInt32
        switch model {
        // Reads one channel and skips three, so that a grey pixel spans four bytes as well.
        case .grey: format = Self.format(space: PT_GRAY, channels: 1, extra: 3)
        case .rgb: format = Self.format(space: PT_RGB, channels: 3, extra: 1)
        case .cmyk: format = Self.format(space: PT_CMYK, channels: 4, extra: 0)
        case .palette: return nil
        }
        // Without lcms2's one-pixel cache a transform has no state between pixels.
        let flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION)
        let target = Self.format(space: PT_RGB, channels: 3, extra: 1)
        guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
        // The transform refers to its context for its whole life, but not to the profiles.
        let made = unsafe bytes.withUnsafeBytes { buffer -> cmsHTRANSFORM? in
            let length = cmsUInt32Number(buffer.count)
            let from = unsafe cmsOpenProfileFromMemTHR(context, buffer.baseAddress, length)
            let to = unsafe cmsCreate_sRGBProfileTHR(context)
            defer {
                if let from = unsafe from { unsafe cmsCloseProfile(from) }
                if let to = unsafe to { unsafe cmsCloseProfile(to) }
            }
            guard let from = unsafe from, let to = unsafe to else { return nil }
            return unsafe cmsCreateTransformTHR(
                context, from, format, to, target, UInt32(INTENT_PERCEPTUAL), flags)
        }
        guard let transform = unsafe made else {
            unsafe cmsDeleteContext(context)
            return nil
        }
        unsafe self.context = unsafe context
        unsafe self.transform = unsafe transform
        isCMYK = model == .cmyk
    }

    deinit {
        unsafe cmsDeleteTransform(transform)
        unsafe cmsDeleteContext(context)
    }

    /// Converts pixels in place. Grey pixels have their value in the first byte. Grey and RGB
    /// pixels keep their alpha. CMYK pixels hold amounts of ink (255 is full) and become opaque.
    package func convert(_ pixels: inout MutableSpan<UInt8>) {
        unsafe pixels.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe convert(base, pixelCount: buffer.count / 4)
        }
    }

    /// Converts pixels in memory that a C library filled.
    @unsafe
    package func convert(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        guard !isCMYK else {
            unsafe transformAll(pixels, pixelCount)
            for index in 0..<pixelCount {
                unsafe pixels[index * 4 + 3] = 255
            }
            return
        }
        guard pixelCount >= ConvertedColors.leastCount else {
            unsafe transformAll(pixels, pixelCount)
            return
        }
        unsafe ConvertedColors().convert(pixels, pixelCount: pixelCount) { pixels, count in
            unsafe transformAll(pixels, count)
        }
    }

    /// Converts all pixels without a cache of colours.
    private func transformAll(_ pixels: UnsafeMutableRawPointer, _ pixelCount: Int) {
        var done = 0
        while done < pixelCount {
            let count = min(pixelCount - done, 1 << 20)
            let start = unsafe pixels + done * 4
            unsafe cmsDoTransform(transform, start, start, UInt32(count))
            done += count
        }
    }

    private static func format(space: Int32, channels: UInt32, extra: UInt32) -> UInt32 {
        // The fields of lcms2's pixel format: colour space, extra bytes, channels, byte size.
        UInt32(space) << 16 | extra << 7 | channels << 3 | 1
    }
}

/// A cache of recent transforms, so that images from the same camera share one.
enum TransformCache {
    private struct Key: Hashable {
        let profile: [UInt8]
        let model: ColorModel
    }

    /// Transforms of up to a few hundred kilobytes each; `nil` marks an unusable profile.
    private static let entries = BoundedCache<Key, ColorTransform?>(countLimit: 8)
    /// The longest profile that is cached. Longer profiles, mostly for printing, rarely repeat.
    private static let profileBytesLimit = 64 << 10

    static func transform(for profile: [UInt8], model: ColorModel) -> ColorTransform? {
        guard profile.count <= profileBytesLimit else {
            return ColorTransform(profile, model: model)
        }
        return entries.value(for: Key(profile: profile, model: model)) {
            ColorTransform(profile, model: model)
        }
    }
}

/// Converts CMYK without a profile: each ink absorbs its share of the remaining light.
enum CMYKConversion {
    /// Converts between stored light values and amounts of ink; the operation is its own inverse.
    @unsafe
    static func invert(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        for index in 0..<pixelCount * 4 {
            unsafe pixels[index] = ~pixels[index]
        }
    }

    /// Converts amounts of ink to opaque RGBA, in place.
    @unsafe
    static func convert(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        for index in 0..<pixelCount {
            let pixel = unsafe pixels + index * 4
            let light = unsafe 255 - UInt32(pixel[3])
            for channel in 0..<3 {
                let product = unsafe (255 - UInt32(pixel[channel])) * light + 128
                unsafe pixel[channel] = UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
            }
            unsafe pixel[3] = 255
        }
    }
}
