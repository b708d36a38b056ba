import Codecs
import Raster

/// An untrusted picture decoded for a sketch: its pixels, and for a drawing also its text and size.
/// A worker process can make it, so that the process that uses it needs no decoder.
package struct DecodedGraphic: Sendable {
    package struct Drawing: Hashable, Sendable {
        package var width: Double
        package var height: Double
        package var isTemplate: Bool
        /// The uncompressed document; nil if the given bytes are the text already.
        package var text: [UInt8]?

        package init(width: Double, height: Double, isTemplate: Bool, text: [UInt8]?) {
            self.width = width
            self.height = height
            self.isTemplate = isTemplate
            self.text = text
        }
    }

    /// The maximum side of the pixels that are kept; no graphic is drawn larger.
    package static let longestSide = 2_048

    package let size: PixelSize
    /// Upright rows from the top: red, green, blue, alpha, premultiplied.
    package let pixels: [UInt8]
    package let drawing: Drawing?

    package init(size: PixelSize, pixels: [UInt8], drawing: Drawing?) {
        precondition(pixels.count == size.byteCount, "Four bytes stand for each pixel.")
        self.size = size
        self.pixels = pixels
        self.drawing = drawing
    }

    package static func request(
        in box: PixelSize, limits: DecodeLimits, working: Int,
        codecs: CodecChoice = .fast
    ) -> DecodeRequest {
        DecodeRequest(
            limits: limits,
            neededSize: PixelSize(
                width: max(1_024, min(box.width, longestSide)),
                height: max(1_024, min(box.height, longestSide))),
            workingBytes: working, codecs: codecs)
    }

    /// Decodes a picture; a drawing is drawn as large as it fits into `box`.
    package init(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        in box: PixelSize, _ request: DecodeRequest
    ) throws(DecodeError) {
        switch try ImageDecoder.decode(bytes, header: header, request: request, opened: opened) {
        case .raster(let pixels):
            let upright = pixels.pendingOrientation.upright(pixels.size)
            let side = max(upright.width, upright.height)
            let longest = max(Self.longestSide, 1)
            let size =
                side <= longest
                ? upright
                : PixelSize(
                    width: max(1, upright.width * longest / side),
                    height: max(1, upright.height * longest / side))
            guard size != pixels.size || pixels.pendingOrientation != .up else {
                self.init(pixels, nil)
                return
            }
            let all = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
            self.init(Resampler().resample(pixels, to: size, visible: all), nil)
        case .vector(let picture):
            let isPacked = PackedText.isPacked(bytes)
            let drawing = Drawing(
                width: picture.exactWidth, height: picture.exactHeight,
                isTemplate: picture.isTemplate,
                text: isPacked ? try SVGText.inflate(bytes, limits: request.limits) : nil)
            self.init(
                try picture.render(
                    at: Self.frame(of: (drawing.width, drawing.height), in: box)), drawing)
        }
    }

    /// Decodes all pixels of a picture; a drawing is drawn at its declared size.
    package init(
        allOf bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        _ request: DecodeRequest
    ) throws(DecodeError) {
        switch try ImageDecoder.decode(bytes, header: header, request: request, opened: opened) {
        case .raster(let pixels): self.init(pixels, nil)
        case .vector(let picture):
            try request.limits.check(header.size)
            self.init(try picture.render(at: header.size), nil)
        }
    }

    private init(_ buffer: borrowing PixelBuffer, _ drawing: Drawing?) {
        let span = buffer.pixels
        let pixels = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
        self.init(size: buffer.size, pixels: pixels, drawing: drawing)
    }

    private static func frame(of size: (width: Double, height: Double), in box: PixelSize)
        -> PixelSize
    {
        let room = Box(x: 0, y: 0, width: Double(box.width), height: Double(box.height))
            .fitting(size.width, size.height)
        func pixels(_ value: Double) -> Int {
            let most = Double(longestSide)
            return value.isFinite ? max(1, Int((min(value, most) + 0.5).rounded(.down))) : 1
        }
        return PixelSize(width: pixels(room.width), height: pixels(room.height))
    }

    var picture: SketchPicture { SketchPicture(buffer()) }

    package func buffer() -> PixelBuffer {
        var buffer = PixelBuffer(size: size)
        var target = buffer.mutablePixels
        for index in pixels.indices { target[index] = pixels[index] }
        return buffer
    }
}

extension StateGraphic {
    /// Makes the graphic from the result of decoding `bytes` in another process.
    package init(_ decoded: DecodedGraphic, of bytes: [UInt8]) {
        guard let drawing = decoded.drawing else {
            self = .picture(decoded.picture)
            return
        }
        self = .drawing(
            SketchDrawing(drawing, text: drawing.text ?? bytes, pixels: decoded.picture))
    }
}
