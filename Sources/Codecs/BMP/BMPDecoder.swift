import Raster

/// Reads Windows bitmaps of 1 to 32 bits a pixel, plain or run-length packed.
package enum BMPDecoder {
    /// The length of a file's own header, before the bitmap's.
    static let fileHeaderBytes = 14

    /// What the bitmap's header says, after the limits were held against it.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let reader = ByteReader(bytes)
        let layout = try BMPLayout(reader, at: fileHeaderBytes, isIcon: false, limits: limits)
        let profile = layout.profile(reader, limits: limits)
        return ImageHeader(
            format: .bmp, codedSize: layout.size, hasAlpha: layout.hasAlphaMask,
            bitsPerChannel: layout.bits == 16 ? 5 : 8,
            colorModel: layout.bits <= 8 ? .palette : .rgb, hasProfile: profile != nil,
            profileName: profile?.name)
    }

    /// The pixels, and a byte for each while runs are unpacked.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: header.codedSize.area)
            .saturating(plus: 64 << 10)
    }

    /// Decodes to premultiplied pixels. A fourth channel counts only where the header names it
    /// and where it is not zero throughout.
    package static func decode(
        _ bytes: Span<UInt8>, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try BMPLayout(
            ByteReader(bytes), at: fileHeaderBytes, isIcon: false, limits: request.limits)
        var buffer = PixelBuffer(size: layout.size)
        let isWhole = try BMPRows(layout: layout, bytes: bytes).read(into: &buffer)
        if !isWhole, !request.allowTruncated { throw .truncated }
        if !layout.hasAlphaMask || BMPRows.isClear(buffer) { BMPRows.makeOpaque(&buffer) }
        layout.convert(&buffer, ByteReader(bytes), limits: request.limits)
        buffer.refreshOpacity()
        buffer.premultiply()
        return buffer
    }
}
