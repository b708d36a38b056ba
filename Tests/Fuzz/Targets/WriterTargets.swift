import CDeflate
import CLibDeflate
import Codecs
import Raster

extension FuzzTarget {
    static let writers: [FuzzTarget] = [
        FuzzTarget("webp-encode") { bytes, digest in
            let draft = PictureDraft(bytes, pixelsLimit: 1 << 16)
            do {
                let picture = draft.picture()
                let quality = EncodeQuality.lossy(Int(draft.manner) % 100 + 1)
                let file = try WebPEncoder.encode(picture, quality: quality)
                let header = try ImageDecoder.header(of: file.span)
                law(header.size == picture.size, "A picture has another size than it was given.")
                _ = try ImageDecoder.decode(file.span, header: header, request: DecodeRequest())
                digest.add(file.span)
            } catch {
                law(false, "A small picture was not written or not read: \(error)")
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
        FuzzTarget("deflate") { bytes, digest in
            guard bytes.count > 4 else { return }
            let shape = emb_deflate_rows(
                length: 1 + Int(bytes[0]) + Int(bytes[1] & 15) << 8, step: 1 + Int(bytes[2] & 7))
            let effort = bytes[3] & 1 == 0 ? EMB_DEFLATE_QUICK : EMB_DEFLATE_THOROUGH
            // Repetitions make the source longer than the window.
            let rest = bytes[4...]
            let times = min(1 << (bytes[3] >> 4), (1 << 18) / rest.count + 1)
            let source = Array(repeatElement(rest, count: times).joined())
            var packed = [UInt8](repeating: 0, count: emb_deflate_bound(source.count))
            let size = unsafe emb_deflate(source, source.count, shape, effort, &packed)
            law(size > 0 && size <= packed.count, "\(source.count) bytes take \(size).")
            law(
                inflated(packed[..<size], count: source.count) == source,
                "Compressed bytes come back changed.")
            digest.add(packed.span.extracting(..<size))
        },
    ]
}

private func inflated(_ packed: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    guard let inflater = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(inflater) }
    var bytes = [UInt8](repeating: 0, count: count)
    let result = unsafe packed.withUnsafeBytes { packed in
        // With a NULL pointer for the size, a different size is an error.
        unsafe libdeflate_deflate_decompress(
            inflater, packed.baseAddress, packed.count, &bytes, count, nil)
    }
    return result == LIBDEFLATE_SUCCESS ? bytes : nil
}
