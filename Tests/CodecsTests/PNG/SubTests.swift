import CKernels
import Support
import System
import Testing

/// Compares the kernel that undoes Sub with the definition of the filter.
@Suite("The Sub filter")
struct SubTests {
    @Test("every Sub loop decodes a row of any length as the PNG specification does")
    func sums() {
        var dice = SeededRandom(seed: TestSeed.value)
        for width in Array(1...40) + [301] {
            let count = width * 4
            let row = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            var expected = row
            for index in 4..<max(4, count) { expected[index] &+= expected[index - 4] }
            var found = [UInt8](repeating: 7, count: count + 32)
            unsafe emb_undo_sub_4(row + [UInt8](repeating: 9, count: 32), &found, count)
            #expect(found.prefix(count).elementsEqual(expected), "\(width), \(TestSeed.words)")
            #expect(found.suffix(16).allSatisfy { $0 == 7 }, "\(width): past the slack")
        }
    }
}
