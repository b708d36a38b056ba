/// The rows of a PNG file before compression: samples packed, then filtered.
struct PNGRows {
    private let bitmap: Bitmap
    private let form: PNGFile.Form
    private let palette: Palette?
    private let depth: Int

    init(_ bitmap: Bitmap, _ form: PNGFile.Form, palette: Palette?, depth: Int) {
        self.bitmap = bitmap
        self.form = form
        self.palette = palette
        self.depth = depth
    }

    func plain() -> [UInt8] {
        filtered(x: 0, y: 0, stepX: 1, stepY: 1)
    }

    func interlaced() -> [UInt8] {
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
            (0, 1, 1, 2),
        ]
        return passes.flatMap { filtered(x: $0.0, y: $0.1, stepX: $0.2, stepY: $0.3) }
    }

    private var channels: Int {
        switch form {
        case .rgba, .deep: 4
        case .rgb: 3
        case .greyAlpha: 2
        case .grey, .palette: 1
        }
    }

    private func filtered(x: Int, y: Int, stepX: Int, stepY: Int) -> [UInt8] {
        if x >= bitmap.width || y >= bitmap.height { return [] }
        let width = (bitmap.width - x + stepX - 1) / stepX
        let bytesPerRow = (width * channels * depth + 7) / 8
        let bytesPerPixel = max(1, channels * depth / 8)
        var result: [UInt8] = []
        var above = [UInt8](repeating: 0, count: bytesPerRow)
        for line in stride(from: y, to: bitmap.height, by: stepY) {
            let row = packed(line, from: x, step: stepX, bytesPerRow: bytesPerRow)
            if form == .palette {
                result.append(0)
                result += row
            } else {
                append(best(row, above, bytesPerPixel), to: &result)
            }
            above = row
        }
        return result
    }

    private func append(_ choice: (filter: UInt8, row: [UInt8]), to result: inout [UInt8]) {
        result.append(choice.filter)
        result += choice.row
    }

    private func packed(_ y: Int, from x: Int, step: Int, bytesPerRow: Int) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(bytesPerRow)
        var bits = 0
        var filled = 0
        for column in stride(from: x, to: bitmap.width, by: step) {
            let pixel = y * bitmap.width + column
            let at = pixel * 4
            switch form {
            case .rgba:
                row += bitmap.bytes[at..<(at + 4)]
            case .rgb:
                row += bitmap.bytes[at..<(at + 3)]
            case .grey:
                row.append(bitmap.bytes[at])
            case .greyAlpha:
                row.append(bitmap.bytes[at])
                row.append(bitmap.bytes[at + 3])
            case .deep:
                for channel in 0..<4 {
                    row.append(bitmap.bytes[at + channel])
                    row.append(bitmap.bytes[at + channel])
                }
            case .palette:
                bits = bits << depth | Int(palette?.indices[pixel] ?? 0)
                filled += depth
                if filled == 8 {
                    row.append(UInt8(bits & 255))
                    filled = 0
                    bits = 0
                }
            }
        }
        if filled > 0 { row.append(UInt8(bits << (8 - filled) & 255)) }
        return row
    }

    /// Chooses the filter with the smallest sum of absolute differences, like most writers.
    private func best(
        _ row: [UInt8], _ above: [UInt8], _ distance: Int
    ) -> (filter: UInt8, row: [UInt8]) {
        var choice: (filter: UInt8, row: [UInt8]) = (0, row)
        var least = Int.max
        for filter in UInt8(0)...4 {
            let candidate = Self.apply(filter, row, above, distance)
            var sum = 0
            for byte in candidate { sum += Int(Int8(bitPattern: byte).magnitude) }
            if sum < least {
                least = sum
                choice = (filter, candidate)
            }
        }
        return choice
    }

    private static func apply(
        _ filter: UInt8, _ row: [UInt8], _ above: [UInt8], _ distance: Int
    ) -> [UInt8] {
        let count = row.count
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            for index in 0..<count {
                let left = index >= distance ? Int(row[index - distance]) : 0
                let up = Int(above[index])
                let corner = index >= distance ? Int(above[index - distance]) : 0
                let guess: Int
                switch filter {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = up
                case 3: guess = (left + up) / 2
                default:
                    let estimate = left + up - corner
                    let toLeft = abs(estimate - left)
                    let toUp = abs(estimate - up)
                    let toCorner = abs(estimate - corner)
                    guess =
                        toLeft <= toUp && toLeft <= toCorner
                        ? left : toUp <= toCorner ? up : corner
                }
                unsafe target[index] = row[index] &- UInt8(truncatingIfNeeded: guess)
            }
            filled = count
        }
    }
}
