/// Adds noise of many sizes to a picture, strongest where the scene is rough, and grain on top.
///
/// All arithmetic is in integers, so the bytes are the same on every machine.
struct PhotoTexture {
    private let seed: UInt32

    init(_ dice: inout Dice) {
        seed = UInt32(truncatingIfNeeded: dice.next())
    }

    /// Changes the picture in place. `rough` is a smaller picture whose grey levels are the
    /// roughness of the scene.
    func apply(to bitmap: inout Bitmap, rough: Bitmap) {
        let width = bitmap.width
        let longest = max(width, bitmap.height)
        var cells: [Int] = []
        var cell = 1
        while cell * 2 <= max(4, longest / 6) {
            cell *= 2
            cells.append(cell)
        }
        var sums = [Int32](repeating: 0, count: width)
        var warmth = [Int32](repeating: 0, count: width)
        for y in 0..<bitmap.height {
            for x in 0..<width {
                sums[x] = 0
                warmth[x] = 0
            }
            for (index, cell) in cells.enumerated() {
                addNoise(cell: cell, layer: UInt32(index), y: y, weight: 27, to: &sums)
            }
            if let coarse = cells.last {
                addNoise(cell: coarse, layer: 91, y: y, weight: 40, to: &warmth)
            }
            let roughRow = y * rough.height / bitmap.height * rough.width
            for x in 0..<width {
                let depth = Int32(rough.bytes[(roughRow + x * rough.width / width) * 4])
                let grain = Int32(hash(UInt32(x), UInt32(y), 77) & 7) - 3
                let noise = (sums[x] * depth) >> 11
                let warm = (warmth[x] * depth) >> 12
                let at = (y * width + x) * 4
                bitmap.bytes[at] = shade(bitmap.bytes[at], noise + warm, grain)
                bitmap.bytes[at + 1] = shade(bitmap.bytes[at + 1], noise, grain)
                bitmap.bytes[at + 2] = shade(bitmap.bytes[at + 2], noise - warm, grain)
            }
        }
    }

    private func shade(_ value: UInt8, _ noise: Int32, _ grain: Int32) -> UInt8 {
        let base = Int32(value)
        let moved = base + (((base + 28) * noise) >> 7) + grain
        return UInt8(max(0, min(255, moved)))
    }

    /// Adds one octave of smooth value noise, from about -128 to 127 times weight / 32.
    private func addNoise(
        cell: Int, layer: UInt32, y: Int, weight: Int32, to row: inout [Int32]
    ) {
        let top = UInt32(y / cell)
        let down = ease(Int32(y % cell), cell)
        var left = column(0, top, layer, down)
        var right = column(1, top, layer, down)
        var inside = 0
        var next: UInt32 = 2
        let step = Int32(cell.trailingZeroBitCount)
        for x in 0..<row.count {
            let value = left + (((right - left) * Int32(inside)) >> step)
            row[x] += (value * weight) >> 5
            inside += 1
            if inside == cell {
                inside = 0
                left = right
                right = column(next, top, layer, down)
                next += 1
            }
        }
    }

    private func column(_ x: UInt32, _ y: UInt32, _ layer: UInt32, _ down: Int32) -> Int32 {
        let upper = Int32(hash(x, y, layer) & 255) - 128
        let lower = Int32(hash(x, y + 1, layer) & 255) - 128
        return upper + (((lower - upper) * down) >> 8)
    }

    /// An ease-in-ease-out curve from 0 to 256 along a cell.
    private func ease(_ inside: Int32, _ cell: Int) -> Int32 {
        let share = inside * 256 / Int32(cell)
        return (share * share * (768 - 2 * share)) >> 16
    }

    private func hash(_ x: UInt32, _ y: UInt32, _ layer: UInt32) -> UInt32 {
        var value = seed &+ x &* 0x85EB_CA6B &+ y &* 0xC2B2_AE35 &+ layer &* 0x27D4_EB2F
        value = (value ^ value >> 15) &* 0x2C1B_3C6D
        value = (value ^ value >> 12) &* 0x297A_2D39
        return value ^ value >> 15
    }
}
