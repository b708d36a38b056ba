/// 64 bits that say where a picture becomes lighter from left to right: nine columns of eight rows of
/// cells, and a bit for each two neighbours. Pictures that look alike have most of them in common,
/// whatever their sizes and formats.
package enum GradientHash {
    private static let columns = 9
    private static let rows = 8
    /// A rise of fewer levels may be noise.
    private static let least = 4

    /// As many bits as pictures that look alike may differ in.
    package static let nearLimit = 3

    /// The hash of a small picture, as it shows over a middle grey.
    package static func of(_ picture: borrowing PixelBuffer) -> UInt64 {
        var hash: UInt64 = 0
        for row in 0..<rows {
            let lights = (0..<columns).map { light(of: picture, $0, row) }
            for column in 1..<columns {
                let isRise = lights[column] >= lights[column - 1] + least
                hash = hash << 1 | (isRise ? 1 : 0)
            }
        }
        return hash
    }

    /// The average lightness of a cell.
    private static func light(
        of picture: borrowing PixelBuffer, _ column: Int, _ row: Int
    ) -> Int {
        let pixels = picture.pixels
        let across = range(column, of: columns, picture.width)
        let down = range(row, of: rows, picture.height)
        var sum = 0
        for y in down {
            for x in across {
                let offset = (y * picture.width + x) * 4
                // Eighths that come near to how bright the eye finds the colours.
                sum +=
                    (2 * Int(pixels[offset]) + 5 * Int(pixels[offset + 1]) + Int(pixels[offset + 2])
                        + 4 * (255 - Int(pixels[offset + 3]))) / 8
            }
        }
        return sum / (across.count * down.count)
    }

    /// The pixels of a cell, one at least.
    private static func range(_ cell: Int, of count: Int, _ length: Int) -> Range<Int> {
        let start = min(cell * length / count, length - 1)
        return start..<max(start + 1, (cell + 1) * length / count)
    }
}
