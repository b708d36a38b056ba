import CLibLCMS

extension ColorProfile {
    /// A profile for the code points that video formats use for primaries and transfer curve;
    /// `nil` for sRGB, for the unspecified, and for curves made for brighter screens (PQ, HLG).
    package init?(primaries: Int, transfer: Int) {
        let points: [Double]
        switch primaries {
        case 9: points = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
        case 11, 12: points = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        case 1 where transfer == 8: points = [0.640, 0.330, 0.300, 0.600, 0.150, 0.060]
        default: return nil
        }
        let curve: (type: Int32, parameters: [Double])
        switch transfer {
        case 4: curve = (1, [2.2])
        case 5: curve = (1, [2.8])
        case 8: curve = (1, [1])
        // Pictures marked with the curve of television were made for screens of the sRGB kind.
        case 1, 2, 6, 13, 14, 15:
            curve = (4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        default: return nil
        }
        guard let bytes = Self.make(points, curve: curve.type, curve.parameters) else { return nil }
        self.init(bytes.span)
    }

    /// The bytes of a profile with these primaries, the white of daylight, and one curve.
    private static func make(
        _ points: [Double], curve type: Int32, _ parameters: [Double]
    ) -> [UInt8]? {
        guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
        defer { unsafe cmsDeleteContext(context) }
        guard let curve = unsafe cmsBuildParametricToneCurve(context, type, parameters) else {
            return nil
        }
        defer { unsafe cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: points[0], y: points[1], Y: 1),
            Green: cmsCIExyY(x: points[2], y: points[3], Y: 1),
            Blue: cmsCIExyY(x: points[4], y: points[5], Y: 1))
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
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
