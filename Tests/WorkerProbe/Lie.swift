import Codecs
import Gauge
import Glibc
import Raster
import Render
import Theming
import Worker

/// An answer that is false in one place: `lie:WHAT:OFFSET:WORD` writes a word of 16 hexadecimal
/// digits at an offset of an otherwise true message or table.
struct Lie {
    private let what: String
    private let offset: Int
    private let word: UInt64

    /// Reads a lie from the bytes at the start of an image.
    init?(_ bytes: Span<UInt8>) {
        let parts = Words.first(60, of: bytes).split(separator: ":").map(String.init)
        guard parts.count == 4, parts[0] == "lie", let offset = Int(parts[2]),
            let word = UInt64(parts[3], radix: 16)
        else { return nil }
        (what, self.offset, self.word) = (parts[1], offset, word)
    }

    func tell() {
        switch what {
        case "header": answer((Self.refusal(Self.header).table, []), table: { patched($0) })
        case "room": ask(patched(WorkerReply.room(70_000).bytes))
        case "done": answer(Self.outcome(), by: { patched($0) })
        case "table": answer(Self.outcome(), table: { patched($0) })
        case "result": result()
        case "outcomes":
            // Announces this many outcomes, none of which is valid.
            let none = [Int](repeating: 1, count: offset)
            ask(WorkerReply.done(tableBytes: none, leaves: false).bytes)
        default:
            // An image of this format whose sides have this many pixels.
            guard let format = ImageFormat.named(what) else { return }
            let size = PixelSize(width: Int(word), height: Int(word))
            answer(Self.outcome(of: ImageHeader(format: format, codedSize: size)))
        }
    }

    /// Returns wrong files; case 0 is correct.
    private func result() {
        let size = PixelSize(width: 48, height: 48)
        let png = Self.picture(size)
        let other: [UInt8]
        switch offset {
        case 0: other = png
        case 1: other = Array("#!/bin/sh\nexec sh\n".utf8)
        case 2: other = Self.picture(PixelSize(width: 48, height: 49))
        case 3: other = Self.picture(size, .jpeg)
        case 4: other = Array(png.dropLast(13))
        case 5: other = []
        case 6: other = png + [UInt8](repeating: 0, count: 1 << 20)
        default: other = Array(png.prefix(33))
        }
        let images = offset == 8 ? [] : offset == 9 ? [png, png] : [other]
        answer(Self.outcome(images))
    }

    private func patched(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in 0..<8 where offset + index < bytes.count {
            bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt64(index * 8))
        }
        return bytes
    }

    /// Sends a message that requires a reply, and ends after the reply.
    private func ask(_ message: [UInt8]) -> Never {
        send(message)
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = unsafe bytes.withUnsafeMutableBytes { unsafe read(3, $0.baseAddress, $0.count) }
        _exit(0)
    }

    private func answer(
        _ outcome: (table: [UInt8], images: [[UInt8]]),
        by message: ([UInt8]) -> [UInt8] = { $0 }, table change: ([UInt8]) -> [UInt8] = { $0 }
    ) {
        let table = change(outcome.table)
        var offset = 64
        for part in [table] + outcome.images {
            put(part, at: offset)
            offset += part.count
        }
        send(message(WorkerReply.done(tableBytes: [table.count], leaves: false).bytes))
        // Ends with the next order.
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = unsafe bytes.withUnsafeMutableBytes { unsafe read(3, $0.baseAddress, $0.count) }
        _exit(0)
    }

    private func put(_ bytes: [UInt8], at offset: Int) {
        let room = (offset + bytes.count + 4095) / 4096 * 4096
        guard
            let region = unsafe mmap(nil, room, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0),
            unsafe region != MAP_FAILED
        else { _exit(1) }
        defer { unsafe munmap(region, room) }
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe region.advanced(by: offset).copyMemory(from: start, byteCount: source.count)
        }
    }

    private func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write(3, $0.baseAddress, $0.count) }
    }
}

extension Lie {
    private static let header = ImageHeader(
        format: .png, codedSize: PixelSize(width: 64, height: 64))

    private static func picture(_ size: PixelSize, _ format: OutputFormat = .png) -> [UInt8] {
        var buffer = PixelBuffer(size: size)
        buffer.fill(Color(red: 200, green: 20, blue: 20))
        do throws(EncodeError) {
            return try ImageEncoder.encode(buffer, EncodeSettings(format: format))
        } catch {
            _exit(1)
        }
    }

    /// Returns an outcome that refuses an image with this header.
    private static func refusal(_ header: ImageHeader) -> Outcome {
        Outcome(header: header, moments: [], .failure(.tooLarge(2, allowed: 1)))
    }

    private static func outcome(
        _ files: [[UInt8]]? = nil, of header: ImageHeader = header
    ) -> (table: [UInt8], images: [[UInt8]]) {
        let size = PixelSize(width: 48, height: 48)
        let files = files ?? [picture(size)]
        let variant = Variant(layout: .medium, scale: 1, scheme: .light)
        let stages: [RunStage] = [.decode, .resize, .compose, .encode]
        let outcome = Outcome(
            header: header, moments: stages.map { StageMoment(stage: $0, nanoseconds: 0) },
            Rendering(
                images: files.map {
                    RenderedImage(variant: variant, format: .png, size: size, bytes: $0)
                },
                preview: Preview(
                    thumbHash: [UInt8](repeating: 7, count: 20), dominant: .black)))
        return (outcome.table, files)
    }
}
