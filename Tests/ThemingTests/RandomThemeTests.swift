import Glibc
import System
import Testing
import Theming

/// Makes files that are nearly valid themes.
private struct ThemeMaker {
    var numbers: SeededRandom

    private static let names = [
        "theme", "color", "dimension", "background", "emblem", "brand", "brand-subtle", "radius",
        "height", "sm", "md", "badge", "info", "foreground", "default", "light", "dark", "$value",
        "$type", "$ref", "$root", "value", "unit", "colorSpace",
        "components", "alpha", "hex", "a", "b", "theme.color.emblem.brand", "", ".", "\\u0000",
        "theme.dimension.height.emblem.sm", "theme.color.background.brand", "e\u{301}", "👩‍👩‍👧",
    ]
    private static let texts = [
        "#fff", "#12345678", "#xyz", "red", "{a}", "{b}", "{a.b}", "{theme.color.emblem.brand}",
        "{theme.color.background.brand-subtle}", "{}", "{{a}}", "#/a/b", "8px", "1rem", "-3", "٣px",
        "px", "",
        "srgb", "oklch", "hsl", "lab", "display-p3", "color", "dimension", "number", "shadow",
        "none", "\\u202E", "\\ud83d\\ude00", "{theme.dimension.spacing.lg}",
    ]
    private static let numbers = [
        "0", "1", "-1", "8", "0.5", "1e300", "1e-300", "2048", "2049", "10001", "255", "-0",
        "99999999999999999999999", "0.1e2",
    ]

    mutating func file() -> String { object(depth: 0) }

    private mutating func object(depth: Int) -> String {
        var seen: Set<String> = []
        var members: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &numbers) {
            let name = Self.names.randomElement(using: &numbers) ?? ""
            guard seen.insert(name).inserted else { continue }
            members.append("\"\(name)\":\(value(depth: depth + 1))")
        }
        return "{" + members.joined(separator: ",\n") + "}"
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 7 ? 4 : 12), using: &numbers) {
        case 0: return Self.numbers.randomElement(using: &numbers) ?? "0"
        case 1, 2: return "\"\(Self.texts.randomElement(using: &numbers) ?? "")\""
        case 3: return ["null", "true", "[]", "{}"].randomElement(using: &numbers) ?? "null"
        case 4: return "[\(value(depth: depth + 1)),\(value(depth: depth + 1)),0]"
        default: return object(depth: depth)
        }
    }

    /// Makes a file with some bytes changed, deleted or doubled.
    mutating func damaged() -> [UInt8] {
        var bytes = Array(file().utf8)
        for _ in 0..<Int.random(in: 1...4, using: &numbers) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &numbers)
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
            case 1: bytes.remove(at: index)
            default: bytes.insert(bytes[index], at: index)
            }
        }
        return bytes
    }
}

@Suite("Random themes")
struct RandomThemeTests {
    /// `EMBLEM_THEME_FILES=100000` sets a larger number of files.
    private static let count: Int = {
        guard let text = unsafe getenv("EMBLEM_THEME_FILES") else { return 500 }
        return Int(unsafe String(cString: text)) ?? 500
    }()

    @Test("any theme file is a theme or an error with its position")
    func random() {
        let seed: UInt64 = 20_251_028
        var maker = ThemeMaker(numbers: SeededRandom(seed: seed))
        var (themes, refusals) = (0, 0)
        for number in 0..<Self.count {
            let bytes = number % 4 == 3 ? maker.damaged() : Array(maker.file().utf8)
            do throws(ThemeError) {
                let (theme, warnings) = try Theme.builtIn.layering(bytes, name: "my.json")
                themes += 1
                for layout in EmblemLayout.allCases {
                    #expect((1...2048).contains(theme.height(of: layout)))
                }
                for warning in warnings {
                    #expect(Self.names(warning.description), "seed \(seed), \(number): \(warning)")
                }
            } catch {
                refusals += 1
                #expect(Self.names(error.description), "seed \(seed), file \(number): \(error)")
            }
        }
        // The test is meaningful only if both outcomes occur often.
        #expect(themes > Self.count / 20 && refusals > Self.count / 20)
        print("\(Self.count) files: \(themes) themes, \(refusals) refusals, seed \(seed)")
    }

    /// Whether a message names the file, a line, and a path or a column.
    private static func names(_ message: String) -> Bool {
        // Compared by bytes, because a name can start with a combining mark, which joins the space.
        let head = Array("my.json:".utf8)
        let bytes = Array(message.utf8)
        guard bytes.starts(with: head) else { return false }
        let rest = bytes.dropFirst(head.count)
        let line = rest.prefix { (0x30...0x39).contains($0) }
        let reason = rest.dropFirst(line.count)
        return !line.isEmpty && line.first != 0x30 && reason.starts(with: Array(": ".utf8))
            && reason.count > 4 && !bytes.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
