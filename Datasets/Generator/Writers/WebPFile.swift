import CLibWebP

enum WebPFile {
    static func lossy(_ bitmap: Bitmap, quality: Float) -> [UInt8] {
        unsafe take(bitmap) { pixels, output in
            unsafe WebPEncodeRGBA(
                pixels, Int32(bitmap.width), Int32(bitmap.height), Int32(bitmap.width * 4),
                quality, &output)
        }
    }

    static func lossless(_ bitmap: Bitmap) -> [UInt8] {
        unsafe take(bitmap) { pixels, output in
            unsafe WebPEncodeLosslessRGBA(
                pixels, Int32(bitmap.width), Int32(bitmap.height), Int32(bitmap.width * 4),
                &output)
        }
    }

    /// Returns an endless animation of still files of one size.
    static func animation(_ stills: [[UInt8]], width: Int, height: Int) -> [UInt8] {
        var body = Array("WEBP".utf8)
        var canvas: [UInt8] = [0x12, 0, 0, 0]
        canvas.appendLittle(width - 1, count: 3)
        canvas.appendLittle(height - 1, count: 3)
        body += chunk("VP8X", canvas)
        body += chunk("ANIM", [0, 0, 0, 0, 0, 0])
        for still in stills {
            var frame: [UInt8] = [0, 0, 0, 0, 0, 0]
            frame.appendLittle(width - 1, count: 3)
            frame.appendLittle(height - 1, count: 3)
            frame.appendLittle(120, count: 3)
            frame.append(0x02)
            body += chunk("ANMF", frame + pictureChunks(of: still))
        }
        var file = Array("RIFF".utf8)
        file.appendLittle(body.count, count: 4)
        return file + body
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.appendLittle(body.count, count: 4)
        bytes += body
        return body.count % 2 == 0 ? bytes : bytes + [0]
    }

    /// Returns the chunks of a still file that hold its pixels.
    private static func pictureChunks(of file: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 12
        while start + 8 <= file.count {
            let name = String(decoding: file[start..<(start + 4)], as: UTF8.self)
            var length = 0
            for index in 0..<4 { length |= Int(file[start + 4 + index]) << (8 * index) }
            let end = min(file.count, start + 8 + length + length % 2)
            if ["ALPH", "VP8 ", "VP8L"].contains(name) { result += file[start..<end] }
            start = end
        }
        return result
    }

    private static func take(
        _ bitmap: Bitmap,
        _ encode: (UnsafePointer<UInt8>?, inout UnsafeMutablePointer<UInt8>?) -> Int
    ) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe bitmap.bytes.withUnsafeBufferPointer {
            unsafe encode($0.baseAddress, &output)
        }
        precondition(count > 0, "libwebp could not write a picture of the generator.")
        defer { unsafe WebPFree(output) }
        return unsafe Array(UnsafeBufferPointer(start: output, count: count))
    }
}
