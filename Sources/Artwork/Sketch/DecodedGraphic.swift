import Codecs
import Raster

/// A picture from a stranger as it may lie in a sketch: plain pixels, and of a drawing its text and
/// size as well. Made where pictures are decoded, which is best a process apart; whoever has it
/// needs no decoder any more.
package struct DecodedGraphic: Sendable {
    /// What is known of a drawing beside its pixels.
    package struct Drawing: Hashable, Sendable {
        /// The size that the document gives itself.
        package var width: Double
        package var height: Double
        package var isTemplate: Bool
        /// The document, where it was packed; otherwise its bytes are the text.
        package var text: [UInt8]?

        package init(width: Double, height: Double, isTemplate: Bool, text: [UInt8]?) {
            self.width = width
            self.height = height
            self.isTemplate = isTemplate
            self.text = text
        }
    }

    /// The longest side of pixels that are kept; more than any graphic is drawn with.
    package static let longestSide = 2_048

    package let size: PixelSize
    /// Upright rows, top to bottom: red, green, blue, alpha, premultiplied.
    package let pixels: [UInt8]
    /// `nil` for pictures that are pixels themselves.
    package let drawing: Drawing?

    package init(size: PixelSize, pixels: [UInt8], drawing: Drawing?) {
        precondition(pixels.count == size.byteCount, "Four bytes stand for each pixel.")
        self.size = size
        self.pixels = pixels
        self.drawing = drawing
    }

    /// What decoding asks for, for a graphic that will be shown in `box`.
    package static func request(
        in box: PixelSize, limits: DecodeLimits, working: Int, allowTruncated: Bool = false,
        codecs: CodecChoice = .fast
    ) -> DecodeRequest {
        DecodeRequest(
            limits: limits,
            neededSize: PixelSize(
                width: max(1_024, min(box.width, longestSide)),
                height: max(1_024, min(box.height, longestSide))),
            allowTruncated: allowTruncated, workingBytes: working, codecs: codecs)
    }

    /// Decodes a picture, and draws a drawing as large as it fits into `box`.
    package init(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        in box: PixelSize, _ request: DecodeRequest
    ) throws(DecodeError) {
        switch try ImageDecoder.decode(bytes, header: header, request: request, opened: opened) {
        case .raster(let pixels):
            let upright = pixels.turn.upright(pixels.size)
            let side = max(upright.width, upright.height)
            let longest = max(Self.longestSide, 1)
            let size =
                side <= longest
                ? upright
                : PixelSize(
                    width: max(1, upright.width * longest / side),
                    height: max(1, upright.height * longest / side))
            guard size != pixels.size || pixels.turn != .up else {
                self.init(pixels, nil)
                return
            }
            let all = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
            self.init(Resampler(linear: false).resample(pixels, to: size, visible: all), nil)
        case .vector(let picture):
            let isPacked = SVGText.isPacked(bytes)
            let drawing = Drawing(
                width: picture.exactWidth, height: picture.exactHeight,
                isTemplate: picture.isTemplate,
                text: isPacked ? try SVGText.inflate(bytes, limits: request.limits) : nil)
            self.init(
                try picture.render(
                    at: Self.frame(of: (drawing.width, drawing.height), in: box)), drawing)
        }
    }

    /// Decodes every pixel of a picture; a drawing is drawn in the size that it declares.
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

    /// The whole pixels of a drawing that fits into `box`.
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

    /// The pixels as a picture of a sketch.
    var picture: SketchPicture { SketchPicture(buffer()) }

    /// The pixels as everybody else has them.
    package func buffer() -> PixelBuffer {
        var buffer = PixelBuffer(size: size)
        var target = buffer.mutablePixels
        for index in pixels.indices { target[index] = pixels[index] }
        return buffer
    }
}

extension StateGraphic {
    /// A graphic that was decoded elsewhere, from these bytes.
    package init(_ decoded: DecodedGraphic, of bytes: [UInt8]) {
        guard let drawing = decoded.drawing else {
            self = .picture(decoded.picture)
            return
        }
        self = .drawing(
            SketchDrawing(drawing, text: drawing.text ?? bytes, pixels: decoded.picture))
    }
}
