extension PixelBuffer {
    /// Takes away what a mask covers, in proportion on its edge: the mask's corner lies at `x`,
    /// `y`, and what lies outside of the picture is left off.
    package mutating func erase(_ mask: CornerMask, x: Int, y: Int) {
        let columns = max(0, x)..<max(max(0, x), min(width, x + mask.size.width))
        let rows = max(0, y)..<max(max(0, y), min(height, y + mask.size.height))
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let stride = width
        unsafe withUnsafeMutableWords { words in
            for row in rows {
                for column in columns {
                    let coverage = mask.coverage(x: column - x, y: row - y)
                    guard coverage > 0 else { continue }
                    let pixel = unsafe words + row * stride + column
                    let word = unsafe UInt32(littleEndian: pixel.pointee)
                    unsafe pixel.pointee = UInt32(
                        littleEndian: scaled(word, by: 255 - UInt32(coverage)))
                }
            }
        }
        isOpaque = false
    }
}
