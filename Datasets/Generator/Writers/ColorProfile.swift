import CLibLCMS

/// Colour profiles made by Little CMS, with a fixed date.
enum ColorProfile {
    static let sRGB: [UInt8] = unsafe bytes(cmsCreate_sRGBProfile())

    /// A profile with the wider green of camera files and a plain gamma of 2.2.
    static let wide: [UInt8] = {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.21, y: 0.71, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let curve = unsafe cmsBuildGamma(nil, 2.199_218_75)
        defer { unsafe cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        let profile = unsafe curves.withUnsafeMutableBufferPointer {
            unsafe cmsCreateRGBProfile(&white, &primaries, $0.baseAddress)
        }
        return unsafe bytes(profile)
    }()

    private static func bytes(_ profile: cmsHPROFILE?) -> [UInt8] {
        guard let profile = unsafe profile else { return [] }
        defer { unsafe cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        guard unsafe cmsSaveProfileToMem(profile, nil, &count) != 0 else { return [] }
        var result = [UInt8](repeating: 0, count: Int(count))
        _ = unsafe result.withUnsafeMutableBytes {
            unsafe cmsSaveProfileToMem(profile, $0.baseAddress, &count)
        }
        // Bytes 24 to 35 hold the creation date; a fixed date makes files reproducible.
        let day: [UInt8] = [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        result.replaceSubrange(24..<36, with: day)
        return result
    }
}
