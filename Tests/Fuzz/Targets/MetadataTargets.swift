import Codecs
import Raster

extension FuzzTarget {
    static let metadata: [FuzzTarget] = [
        FuzzTarget("header") { bytes, digest in
            digest.add("\(ImageSniffer.sniff(bytes.span))")
            for limits in [PictureFeed.limits, .headerOnly] {
                do throws(DecodeError) {
                    let header = try ImageDecoder.header(of: bytes.span, limits: limits)
                    for needed in [nil, PictureFeed.needed] {
                        let request = DecodeRequest(limits: limits, neededSize: needed)
                        digest.add(ImageDecoder.memoryCost(of: header, request: request))
                    }
                    digest.add("\(header.size) \(header.colorModel) \(header.bitsPerChannel)")
                } catch {
                    digest.add(error.description)
                }
            }
        },
        FuzzTarget("icc") { bytes, digest in
            guard let profile = ColorProfile(bytes.span, bytesLimit: 1 << 16) else { return }
            digest.add(profile.name ?? "")
            guard let transform = profile.transform() else { return }
            var pixels = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 167) }
            var span = pixels.mutableSpan
            transform.convert(&span)
            digest.add(pixels.span)
        },
        FuzzTarget("exif") { bytes, digest in
            let orientation = ExifOrientation.read(bytes.span)
            digest.add(orientation.rawValue)
        },
    ]
}
