extension BrokenFile {
    static func jpegs(seed: UInt64) -> [BrokenFile] {
        [
            BrokenFile("jpeg-magic-only.jpg", "truncated") { [0xFF, 0xD8, 0xFF] },
            BrokenFile("jpeg-cut-header.jpg", "truncated") { Array(baseline(seed).prefix(90)) },
            BrokenFile("jpeg-cut-25.jpg", "truncated") { cut(baseline(seed), percent: 25) },
            BrokenFile("jpeg-cut-50.jpg", "truncated", typical: true) {
                cut(baseline(seed), percent: 50)
            },
            BrokenFile("jpeg-cut-90.jpg", "truncated") { cut(baseline(seed), percent: 90) },
            BrokenFile("jpeg-cut-progressive-50.jpg", "truncated", typical: true) {
                cut(progressive(seed), percent: 50)
            },
            BrokenFile("jpeg-no-end.jpg", "ok", typical: true) {
                Array(baseline(seed).dropLast(2))
            },
            BrokenFile("jpeg-bomb-65500.jpg", "limit_pixels", typical: true) {
                resized(baseline(seed), width: 65_500, height: 65_500)
            },
            BrokenFile("jpeg-bomb-progressive-65500.jpg", "limit_pixels") {
                resized(progressive(seed), width: 65_500, height: 65_500)
            },
            BrokenFile("jpeg-progressive-30-mp.jpg", "limit_pixels") {
                resized(progressive(seed), width: 6_000, height: 5_000)
            },
            BrokenFile("jpeg-2000-scans.jpg", "limit_decode", typical: true) { scans(seed, 2_000) },
            BrokenFile("jpeg-zero-width.jpg", "corrupt") {
                resized(baseline(seed), width: 0, height: 320)
            },
            BrokenFile("jpeg-lossless.jpg", "unsupported") {
                var file = baseline(seed)
                if let place = frame(of: file) { file[place + 1] = 0xC3 }
                return file
            },
            BrokenFile("jpeg-12-bit.jpg", "unsupported") {
                var file = baseline(seed)
                if let place = frame(of: file) {
                    file[place + 1] = 0xC1
                    file[place + 4] = 12
                }
                return file
            },
            BrokenFile("jpeg-trailing-video.jpg", "ok") {
                baseline(seed) + [0, 0, 0, 0x18] + Array("ftypmp42".utf8)
                    + [UInt8](repeating: 3, count: 900)
            },
        ]
    }

    private static func baseline(_ seed: UInt64) -> [UInt8] {
        JPEGFile().encode(photo(seed))
    }

    private static func progressive(_ seed: UInt64) -> [UInt8] {
        JPEGFile(isProgressive: true).encode(photo(seed))
    }

    private static func frame(of file: [UInt8]) -> Int? {
        segments(of: file).first { (0xC0...0xC2).contains($0.marker) }?.start
    }

    private static func resized(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        var result = file
        guard let place = frame(of: file) else { return file }
        result.replaceSubrange(
            (place + 5)..<(place + 9),
            with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
        return result
    }

    /// Returns the marker segments up to the end of the file; a scan extends to the next marker.
    private static func segments(of file: [UInt8]) -> [(marker: UInt8, start: Int, end: Int)] {
        var found: [(marker: UInt8, start: Int, end: Int)] = []
        var place = 2
        while place + 4 <= file.count, file[place] == 0xFF {
            let marker = file[place + 1]
            if marker == 0xD9 { break }
            var end = place + 2 + (Int(file[place + 2]) << 8 | Int(file[place + 3]))
            if marker == 0xDA {
                while end + 1 < file.count {
                    let next = file[end + 1]
                    if file[end] == 0xFF, next != 0, !(0xD0...0xD7).contains(next) { break }
                    end += 1
                }
            }
            found.append((marker, place, end))
            place = end
        }
        return found
    }

    /// Returns a small progressive file whose last scan is repeated many times.
    private static func scans(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var form = JPEGFile(isProgressive: true)
        form.quality = 60
        let file = form.encode(photo(seed, width: 64, height: 48))
        let parts = segments(of: file)
        guard let last = parts.last(where: { $0.marker == 0xDA }) else { return file }
        let scan = file[last.start..<last.end]
        var result = Array(file[..<last.end])
        let own = parts.filter { $0.marker == 0xDA }.count
        for _ in own..<count { result += scan }
        return result + [0xFF, 0xD9]
    }
}
