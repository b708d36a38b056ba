enum ProfileSample {
    static let adobe = matrix(
        [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446], name: "Wide")
    static let sRGB = matrix(
        [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141], name: "Plain",
        curve: standardCurve)

    /// The sRGB curve in 256 steps.
    private static let standardCurve: [UInt8] =
        Array("curv".utf8) + be32(0) + be32(256)
        + (0..<256).flatMap { step -> [UInt8] in
            let value = Double(step) / 255
            let light = value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
            return be16(Int(light * 65_535 + 0.5))
        }

    /// Returns x to the power of 2.4, precise enough for a curve.
    private static func power(_ x: Double) -> Double {
        // 2.4 = 2 + 0.4; computes the fifth root by Newton's method.
        var root = 1.0
        for _ in 0..<60 { root = (4 * root + x * x / (root * root * root * root)) / 5 }
        return x * x * root
    }

    /// Returns an RGB profile of three primaries, given as X, Y, Z each.
    static func matrix(_ xyz: [Double], name: String, curve: [UInt8]? = nil) -> [UInt8] {
        let curve = curve ?? Array("curv".utf8) + be32(0) + be32(1) + be16(0x0233) + be16(0)
        func color(_ index: Int) -> [UInt8] {
            Array("XYZ ".utf8) + be32(0)
                + xyz[index * 3..<index * 3 + 3].flatMap { be32(Int($0 * 65_536 + 0.5)) }
        }
        let text = Array(name.utf8) + [0]
        let description =
            Array("desc".utf8) + be32(0) + be32(text.count) + text
            + [UInt8](repeating: 0, count: 78)
        return file(
            kind: "mntr", space: "RGB ", connection: "XYZ ",
            tags: [
                ("rXYZ", color(0)), ("gXYZ", color(1)), ("bXYZ", color(2)), ("rTRC", curve),
                ("gTRC", curve), ("bTRC", curve), ("desc", description),
            ])
    }

    /// A grey profile with a linear curve, which makes middle grey lighter.
    static let grey = file(
        kind: "mntr", space: "GRAY", connection: "XYZ ",
        tags: [
            ("kTRC", Array("curv".utf8) + be32(0) + be32(0)),
            ("wtpt", Array("XYZ ".utf8) + be32(0) + be32(63_190) + be32(65_536) + be32(54_061)),
        ])

    /// A CMYK profile in which cyan looks red, unlike in any real profile.
    static let inks: [UInt8] = {
        var table: [UInt8] = Array("mft1".utf8) + be32(0) + [4, 3, 2, 0]
        for index in 0..<9 { table += be32(index % 4 == 0 ? 65_536 : 0) }
        let ramp = (0...255).map { UInt8($0) }
        for _ in 0..<4 { table += ramp }
        for node in 0..<16 {
            switch node {
            case 0: table += [255, 128, 128]
            case 8: table += [130, 200, 180]
            default: table += [0, 128, 128]
            }
        }
        for _ in 0..<3 { table += ramp }
        return file(kind: "prtr", space: "CMYK", connection: "Lab ", tags: [("A2B0", table)])
    }()

    private static func file(
        kind: String, space: String, connection: String, tags: [(String, [UInt8])]
    ) -> [UInt8] {
        var directory = be32(tags.count)
        var data: [UInt8] = []
        for (name, body) in tags {
            let padded = body + [UInt8](repeating: 0, count: (4 - body.count & 3) & 3)
            let offset = 128 + 4 + tags.count * 12 + data.count
            directory += Array(name.utf8) + be32(offset) + be32(body.count)
            data += padded
        }
        var head = be32(128 + directory.count + data.count) + Array("lcms".utf8) + be32(0x0210_0000)
        head += Array(kind.utf8) + Array(space.utf8) + Array(connection.utf8)
        head += be16(2020) + be16(1) + be16(1) + be16(0) + be16(0) + be16(0)
        head += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        head += be32(63_190) + be32(65_536) + be32(54_061)
        head += [UInt8](repeating: 0, count: 128 - head.count)
        return head + directory + data
    }
}
