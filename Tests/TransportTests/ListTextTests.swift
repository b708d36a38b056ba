import Glibc
import Support
import Testing
import Transport

@Suite("A compressed or piped list")
struct ListTextTests {
    private let lists: ListFolder
    private var folder: ScratchFolder { lists.folder }

    init() throws { lists = try ListFolder() }

    /// "a.png\nb.png\n" in gzip.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0xD4, 0x2B, 0xC8, 0x4B,
        0xE7, 0x4A, 0x02, 0x93, 0x00, 0x67, 0x06, 0xAC, 0xD8, 0x0C, 0x00, 0x00, 0x00,
    ]

    private func sources(_ bytes: [UInt8]) throws -> [String?] {
        try sources(of: lists.list(bytes, .txt))
    }

    private func sources(of list: ListFile) throws -> [String?] {
        try lists.rows(of: list).map(\.source)
    }

    /// Returns bytes in gzip without compression.
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var start = 0
        repeat {
            let count = min(65_535, bytes.count - start)
            let isLast = start + count == bytes.count
            out += [isLast ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
            out += [UInt8(~count & 255), UInt8(~count >> 8 & 255)]
            out += bytes[start..<start + count]
            start += count
        } while start < bytes.count
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        for word in [~checksum, UInt32(bytes.count)] {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                out.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return out
    }

    @Test("a list is inflated if it is gzip, with any name, members and padding")
    func gzip() throws {
        #expect(try sources(Self.gzip) == ["a.png", "b.png"])
        #expect(try sources(Self.gzip + Self.gzip).count == 4)
        #expect(try sources(Self.gzip + [0, 0, 0, 0]) == ["a.png", "b.png"])
        let names = (0..<40_000).map { "picture-\($0).png" }
        let text = Array(names.joined(separator: "\n").utf8)
        #expect(
            try sources(stored(text) + stored(Array("\nlast.png".utf8))) == names + ["last.png"])
        #expect(try sources(stored([])).isEmpty)
        #expect(folder.names(in: "") == ["list"])
    }

    @Test("a list may be UTF-16 inside gzip")
    func both() throws {
        let text = "\u{FEFF}ü.png\r\n".utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
        }
        #expect(try sources(stored(text)) == ["ü.png"])
    }

    @Test("a compressed list that is damaged or truncated is malformed")
    func damaged() {
        var wrong = Self.gzip
        wrong[12] ^= 0xFF
        var checksum = Self.gzip
        checksum[21] ^= 0xFF
        for bytes in [
            wrong, checksum, Array(Self.gzip.dropLast(3)), Array(Self.gzip.prefix(5)),
            Self.gzip + [1, 2, 3],
        ] {
            #expect(lists.error(bytes, .txt)?.exitCode == 65)
        }
    }

    @Test("a list from standard input is read to its end")
    func pipe() throws {
        let bytes = FilePath(try folder.write("x.png\ny.png\n", to: "bytes"))
        let descriptor = unsafe open(bytes.description, O_RDONLY)
        defer { close(descriptor) }
        let list = try ListFile(
            standardInput: ListDialect(), descriptor: descriptor)
        #expect(try sources(of: list) == ["x.png", "y.png"])
        #expect(list.folder == FilePath("") && list.name == "standard input")
        let empty = try ListFile(
            standardInput: ListDialect(), descriptor: descriptor)
        #expect(try sources(of: empty).isEmpty)
    }

    @Test("a list may be the device behind a shell's <(command)")
    func device() throws {
        let list = try ListFile(FilePath("/dev/null"), format: .txt)
        #expect(try sources(of: list).isEmpty)
    }
}
