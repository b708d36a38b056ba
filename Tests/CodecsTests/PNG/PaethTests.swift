import CKernels
import Support
import System
import Testing

/// Compares the Paeth kernels with the definition of the filter.
@Suite("The Paeth filter")
struct PaethTests {
    private static let slack = 32
    private static let hasAVX2: Bool = {
        #if arch(x86_64)
            emb_has_avx2() != 0
        #else
            false
        #endif
    }()

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
        "every Paeth loop decodes one or two rows as the PNG specification does",
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
            for wide in Self.hasAVX2 ? [false, true] : [false] {
                var one = [UInt8](repeating: 7, count: count + Self.slack)
                unsafe Self.run(wide)(padded.upper, padded.above, &one, count, step)
                #expect(one.prefix(count).elementsEqual(first), "\(width) \(wide)")
                guard step <= 4 else { continue }
                var two = one
                unsafe Self.runTwo(wide)(
                    padded.upper, padded.lower, padded.above, &one, &two, count, step)
                #expect(one.prefix(count).elementsEqual(first), "\(width) \(wide)")
                #expect(two.prefix(count).elementsEqual(second), "\(width) \(wide)")
            }
        }
    }

    private typealias Loop = (
        UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int, Int
    ) -> Void
    private typealias LoopOfTwo = (
        UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>,
        UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int, Int
    ) -> Void

    private static func run(_ wide: Bool) -> Loop {
        #if arch(x86_64)
            if wide { return unsafe emb_undo_paeth_avx2 }
        #endif
        return unsafe emb_undo_paeth
    }

    private static func runTwo(_ wide: Bool) -> LoopOfTwo {
        #if arch(x86_64)
            if wide { return unsafe emb_undo_paeth_two_avx2 }
        #endif
        return unsafe emb_undo_paeth_two
    }
}
