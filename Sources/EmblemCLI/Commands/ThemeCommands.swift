import Console
import Flags
import Notation
import Raster
import Theming
import Transport

/// `emblem theme [FILE]`: prints a theme and checks its contrasts.
enum ThemeCommand {
    /// Prints every token, with both values if the schemes differ, then every pair of colours below
    /// the least contrast.
    static func run(_ context: CommandContext) throws -> Int32 {
        let (theme, warnings) = try load(context)
        let poor = ColorScheme.allCases.flatMap { theme.pairs($0) }.filter { !$0.isEnough }
        if context.arguments[Options.json] {
            try context.output.write(json(of: theme, poor, warnings))
            return 0
        }
        var text = table(of: theme)
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
        try context.output.write(text)
        return 0
    }

    private static func load(
        _ context: CommandContext
    ) throws -> (theme: Theme, warnings: [ThemeWarning]) {
        guard let path = context.arguments.operands.first else { return (.builtIn, []) }
        let (theme, warnings) = try ThemeFile.load(path)
        for warning in warnings { context.messages.line("\(warning)", .warning) }
        return (theme, warnings)
    }

    private static func table(of theme: Theme) -> String {
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

    private static func json(
        of theme: Theme, _ poor: [ContrastPair], _ warnings: [ThemeWarning]
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

/// Reads the file of `--theme` or of `emblem theme`.
enum ThemeFile {
    private static let bytesLimit = 8 << 20
    /// The most warnings to print: a file that is shared with other tools may have thousands of
    /// foreign tokens.
    private static let printedLimit = 10

    static func load(_ path: String) throws -> (theme: Theme, warnings: [ThemeWarning]) {
        let bytes = try NamedFile.read(path, bytesLimit: bytesLimit)
        return try Theme.builtIn.layering(bytes, name: path)
    }

    /// Prints the first warnings, and the number of the others.
    static func tell(of warnings: [ThemeWarning], in path: String, to messages: MessageStream) {
        for warning in warnings.prefix(printedLimit) { messages.line("\(warning)", .warning) }
        guard warnings.count > printedLimit else { return }
        messages.line(
            "\(warnings.count - printedLimit) more warnings in this file; 'emblem theme \(path)' "
                + "lists all", .note)
    }
}
