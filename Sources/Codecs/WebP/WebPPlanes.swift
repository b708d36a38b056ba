import CLibWebP
import Raster

/// Decodes a lossy image that is shown much smaller: to YUV planes, which are halved before they
/// are converted to RGB.
///
/// libwebp would convert every pixel to RGB first, and its scaler takes longer than its decoder.
enum WebPPlanes {
    /// Returns whether the image can be decoded to planes: only if a resampler would first halve it
    /// in both directions, with the same result. See `PyramidSteps`.
    static func canDecode(_ header: ImageHeader, _ request: DecodeRequest) -> Bool {
        guard request.codecs == .fast, !header.isAnimated,
            let needed = needed(header, request), needed.width > 0, needed.height > 0
        else { return false }
        let steps = PyramidSteps(from: header.codedSize, to: needed)
        guard steps.across > 0, steps.down > 0 else { return false }
        // At the right and bottom edges, a pixel may average an incomplete block. The resampler
        // expects such pixels there, so the decoder must not rotate the image.
        return header.orientation == .up || request.defersOrientation
            || halved(header.codedSize).isEven
    }

    /// Returns the needed size in the orientation of the stored image.
    private static func needed(_ header: ImageHeader, _ request: DecodeRequest) -> PixelSize? {
        header.orientation.transposes ? request.neededSize?.transposed : request.neededSize
    }

    static func halved(_ size: PixelSize) -> Shrinkage {
        Shrinkage(whole: size, block: 1, halvings: PyramidSteps(across: 1, down: 1))
    }

    /// Returns the bytes that decoding needs: planes, alpha decompression, averaged alpha, pixels.
    static func memoryCost(of size: PixelSize, hasAlpha: Bool) -> Int {
        let planes = ColorPlanes.byteCount(size, hasAlpha: hasAlpha)
        let alpha = hasAlpha ? size.area.saturating(times: 9) / 4 : 0
        return planes.saturating(plus: alpha).saturating(plus: halved(size).size.byteCount)
    }

    /// Decodes to straight pixels of half the size; nil on an error, which the full-size decoder
    /// then reports.
    static func read(
        _ data: Span<UInt8>, _ header: ImageHeader, _ request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer? {
        let size = header.codedSize
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0 else {
            throw .limitDecode("an incompatible version of libwebp")
        }
        let found = unsafe data.withUnsafeBufferPointer { input in
            unsafe WebPGetFeatures(input.baseAddress, input.count, &config.input)
        }
        // libwebp writes planes of the size that it reads itself; size and alpha must match the
        // allocated planes.
        guard found == VP8_STATUS_OK, unsafe config.input.width == size.width,
            unsafe config.input.height == size.height,
            unsafe header.hasAlpha || config.input.has_alpha == 0
        else { return nil }
        let planes = unsafe ColorPlanes(unwritten: size, hasAlpha: config.input.has_alpha != 0)
        if let level = WebPSmoothing.level(in: picture(in: data)),
            let needed = needed(header, request),
            !WebPSmoothing.isNeeded(level: level, from: size, to: needed)
        {
            unsafe config.options.bypass_filtering = 1
        }
        let status = unsafe decode(data, into: planes, &config)
        return status == VP8_STATUS_OK ? planes.halved() : nil
    }

    /// Returns the image chunk, which follows the alpha chunk.
    @_lifetime(copy data)
    private static func picture(in data: Span<UInt8>) -> Span<UInt8> {
        let reader = ByteReader(data)
        guard reader.holds("ALPH", at: 0), let length = reader.little32(4),
            length < data.count - 8
        else { return data }
        return data.extracting((8 + length + length & 1)...)
    }

    @unsafe
    private static func decode(
        _ data: Span<UInt8>, into planes: borrowing ColorPlanes,
        _ config: inout WebPDecoderConfig
    ) -> VP8StatusCode {
        let (size, quarter) = (planes.size, planes.chromaSize)
        let alpha = unsafe planes.alpha
        unsafe config.output.colorspace = alpha == nil ? MODE_YUV : MODE_YUVA
        unsafe config.output.is_external_memory = 1
        unsafe config.output.u.YUVA = WebPYUVABuffer(
            y: planes.luma, u: planes.blue, v: planes.red, a: alpha,
            y_stride: Int32(size.width), u_stride: Int32(quarter.width),
            v_stride: Int32(quarter.width), a_stride: alpha == nil ? 0 : Int32(size.width),
            y_size: size.area, u_size: quarter.area, v_size: quarter.area,
            a_size: alpha == nil ? 0 : size.area)
        return unsafe data.withUnsafeBufferPointer { input in
            unsafe WebPDecode(input.baseAddress, input.count, &config)
        }
    }
}
