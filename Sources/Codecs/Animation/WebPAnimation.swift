import Raster

/// Writes the container of an animated WebP around frames that libwebp encodes.
enum WebPAnimation {
    static func encode(
        _ frames: AnimationEncoder.Frames, quality: EncodeQuality
    ) throws(EncodeError) -> [UInt8] {
        var body = RIFFWriter()
        body.append("WEBP")
        body.chunk("VP8X") { chunk in
            chunk.append(little: animated | withAlpha, bytes: 4)
            chunk.append(little: frames.size.width - 1, bytes: 3)
            chunk.append(little: frames.size.height - 1, bytes: 3)
        }
        body.chunk("ANIM") { chunk in
            chunk.append(little: 0, bytes: 4)
            // No number of rounds is a promise to go on for ever.
            chunk.append(little: 0, bytes: 2)
        }
        for index in 0..<frames.count {
            let file = try WebPEncoder.encode(frames.frame(index), quality: quality)
            body.chunk("ANMF") { chunk in
                chunk.append(little: 0, bytes: 6)
                chunk.append(little: frames.size.width - 1, bytes: 3)
                chunk.append(little: frames.size.height - 1, bytes: 3)
                chunk.append(little: frames.milliseconds, bytes: 3)
                chunk.append(little: replacesWhatWasThere, bytes: 1)
                chunk.appendPicture(of: file)
            }
        }
        var file = RIFFWriter()
        file.chunk("RIFF") { $0.bytes += body.bytes }
        return file.bytes
    }

    private static let animated = 0x02
    private static let withAlpha = 0x10
    private static let replacesWhatWasThere = 0x02
}

/// Chunks of a name, a length and a body of even length.
private struct RIFFWriter {
    var bytes: [UInt8] = []

    mutating func append(_ name: StaticString) {
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(little value: Int, bytes count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    mutating func chunk(_ name: StaticString, _ write: (inout RIFFWriter) -> Void) {
        var body = RIFFWriter()
        write(&body)
        append(name)
        append(little: body.bytes.count, bytes: 4)
        bytes += body.bytes
        if body.bytes.count % 2 == 1 { bytes.append(0) }
    }

    /// The chunks of a still picture but for the one that tells of its features.
    mutating func appendPicture(of file: [UInt8]) {
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let end = min(file.count, offset + 8 + length + length % 2)
            if !file[offset..<offset + 4].elementsEqual("VP8X".utf8) {
                bytes += file[offset..<end]
            }
            offset = max(end, offset + 8)
        }
    }
}
