import Support
import System
import Testing

/// Noise in any colour type and depth, filtered by the textbook definitions of the five filters.
struct PNGSample: CustomTestStringConvertible {
    var depth: Int
    var type: Int
    var interlaced = false
    var transparency = false
    var width = 37
    var height = 29

    var testDescription: String {
        "type \(type), \(depth) bits\(interlaced ? ", interlaced" : "")"
            + (transparency ? ", tRNS" : "")
    }

    static let all: [PNGSample] = [
        (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ].flatMap { type, depths in
        depths.flatMap { depth in
            [false, true].flatMap { interlaced in
                (type < 4 ? [false, true] : [false]).map { transparency in
                    PNGSample(
                        depth: depth, type: type, interlaced: interlaced,
                        transparency: transparency)
                }
            }
        }
    }

    var channels: Int { [1, 0, 3, 1, 2, 0, 4][type] }

    func file(seed: UInt64) -> PNGFile {
        var dice = SeededRandom(seed: seed)
        var before: [PNGFile.Chunk] = []
        if type == 3 {
            let count = 1 << depth
            before.append(.init(name: "PLTE", body: dice.bytes(count * 3)))
            if transparency {
                before.append(.init(name: "tRNS", body: dice.bytes(max(1, count * 2 / 3))))
            }
        } else if transparency {
            // Two values are frequent in the noise below, so that pixels match the key.
            let key: [UInt8] = depth == 16 ? [7, 7] : [0, UInt8(1 << depth - 1)]
            before.append(.init(name: "tRNS", body: type == 0 ? key : key + key + key))
        }
        return PNGFile(
            width: width, height: height, depth: depth, type: type, interlaced: interlaced,
            before: before, raw: raw(&dice))
    }

    private func raw(_ dice: inout SeededRandom) -> [UInt8] {
        let step = max(1, depth * channels / 8)
        var result: [UInt8] = []
        for pass in passes {
            var above = [UInt8](repeating: 0, count: pass.bytes)
            for _ in 0..<pass.rows {
                let row = noise(pass.bytes, &dice)
                let filter = Int(dice.next() % 5)
                result.append(UInt8(filter))
                for index in row.indices {
                    let left = index >= step ? row[index - step] : 0
                    let corner = index >= step ? above[index - step] : 0
                    result.append(
                        row[index] &- Self.guess(filter, left, above[index], corner))
                }
                above = row
            }
        }
        return result
    }

    private func noise(_ count: Int, _ dice: inout SeededRandom) -> [UInt8] {
        if dice.next() % 3 == 0 {
            return [UInt8](repeating: depth == 16 ? 7 : 255, count: count)
        }
        return dice.bytes(count).map { $0 & 7 == 0 ? 255 : $0 }
    }

    private static func guess(_ filter: Int, _ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        switch filter {
        case 0: return 0
        case 1: return left
        case 2: return up
        case 3: return UInt8((Int(left) + Int(up)) / 2)
        default:
            let point = Int(left) + Int(up) - Int(corner)
            let distances = [left, up, corner].map { abs(point - Int($0)) }
            if distances[0] <= distances[1], distances[0] <= distances[2] { return left }
            return distances[1] <= distances[2] ? up : corner
        }
    }

    private var passes: [(bytes: Int, rows: Int)] {
        let all =
            interlaced
            ? [
                (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                (0, 1, 1, 2),
            ] : [(0, 0, 1, 1)]
        return all.compactMap { x, y, stepX, stepY in
            let columns = (width - x + stepX - 1) / stepX
            let rows = (height - y + stepY - 1) / stepY
            guard columns > 0, rows > 0 else { return nil }
            return ((columns * depth * channels + 7) / 8, rows)
        }
    }
}
