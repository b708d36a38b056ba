import Console
import Flags
import Notation
import Raster
import Theming
import Transport

extension CommandContext {
    /// `emblem theme [FILE]`: prints every token, with both values if the schemes differ, then every
    /// pair of colours below the least contrast.
    func printTheme() throws -> Int32 {
        var (theme, warnings) = (Theme.builtIn, [ThemeWarning]())
        if let path = arguments.operands.first { (theme, warnings) = try self.theme(in: path) }
        for warning in warnings { warn("\(warning)") }
        let poor = ColorScheme.allCases.flatMap { theme.pairs($0) }.filter { !$0.isEnough }
        if arguments[Options.json] {
            try output.write(themeJSON(theme, poor, warnings))
            return 0
        }
        var text = themeTable(theme)
        text += "\n"
        for pair in poor {
            text +=
                "\(pair.scheme.rawValue)  \(ContrastPair.text(pair.ratio)):1  \(pair.foreground) on \(pair.background)\n"
        }
        text +=
            poor.isEmpty
            ? "every pair of foreground and background reaches \(ContrastPair.least):1\n"
            : "\(Counted(poor.count, "pair is", many: "pairs are")) below "
                + "\(ContrastPair.least):1\n"
        try output.write(text)
        return 0
    }

    /// Returns the theme of a file, with warnings about unknown tokens.
    private func theme(in path: String) throws -> (theme: Theme, warnings: [ThemeWarning]) {
        try Theme.builtIn.layering(read(path, bytesLimit: 8 << 20), name: path)
    }

    /// Returns the built-in theme, with the values of the file of `--theme`. Prints ten warnings at
    /// most: a file that is shared with other tools may have thousands of foreign tokens.
    func theme() throws -> Theme {
        guard let path = arguments[Options.theme] else { return .builtIn }
        let (theme, warnings) = try self.theme(in: path)
        for warning in warnings.prefix(10) { warn("\(warning)") }
        if warnings.count > 10 {
            note(
                "\(warnings.count - 10) more warnings in this file; 'emblem theme \(path)' lists all"
            )
        }
        return theme
    }

    private func themeTable(_ theme: Theme) -> String {
        let dark = Dictionary(
            theme.resolved(.dark).map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
        var text = ""
        for (path, value) in theme.resolved(.light) {
            let gap = String(repeating: " ", count: max(2, 52 - path.count))
            text += "\(path)\(gap)\(value)"
            if let other = dark[path], other != value { text += "  dark \(other)" }
            text += "\n"
        }
        return text
    }

    private func themeJSON(
        _ theme: Theme, _ poor: [ContrastPair], _ warnings: [ThemeWarning]
    ) -> [UInt8] {
        var json = JSONWriter(.pretty)
        json.object { json in
            for scheme in ColorScheme.allCases {
                json.object(scheme.rawValue) { json in
                    for (path, value) in theme.resolved(scheme) {
                        if case .dimension(let number) = value {
                            json.member(path, JSON.number(JSONNumber(number)))
                        } else {
                            json.member(path, "\(value)")
                        }
                    }
                }
            }
            json.array("low_contrast") { json in
                for pair in poor {
                    json.object { json in
                        json.member("scheme", pair.scheme.rawValue)
                        json.member("foreground", pair.foreground)
                        json.member("background", pair.background)
                        json.member("ratio", (pair.ratio * 100).rounded(.down) / 100)
                    }
                }
            }
            json.array("warnings") { json in
                for warning in warnings { warning.write(into: &json) }
            }
            json.member("theme_sha256", theme.digest)
        }
        json.endLine()
        return json.take()
    }
}

extension ContrastPair {
    /// Returns the ratio, rounded down so that the printed value never exceeds the real ratio.
    static func text(_ ratio: Double) -> String {
        let hundredths = Int(ratio * 100)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension ThemeWarning {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("file", location.file)
            json.member("line", location.line)
            json.member("path", location.path)
            json.member("reason", reason)
        }
    }
}
