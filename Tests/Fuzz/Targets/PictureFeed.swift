import Codecs
import Raster

/// Decodes bytes in all variants and checks the invariants of pixels.
enum PictureFeed {
    /// Small limits, so that an input takes milliseconds and limits are often exceeded.
    static let limits = DecodeLimits(
        pixels: 1 << 16, progressivePixels: 1 << 15, edge: 1 << 13, profileBytes: 1 << 16,
        svgBytes: 1 << 16, jpegScans: 12)

    static let needed = PixelSize(width: 9, height: 7)

    static func feed(
        _ bytes: [UInt8], into digest: inout OutcomeDigest,
        header read: (Span<UInt8>, DecodeLimits) throws(DecodeError) -> ImageHeader
    ) {
        do throws(DecodeError) {
            let header = try read(bytes.span, limits)
            note(header, into: &digest)
            decode(bytes, header, DecodeRequest(limits: limits), into: &digest)
            decode(
                bytes, header,
                DecodeRequest(limits: limits, neededSize: needed),
                into: &digest)
            if header.format == .png || header.format == .ico { compareByRows(bytes, header) }
        } catch {
            digest.add(error.description)
        }
    }

    private static func note(_ header: ImageHeader, into digest: inout OutcomeDigest) {
        do throws(DecodeError) {
            try header.check(limits)
        } catch {
            law(false, "A header came through that passes the limits: \(error)")
        }
        digest.add(header.size.width)
        digest.add(header.size.height)
        digest.add(header.orientation.rawValue)
        digest.add(header.profileName ?? "")
        let cost = ImageDecoder.memoryCost(of: header, request: DecodeRequest(limits: limits))
        law(cost > 0, "Decoding is never free.")
        digest.add(cost)
    }

    private static func decode(
        _ bytes: [UInt8], _ header: ImageHeader, _ request: DecodeRequest,
        into digest: inout OutcomeDigest
    ) {
        do throws(DecodeError) {
            switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
            case .raster(let buffer):
                check(buffer, header, isWhole: request.neededSize == nil)
                digest.add(buffer.pixels)
                digest.add(buffer.isOpaque ? 1 : 0)
            case .vector(let picture):
                let buffer = try picture.render(at: needed)
                check(buffer, header, isWhole: false)
                digest.add(buffer.pixels)
                digest.add(picture.isTemplate ? 1 : 0)
            }
        } catch {
            digest.add(error.description)
        }
    }

    /// Checks that colours do not exceed alpha, and that `isOpaque` is correct.
    private static func check(
        _ buffer: borrowing PixelBuffer, _ header: ImageHeader, isWhole: Bool
    ) {
        if isWhole {
            law(buffer.size == header.size, "The picture is not of its declared size.")
        }
        let pixels = buffer.pixels
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = pixels[start + 3]
            law(
                pixels[start] <= alpha && pixels[start + 1] <= alpha && pixels[start + 2] <= alpha,
                "A colour is brighter than its alpha lets it be.")
            law(alpha == 255 || !buffer.isOpaque, "An opaque picture has a clear pixel.")
        }
    }

    /// Checks that the row-based path for large pictures gives the same result.
    private static func compareByRows(_ bytes: [UInt8], _ header: ImageHeader) {
        var outcomes: [OutcomeDigest] = []
        for workingBytes in [256 << 20, 0] {
            var digest = OutcomeDigest()
            let request = DecodeRequest(limits: limits, workingBytes: workingBytes)
            decode(bytes, header, request, into: &digest)
            outcomes.append(digest)
        }
        law(outcomes[0].value == outcomes[1].value, "The two ways through a PNG differ.")
    }
}
