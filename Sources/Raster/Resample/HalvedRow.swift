/// Makes rows of a halved picture, each of the new pixels weighed (1 3 3 1) / 8 both ways from four
/// rows and four columns (`HalvedAxis`).
///
/// Where they round up varies from pixel to pixel, so that a fine pattern is on average as bright as
/// before. What is opaque stays opaque, an even surface even, no colour comes to exceed its alpha,
/// and mirror images stay so.
@safe
struct HalvedRow: ~Copyable {
    private let axis: HalvedAxis
    private let isHalvedAcross: Bool
    /// The rows that come of it.
    private let rows: Int
    /// The four rows added up: a pixel before the first, and what a vector reads beyond the last.
    private let sums: UnsafeMutablePointer<Int16>
    /// What is added before fractions are cut off, for even rows and for odd ones.
    private let roundings: UnsafeMutablePointer<Int16>

    /// 64th parts by row and column, counted from the nearer edges.
    private static let steps: [[Int16]] = [[8, 40], [56, 24]]

    init(_ axis: HalvedAxis, isHalvedAcross: Bool, rows: Int) {
        self.axis = axis
        self.isHalvedAcross = isHalvedAcross
        self.rows = rows
        let count = (axis.count + 24) * 4
        unsafe sums = .allocate(capacity: count)
        unsafe sums.initialize(repeating: 0, count: count)
        let width = isHalvedAcross ? axis.halves : axis.count
        unsafe roundings = .allocate(capacity: width * 8)
        for parity in 0..<2 {
            for x in 0..<width {
                let step = Self.steps[parity][min(x, width - 1 - x) & 1]
                unsafe (roundings + (parity * width + x) * 4).initialize(repeating: step, count: 4)
            }
        }
    }

    deinit {
        unsafe sums.deallocate()
        unsafe roundings.deallocate()
    }

    /// Mixes four rows, the upper ones first, into row `index`.
    func make<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ index: Int, of lines: UnsafePointer<UnsafePointer<UInt8>>,
        into pixels: UnsafeMutablePointer<UInt8>
    ) {
        let (first, width) = unsafe (sums + 4, axis.count)
        let parity = min(index, rows - 1 - index) & 1
        unsafe kernel.weigh(rows: lines, into: first, count: width * 4)
        guard isHalvedAcross else {
            let rounding = unsafe roundings + parity * width * 4
            for byte in 0..<(width * 4) {
                let sum = unsafe first[byte] &+ rounding[byte] &>> 3
                unsafe pixels[byte] = UInt8(truncatingIfNeeded: sum &>> 3)
            }
            return
        }
        for channel in 0..<4 {
            unsafe sums[channel] = first[channel]
            for past in width...(width + 1) {
                let twin = axis.pixel(past)
                unsafe first[past * 4 + channel] = first[twin * 4 + channel]
            }
        }
        unsafe kernel.halve(
            sums: sums, roundings: roundings + parity * axis.halves * 4, into: pixels,
            count: axis.halves)
    }
}
