import CKernels
import Support
import System
import Testing

/// Compares the loops of the filters with the definitions, for this processor and for any.
@Suite("The filters of PNG")
struct PaethTests {
    private static let slack = 32
    /// Returns the Paeth predictor of the specification, clause 9.4.
    private static func nearest(
        _ index: Int, of row: [UInt8], above: [UInt8], step: Int
    ) -> UInt8 {
        let left = index < step ? 0 : Int(row[index - step])
        let corner = index < step ? 0 : Int(above[index - step])
        let up = Int(above[index])
        let guess = left + up - corner
        let (a, b, c) = (abs(guess - left), abs(guess - up), abs(guess - corner))
        return UInt8(a <= b && a <= c ? left : b <= c ? up : corner)
    }

    private static func undone(_ row: [UInt8], above: [UInt8], step: Int) -> [UInt8] {
        var result: [UInt8] = []
        for (index, own) in row.enumerated() {
            result.append(own &+ nearest(index, of: result, above: above, step: step))
        }
        return result
    }

    private static func bytes(_ count: Int, _ spread: UInt64, _ dice: inout SeededRandom) -> [UInt8]
    {
        (0..<count).map { _ in UInt8(dice.next() % spread) }
    }

    @Test(
        "every loop filters and restores rows as the PNG specification does",
        arguments: [1, 2, 3, 4, 6, 8], [3, 40, 256] as [UInt64])
    func loops(step: Int, spread: UInt64) {
        var dice = SeededRandom(seed: TestSeed.value)
        for width in [1, 2, 3, 7, 64, 301] {
            let count = width * step
            let above = Self.bytes(count, 256, &dice)
            let upper = Self.bytes(count, spread, &dice)
            let lower = Self.bytes(count, spread, &dice)
            let first = Self.undone(upper, above: above, step: step)
            let second = Self.undone(lower, above: first, step: step)
            let space = [UInt8](repeating: 9, count: Self.slack)
            let padded = (above: above + space, upper: upper + space, lower: lower + space)
            for isBest in [false, true] {
                let (undo, undoTwo, apply, add) =
                    isBest
                    ? unsafe (emb_undo_paeth, emb_undo_paeth_two, emb_apply_paeth, emb_filter_sums)
                    : unsafe (
                        emb_undo_paeth_common, emb_undo_paeth_two_common, emb_apply_paeth_common,
                        emb_filter_sums_common
                    )
                var one = [UInt8](repeating: 7, count: count + Self.slack)
                unsafe undo(padded.upper, padded.above, &one, count, step)
                #expect(one.prefix(count).elementsEqual(first), "\(width) \(isBest)")
                let zeros = [UInt8](repeating: 0, count: 8)
                let (row, over) = (zeros + first + space, zeros + padded.above)
                var applied = [UInt8](repeating: 7, count: count + Self.slack)
                var sums = [UInt64](repeating: 0, count: 5)
                unsafe row.withUnsafeBufferPointer { row in
                    unsafe over.withUnsafeBufferPointer { over in
                        guard let row = row.baseAddress, let over = over.baseAddress else { return }
                        unsafe apply(row + 8, over + 8, &applied, count, step)
                        unsafe add(row + 8, over + 8, count, step, &sums)
                    }
                }
                #expect(applied.prefix(count).elementsEqual(upper), "\(width) \(isBest)")
                #expect(
                    sums == Self.sums(of: first, above: above, step: step), "\(width) \(isBest)")
                guard step <= 4 else { continue }
                var two = one
                unsafe undoTwo(
                    padded.upper, padded.lower, padded.above, &one, &two, count, step)
                #expect(one.prefix(count).elementsEqual(first), "\(width) \(isBest)")
                #expect(two.prefix(count).elementsEqual(second), "\(width) \(isBest)")
            }
        }
    }

    /// Returns the sums of the absolute differences of the five filters.
    private static func sums(of row: [UInt8], above: [UInt8], step: Int) -> [UInt64] {
        var sums = [UInt64](repeating: 0, count: 5)
        for (index, own) in row.enumerated() {
            let left = index < step ? 0 : row[index - step]
            let mean = UInt8((Int(left) + Int(above[index])) / 2)
            let nearest = nearest(index, of: row, above: above, step: step)
            for (filter, guess) in [0, left, above[index], mean, nearest].enumerated() {
                sums[filter] += UInt64(Int8(bitPattern: own &- guess).magnitude)
            }
        }
        return sums
    }
}
