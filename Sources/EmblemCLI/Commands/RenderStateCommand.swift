import Artwork
import Codecs
import Console
import Flags
import Notation
import Raster
import Render
import System
import Theming
import Transport
import Worker

enum RenderStateCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let arguments = context.arguments
        let destination = try RenderDestination(arguments, pages: true)
        let theme = try StyleArguments(arguments: arguments).theme(messages: context.messages)
        let scheme = arguments[Options.scheme]
        let style = style(theme, scheme, arguments)
        let content = try await content(context, style)
        let view = StateView(content, style: style)
        // A page follows the reader's colour scheme unless `--scheme` is given.
        let dark =
            destination.form == .html && !arguments.isSet(Options.scheme)
            ? self.style(theme, .dark, arguments) : nil
        let bytes: [UInt8]
        if destination.form == .html {
            bytes = Array(try view.page(dark: dark).utf8)
        } else {
            bytes = try destination.encoded(
                view.sketch(), scale: arguments[Options.scale],
                surface: style.radius > 0 ? style.surface : style.background, arguments)
        }
        try destination.write(bytes, context)
        return 0
    }

    private static func content(
        _ context: CommandContext, _ style: StateStyle
    ) async throws -> StateContent {
        let arguments = context.arguments
        let kind = arguments[Options.State.kind]
        var texts = StateTexts()
        if let path = arguments[Options.State.strings] { texts = try strings(path) }
        var content = StateContent(kind, texts: texts)
        if let title = arguments[Options.State.title] { content.title = title }
        if let subtitle = arguments[Options.State.subtitle] { content.subtitle = subtitle }
        let buttons = arguments[Options.State.button]
        guard buttons.count <= StateContent.buttonsLimit else {
            throw arguments.error(
                Options.State.button, "a state view has at most three buttons.",
                remedy: "Remove some of them.")
        }
        if !buttons.isEmpty { content.buttons = buttons.map { .init(title: $0) } }
        content.label = arguments[Options.spokenLabel]
        if let icon = arguments[Options.State.icon] {
            content.icon = try await graphic(icon, style, context)
        }
        guard !PlainText(content.title).isEmpty || content.icon != nil else {
            throw UsageError(
                "A state view needs a title or a graphic.",
                remedy: "Add --title TEXT, or --kind \(StateKind.noResults.rawValue).")
        }
        return content
    }

    /// Returns the graphic of `--icon`: a built-in icon, an image file, or nil for `none`.
    private static func graphic(
        _ text: String, _ style: StateStyle, _ context: CommandContext
    ) async throws -> StateGraphic? {
        if text == "none" { return nil }
        if let icon = BuiltInIcon(rawValue: text) { return .icon(icon) }
        guard text.contains(".") || text.contains("/") else {
            throw UsageError.unknown(
                "icon", text, among: BuiltInIcon.allCases.map(\.rawValue),
                fallback: "Use \(BuiltInIcon.allNames), none, or a FILE.")
        }
        let bytes = try NamedFile.read(text, option: "--icon")
        // The file is decoded in a worker, in the size in which the state view shows it.
        let decoder = GraphicDecoder(context.graphicSettings(), context)
        defer { decoder.close() }
        let scale = context.arguments[Options.scale]
        let (width, height) = style.iconOrAnimationSize
        func pixels(_ points: Double) -> Int {
            max(1, Int(min(points * scale, Double(Sketch.longestSide)).rounded()))
        }
        let box = PixelSize(width: pixels(width), height: pixels(height))
        return try await decoder.graphic(bytes, in: box, named: "--icon \(text)").content
    }

    private static func strings(_ path: String) throws -> StateTexts {
        let bytes = try NamedFile.read(
            path, option: "--strings", bytesLimit: StringsFile.bytesLimit)
        let texts = try rethrowing(StringsFile.read(bytes)) { (error: StringsError) in
            CommandFailure(65, "--strings \(path): \(error)")
        }
        return StateTexts(texts)
    }

    private static func style(
        _ theme: Theme, _ scheme: ColorScheme, _ arguments: ParsedArguments
    ) -> StateStyle {
        var style = StateStyle(
            theme: theme, scheme: scheme, appearance: arguments[Options.appearance])
        if let sides = arguments[Options.State.padding] {
            style.insets = StateStyle.Insets(
                top: sides[0], leading: sides[sides.count > 1 ? 1 : 0],
                bottom: sides[sides.count > 2 ? 2 : 0], trailing: sides[sides.count - 1])
        }
        if let color = arguments[Options.State.background] { style.background = color }
        if let width = arguments[Options.State.width] { style.width = width }
        return style
    }
}
