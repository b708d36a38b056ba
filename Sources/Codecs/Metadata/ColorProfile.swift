import CLibLCMS

/// A valid embedded colour profile.
package struct ColorProfile: Sendable {
    /// The colour model of the profile: `grey`, `rgb` or `cmyk`.
    package let model: ColorModel
    /// The text of the profile's description tag.
    package let name: String?
    package let isSRGB: Bool
    private let bytes: [UInt8]

    /// Reads a profile; `nil` if it is broken, longer than the limit, or unusable for pixels.
    package init?(_ bytes: Span<UInt8>, bytesLimit: Int = DecodeLimits().profileBytes) {
        guard bytes.count >= 128, bytes.count <= bytesLimit else { return nil }
        let copy = bytes.copied()
        guard let handle = ProfileHandle(copy) else { return nil }
        guard let model = handle.model else { return nil }
        self.model = model
        name = handle.name
        isSRGB = handle.isSRGB
        self.bytes = copy
    }

    /// Returns the transform to sRGB; `nil` if none is needed or lcms2 cannot create it.
    package func transform() -> ColorTransform? {
        isSRGB ? nil : TransformCache.transform(for: bytes, model: model)
    }
}

extension ColorProfile {
    /// Creates a profile from video code points for primaries and transfer curve (ITU-T H.273);
    /// `nil` if the pixels are sRGB or the code points are unknown.
    package init?(primaries: Int, transfer: Int) {
        guard let curve = Curve(transfer) else { return nil }
        let gamut = Gamut(primaries)
        if curve == .sRGB, gamut == nil { return nil }
        guard let bytes = Self.make(gamut ?? .bt709, curve) else { return nil }
        self.init(bytes.span, bytesLimit: .max)
    }

    /// Creates a profile from three primaries, the D65 white point and a gamma.
    init?(
        primaries: (red: (Double, Double), green: (Double, Double), blue: (Double, Double)),
        exponent: Double
    ) {
        let gamut = Gamut(primaries.red, primaries.green, primaries.blue)
        guard let bytes = Self.make(gamut, .power(exponent)) else { return nil }
        self.init(bytes.span)
    }

    /// Returns the bytes of a profile with these primaries and curve.
    private static func make(_ gamut: Gamut, _ curve: Curve) -> [UInt8]? {
        guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
        defer { unsafe cmsDeleteContext(context) }
        guard let tone = unsafe curve.made(in: context) else { return nil }
        defer { unsafe cmsFreeToneCurve(tone) }
        var white = gamut.white
        var primaries = gamut.primaries
        var curves: [OpaquePointer?] = unsafe [tone, tone, tone]
        guard
            let profile = unsafe cmsCreateRGBProfileTHR(context, &white, &primaries, &curves)
        else { return nil }
        defer { unsafe cmsCloseProfile(profile) }
        var length: cmsUInt32Number = 0
        guard unsafe cmsSaveProfileToMem(profile, nil, &length) != 0, length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let saved = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe cmsSaveProfileToMem(profile, buffer.baseAddress, &length)
        }
        return saved != 0 ? bytes : nil
    }
}

private struct Gamut {
    let primaries: cmsCIExyYTRIPLE
    let white: cmsCIExyY

    /// The white point D65.
    private static let daylight = (0.3127, 0.3290)

    init(
        _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
        white: (Double, Double) = daylight
    ) {
        primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: red.0, y: red.1, Y: 1),
            Green: cmsCIExyY(x: green.0, y: green.1, Y: 1),
            Blue: cmsCIExyY(x: blue.0, y: blue.1, Y: 1))
        self.white = cmsCIExyY(x: white.0, y: white.1, Y: 1)
    }

    /// The gamut of BT.709 and sRGB.
    static let bt709 = Gamut((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))

    /// Returns the gamut of H.273, table 2; `nil` for sRGB's and for unknown code points.
    init?(_ number: Int) {
        switch number {
        // PAL and SECAM.
        case 5: self.init((0.640, 0.330), (0.290, 0.600), (0.150, 0.060))
        // NTSC.
        case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
        case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
        // P3 with the cinema white point, and with D65.
        case 11:
            self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))
        case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
        default: return nil
        }
    }
}

private enum Curve: Equatable {
    case sRGB
    case power(Double)

    /// Returns the curve of H.273, table 3; `nil` for unsupported code points.
    init?(_ number: Int) {
        switch number {
        // Images marked with the camera curve of BT.709 are made for sRGB-like displays, and
        // browsers show them with the sRGB curve. The HDR curves PQ and HLG are not implemented.
        case 1, 2, 6, 7, 11, 12, 13, 14, 15, 16, 18: self = .sRGB
        case 4: self = .power(2.2)
        case 5: self = .power(2.8)
        case 8: self = .power(1)
        default: return nil
        }
    }

