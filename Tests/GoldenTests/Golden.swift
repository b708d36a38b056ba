import Codecs
import Foundation
import Raster
import Testing

/// Compares a drawn sheet with the picture that was approved, pixel for pixel.
enum Golden {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let approved = tests.appending(path: "Golden")
    private static let seen = tests.deletingLastPathComponent()
        .appending(path: ".build/golden")

    static func check(_ sheet: borrowing PixelBuffer, _ name: String) throws {
        let drawn = try ImageEncoder.encode(sheet, EncodeSettings(format: .png))
        let file = approved.appending(path: "\(name).png")
        if ProcessInfo.processInfo.environment["EMBLEM_GOLDEN"] == "renew" {
            try Data(drawn).write(to: file)
            return
        }
        let expected = try Self.decode([UInt8](try Data(contentsOf: file)))
        let actual = try Self.decode(drawn)
        guard expected.size != actual.size || !expected.hasSamePixels(as: actual) else { return }
        try FileManager.default.createDirectory(at: seen, withIntermediateDirectories: true)
        try Data(drawn).write(to: seen.appending(path: "\(name).png"))
        Issue.record(
            """
            \(name) looks different. Open Tests/Golden/\(name).png beside .build/golden/\(name).png; \
            if the new one is right, run `make golden` and commit it.
            """)
    }

    private static func decode(_ bytes: [UInt8]) throws -> PixelBuffer {
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        let picture = try ImageDecoder.decode(bytes.span, header: header, request: DecodeRequest())
        switch consume picture {
        case .raster(let pixels): return pixels
        case .vector: throw DecodeError.notImage
        }
    }
}

extension PixelBuffer {
    fileprivate borrowing func hasSamePixels(as other: borrowing PixelBuffer) -> Bool {
        let mine = pixels
        let theirs = other.pixels
        return mine.count == theirs.count && mine.indices.allSatisfy { mine[$0] == theirs[$0] }
    }
}

/// Emblems laid out in rows on a plain page.
struct Sheet: ~Copyable {
    private var page: PixelBuffer
    private let cell: Int
    private let columns: Int
    private var count = 0

    init(columns: Int, rows: Int, cell: Int, page color: Color = .white) {
        page = PixelBuffer(size: PixelSize(width: columns * cell, height: rows * cell))
        page.fill(color)
        self.cell = cell
        self.columns = columns
    }

    /// Puts `emblem` in the middle of the next cell.
    mutating func add(_ emblem: borrowing PixelBuffer) {
        let x = count % columns * cell + (cell - emblem.width) / 2
        let y = count / columns * cell + (cell - emblem.height) / 2
        page.draw(emblem, x: x, y: y)
        count += 1
    }

    consuming func finished() -> PixelBuffer { page }
}
