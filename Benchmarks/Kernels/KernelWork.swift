import Bench
import Codecs
import Digest
import Raster

struct KernelWork {
    let kernel: String
    let variant: String
    let amount: Double
    let unit: String
    /// Variants with the same group must give equal results, bit for bit.
    let group: String?
    /// Runs the work once and returns a digest of the result if requested.
    let run: (_ wantsDigest: Bool) -> String

    enum Failure: Error {
        case variantsDiffer(String)
        case notRaster
    }

    static func all() throws -> [KernelWork] {
        let logo = try SamplePicture(.logo, 5).bytes()
        let photo = try SamplePicture(.photo, 3).bytes()
        let webp = try SamplePicture(.webp, 5).bytes()
        return try decoding(logo, photo, webp) + resampling(photo) + finishing()
            + encoding(logo) + hashing()
    }

    static func checkTwins(_ results: [KernelResult]) throws {
        var digests: [String: String] = [:]
        for result in results {
            guard let group = result.work.group else { continue }
            if let other = digests[group], other != result.digest {
                throw Failure.variantsDiffer("\(group), \(result.work.variant)")
            }
            digests[group] = result.digest
        }
    }

    private static func decoding(
        _ logo: [UInt8], _ photo: [UInt8], _ webp: [UInt8]
    ) throws -> [KernelWork] {
        let small = PixelSize(width: 128, height: 128)
        return [
            try decode(
                logo, "decode PNG", "whole (libdeflate)", DecodeRequest(), group: "decode PNG"),
            try decode(
                logo, "decode PNG", "streamed (zlib)", DecodeRequest(workingBytes: 0),
                group: "decode PNG"),
            try decode(photo, "decode JPEG", "for 128 px", DecodeRequest(neededSize: small)),
            try decode(photo, "decode JPEG", "every pixel", DecodeRequest()),
            try decode(webp, "decode WebP", "for 128 px", DecodeRequest(neededSize: small)),
            try decode(webp, "decode WebP", "every pixel", DecodeRequest()),
        ]
    }

    private static func decode(
        _ bytes: [UInt8], _ kernel: String, _ variant: String, _ request: DecodeRequest,
        group: String? = nil
    ) throws -> KernelWork {
        let header = try ImageDecoder.header(of: bytes.span)
        _ = try pixels(of: bytes, request)
        return KernelWork(
            kernel: kernel, variant: variant, amount: megapixels(header.size), unit: "MP",
            group: group
        ) { wantsDigest in
            do {
                let decoded = try pixels(of: bytes, request)
                return digest(of: decoded, wantsDigest)
            } catch {
                return "\(error)"
            }
        }
    }

    private static func resampling(_ photo: [UInt8]) throws -> [KernelWork] {
        let target = PixelSize(width: 128, height: 96)
        let (kept, size) = try shared(photo)
        return [false, true].flatMap { linear in
            KernelChoice.allCases.map { choice in
                let name = linear ? "resample, linear light" : "resample"
                return KernelWork(
                    kernel: name, variant: "\(choice.rawValue) (\(choice.name))",
                    amount: megapixels(size), unit: "MP", group: name
                ) { wantsDigest in
                    let resampler = Resampler(linear: linear, kernel: choice)
                    let small = resampler.resample(kept.pixels, to: target)
                    return digest(of: small, wantsDigest)
                }
            }
        }
    }

    private static func finishing() -> [KernelWork] {
        let size = PixelSize(width: 160, height: 160)
        let mask = CornerMask(size: size, radius: 40, style: .circular)
        var picture = PixelBuffer(size: size)
        picture.fill(Color(red: 200, green: 30, blue: 90, alpha: 128))
        let kept = KeptPixels(picture)
        return [
            KernelWork(
                kernel: "mask", variant: "160 px", amount: megapixels(size), unit: "MP", group: nil
            ) { wantsDigest in
                var buffer = kept.pixels.copy()
                buffer.mask(by: mask)
                return digest(of: buffer, wantsDigest)
            },
            KernelWork(
                kernel: "compose", variant: "over a background", amount: megapixels(size),
                unit: "MP", group: nil
            ) { wantsDigest in
                var buffer = PixelBuffer(size: size)
                buffer.fill(Color(red: 231, green: 239, blue: 252))
                buffer.draw(kept.pixels, x: 0, y: 0)
                return digest(of: buffer, wantsDigest)
            },
        ]
    }

    private static func encoding(_ logo: [UInt8]) throws -> [KernelWork] {
        let whole = try pixels(of: logo, DecodeRequest())
        let kept = KeptPixels(
            Resampler(linear: false).resample(whole, to: PixelSize(width: 128, height: 128)))
        let ways: [(String, EncodeSettings)] = [
            ("PNG", EncodeSettings(format: .png)),
            ("PNG, palette", EncodeSettings(format: .png, palette: true)),
            ("WebP, 82", EncodeSettings(format: .webp)),
            ("WebP, lossless", EncodeSettings(format: .webp, quality: .lossless)),
            ("JPEG, 85", EncodeSettings(format: .jpeg)),
        ]
        return ways.map { name, settings in
            KernelWork(
                kernel: "encode 128 px", variant: name, amount: 128 * 128 / 1e6, unit: "MP",
                group: nil
            ) { wantsDigest in
                do {
                    let file = try ImageEncoder.encode(kept.pixels, settings)
                    return wantsDigest ? SHA256.hash(file.span).hex : ""
                } catch {
                    return "\(error)"
                }
            }
        }
    }

    private static func hashing() -> [KernelWork] {
        let bytes = [UInt8](repeating: 0xA5, count: 1 << 20)
        return SHA256.Kernel.allCases.map { kernel in
            KernelWork(
                kernel: "SHA-256", variant: kernel.rawValue, amount: Double(bytes.count) / 1e6,
                unit: "MB", group: "sha256"
            ) { wantsDigest in
                var hash = SHA256(kernel: kernel)
                hash.update(bytes.span)
                return hash.finish().hex
            }
        }
    }
}
