import CLibWebP

/// Decodes a lossy file to planes with libwebp.
package enum WebPPlanes {
    /// Returns luma, then both chroma planes, with the loop filter if `isSmoothed` is true; nil if
    /// libwebp rejects the file.
    package static func read(_ file: [UInt8], isSmoothed: Bool = false) -> [UInt8]? {
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0,
            unsafe WebPGetFeatures(file, file.count, &config.input) == VP8_STATUS_OK
        else { return nil }
        unsafe config.options.bypass_filtering = isSmoothed ? 0 : 1
        unsafe config.output.colorspace = MODE_YUV
        guard unsafe WebPDecode(file, file.count, &config) == VP8_STATUS_OK else { return nil }
        defer { unsafe WebPFreeDecBuffer(&config.output) }
        let (width, height) = unsafe (Int(config.output.width), Int(config.output.height))
        let made = unsafe config.output.u.YUVA
        var planes: [UInt8] = []
        unsafe append(made.y, Int(made.y_stride), width, height, to: &planes)
        let half = ((width + 1) / 2, (height + 1) / 2)
        unsafe append(made.u, Int(made.u_stride), half.0, half.1, to: &planes)
        unsafe append(made.v, Int(made.v_stride), half.0, half.1, to: &planes)
        return planes
    }

    private static func append(
        _ start: UnsafeMutablePointer<UInt8>?, _ stride: Int, _ width: Int, _ height: Int,
        to planes: inout [UInt8]
    ) {
        guard let start = unsafe start else { return }
        for y in 0..<height {
            unsafe planes.append(
                contentsOf: UnsafeBufferPointer(start: start + y * stride, count: width))
        }
    }
}
