/// A picture as at most 256 colours and an index per pixel.
struct Palette: Sendable {
    /// The colours as RGBA; those that are not opaque come first.
    let colors: [[UInt8]]
    let indices: [UInt8]

    /// Takes the most frequent colours; every other pixel gets the nearest of them.
    init(_ bitmap: Bitmap, limit: Int = 256) {
        var counts: [UInt32: Int] = [:]
        let pixels = Self.words(bitmap)
        for pixel in pixels { counts[pixel, default: 0] += 1 }
        // Ties are broken by value, because the order of a dictionary changes from run to run.
        let ranked = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        var kept = ranked.prefix(limit).map(\.key)
        kept.sort { ($0 & 255) != ($1 & 255) ? ($0 & 255) < ($1 & 255) : $0 < $1 }
        var nearest: [UInt32: UInt8] = [:]
        for (index, color) in kept.enumerated() { nearest[color] = UInt8(index) }
        indices = pixels.map { pixel in
            if let known = nearest[pixel] { return known }
            var best = 0
            var least = Int.max
            for (index, color) in kept.enumerated() {
                let distance = Self.distance(pixel, color)
                if distance < least {
                    least = distance
                    best = index
                }
            }
            nearest[pixel] = UInt8(best)
            return UInt8(best)
        }
        colors = kept.map {
            [UInt8($0 >> 24), UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)]
        }
    }

    /// Returns pixels as words; translucent colours are rounded, so that fewer are needed.
    private static func words(_ bitmap: Bitmap) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(bitmap.width * bitmap.height)
        for index in stride(from: 0, to: bitmap.bytes.count, by: 4) {
            var word: UInt32 = 0
            for channel in 0..<4 { word = word << 8 | UInt32(bitmap.bytes[index + channel]) }
            if word & 255 == 0 { word = 0 }
            words.append(word)
        }
        return words
    }

    private static func distance(_ one: UInt32, _ other: UInt32) -> Int {
        var sum = 0
        for shift in [UInt32(24), 16, 8, 0] {
            let difference = Int(one >> shift & 255) - Int(other >> shift & 255)
            sum += difference * difference * (shift == 0 ? 3 : 1)
        }
        return sum
    }
}