    /// Creates the curve in lcms2; the caller frees it.
    @unsafe
    func made(in context: cmsContext) -> OpaquePointer? {
        switch self {
        case .sRGB:
            return unsafe cmsBuildParametricToneCurve(
                context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .power(let exponent):
            return unsafe cmsBuildParametricToneCurve(context, 1, [exponent])
        }
    }
}

/// The colour code points that replace a profile in video-coded images (ITU-T H.273).
struct ColorNumbers: Hashable {
    let primaries: Int
    let transfer: Int
    /// The matrix that converts the stored planes to RGB.
    let matrix: Int
    /// Whether samples use the full range; else black is 16 and white 235 of 255.
    let isFullRange: Bool

    /// The profile of these code points; `nil` for sRGB.
    var profile: ColorProfile? { ColorProfile(primaries: primaries, transfer: transfer) }
}

/// An open lcms2 profile, in a context that discards error messages.
@safe
struct ProfileHandle: ~Copyable {
    private let context: cmsContext
    let profile: cmsHPROFILE

    /// Opens a profile from memory; `nil` if lcms2 rejects it.
    init?(_ bytes: [UInt8]) {
        guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
        let opened = unsafe bytes.withUnsafeBytes { buffer in
            unsafe cmsOpenProfileFromMemTHR(
                context, buffer.baseAddress, cmsUInt32Number(buffer.count))
        }
        guard let profile = unsafe opened else {
            unsafe cmsDeleteContext(context)
            return nil
        }
        unsafe self.context = unsafe context
        unsafe self.profile = unsafe profile
    }

    deinit {
        unsafe cmsCloseProfile(profile)
        unsafe cmsDeleteContext(context)
    }

    /// The colour model; `nil` if it is not supported.
    var model: ColorModel? {
        switch unsafe cmsGetDeviceClass(profile) {
        case cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass: break
        default: return nil
        }
        switch unsafe cmsGetColorSpace(profile) {
        case cmsSigGrayData: return .grey
        case cmsSigRgbData: return .rgb
        case cmsSigCmykData: return .cmyk
        default: return nil
        }
    }

    /// The description in plain ASCII, at most 100 characters.
    var name: String? {
        var text = [CChar](repeating: 0, count: 101)
        let length = unsafe text.withUnsafeMutableBufferPointer { buffer in
            unsafe cmsGetProfileInfoASCII(
                profile, cmsInfoDescription, "en", "US", buffer.baseAddress,
                cmsUInt32Number(buffer.count))
        }
        guard length > 1 else { return nil }
        let printable = text.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F }
        return printable.isEmpty
            ? nil : String(decoding: printable.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether primaries and curves differ by less than an eight-bit step. The name does not count.
    var isSRGB: Bool {
        guard unsafe cmsGetColorSpace(profile) == cmsSigRgbData,
            unsafe cmsIsMatrixShaper(profile) != 0,
            unsafe cmsIsTag(profile, cmsSigAToB0Tag) == 0
        else { return false }
        return hasPrimary(cmsSigRedColorantTag, 0.4361, 0.2225, 0.0139)
            && hasPrimary(cmsSigGreenColorantTag, 0.3851, 0.7169, 0.0971)
            && hasPrimary(cmsSigBlueColorantTag, 0.1431, 0.0606, 0.7141)
            && hasCurve(cmsSigRedTRCTag) && hasCurve(cmsSigGreenTRCTag)
            && hasCurve(cmsSigBlueTRCTag)
    }

    /// Returns whether a colorant tag holds these XYZ values, within 0.002.
    private func hasPrimary(_ tag: cmsTagSignature, _ x: Double, _ y: Double, _ z: Double) -> Bool {
        guard let raw = unsafe cmsReadTag(profile, tag) else { return false }
        let found = unsafe raw.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        return max(abs(found.X - x), abs(found.Y - y), abs(found.Z - z)) < 0.002
    }

    /// Returns whether a tone curve tag holds the curve of sRGB, within 0.0015 at five points.
    private func hasCurve(_ tag: cmsTagSignature) -> Bool {
        guard let raw = unsafe cmsReadTag(profile, tag) else { return false }
        let curve = OpaquePointer(raw)
        let points: [(Float, Float)] = [
            (0.05, 0.003936), (0.1, 0.010023), (0.25, 0.050876), (0.5, 0.214041), (0.75, 0.522522),
        ]
        return points.allSatisfy { input, expected in
            abs(unsafe cmsEvalToneCurveFloat(curve, input) - expected) < 0.0015
        }
    }
}
