import Codecs
import Raster

extension FuzzTarget {
    /// Bytes become a picture, which is written and read again.
    static let writers: [FuzzTarget] = [
        FuzzTarget("webp-encode") { bytes, digest in
            let draft = PictureDraft(bytes, pixelsLimit: 1 << 16)
            do throws(EncodeError) {
                let quantizer = Int(draft.manner >> 1)
                let written = try WebPReconstruction(of: draft.picture(), quantizer: quantizer)
                law(
                    WebPPlanes.read(written.file) == written.planes,
                    "A reader makes other planes than the encoder.")
                digest.add(written.file.span)
            } catch {
                law(false, "A small picture was not written: \(error)")
            }
        },
        FuzzTarget("alpha") { bytes, digest in
            let draft = PictureDraft(bytes, pixelsLimit: 1 << 22)
            let mask = draft.mask()
            do {
                let file = try WebPEncoder.encode(mask, quality: .lossy(50))
                let limits = DecodeLimits()
                let header = try ImageDecoder.header(of: file.span, limits: limits)
                law(header.size == mask.size, "A mask has another size than it was given.")
                guard
                    case .raster(let found) = try ImageDecoder.decode(
                        file.span, header: header, request: DecodeRequest(limits: limits))
                else { return law(false, "WebP is no vector.") }
                let (own, other) = (mask.pixels, found.pixels)
                var differences = 0
                for index in stride(from: 3, to: own.count, by: 4) {
                    differences += own[index] == other[index] ? 0 : 1
                }
                law(differences == 0, "Of a mask \(differences) values come back changed.")
                digest.add(file.span)
            } catch {
                law(false, "A mask was not written or not read: \(error)")
            }
        },
    ]
}
