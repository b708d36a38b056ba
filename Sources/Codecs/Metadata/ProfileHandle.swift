import CLibLCMS

/// An open profile of lcms2, in a context whose error messages are discarded.
@safe
struct ProfileHandle: ~Copyable {
    private let context: cmsContext
    let profile: cmsHPROFILE

    /// Opens a profile from memory; `nil` when lcms2 refuses it.
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

    /// The kind of pixels described, or `nil` for a profile that describes none of ours.
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

    /// Judged by numbers, not by name: primaries and curves within less than an eight-bit step.
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

    private func hasPrimary(_ tag: cmsTagSignature, _ x: Double, _ y: Double, _ z: Double) -> Bool {
        guard let raw = unsafe cmsReadTag(profile, tag) else { return false }
        let found = unsafe raw.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        return max(abs(found.X - x), abs(found.Y - y), abs(found.Z - z)) < 0.002
    }

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
