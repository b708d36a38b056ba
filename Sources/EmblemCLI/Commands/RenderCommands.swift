import Artwork
import Codecs
import Console
import Engine
import Flags
import Notation
import Raster
import Render
import System
import Theming
import Transport

extension CommandContext {
    func renderEmblem() async throws -> Int32 {
        let drawing = try PictureDrawing(.emblem(arguments[Options.layout]), self)
        let subject: PictureDrawing.Subject
        switch (arguments.operands.first, arguments[Options.Emblem.icon]) {
        case (.some, .some):
            throw UsageError(
                "SOURCE and --icon cannot be used together.", remedy: "Remove one of them.")
        case (let source?, nil): subject = .source(source)
        case (nil, let icon?): subject = .icon(icon)
        case (nil, nil):
            let label = arguments[Options.Emblem.label]
            guard let initials = label.flatMap({ Initials.from(label: $0) }) else {
                throw UsageError(
                    "'emblem render emblem' needs a SOURCE, --icon NAME or --label TEXT.",
                    remedy: "Type 'emblem render emblem --icon account-balance -o icon.png'.")
            }
            subject = .initials(initials)
        }
        return try await drawing.write(subject)
    }

    func renderAvatar() async throws -> Int32 {
        let isIcon = arguments[Options.Avatar.icon]
        let source = arguments.operands.first
        if isIcon, source != nil {
            throw UsageError(
                "SOURCE and --icon cannot be used together.", remedy: "Remove one of them.")
        }
        let isNamed =
            arguments.isSet(Options.Avatar.initials) || arguments.isSet(Options.Avatar.label)
        guard isIcon || isNamed || source != nil else {
            throw UsageError(
                "'emblem render avatar' needs a SOURCE, --initials TEXT, --label TEXT or --icon.",
                remedy: "Type 'emblem render avatar --initials JD -o jd.png'.")
        }
        let initials = try avatarInitials()
        var drawing = try PictureDrawing(.avatar(arguments[Options.Avatar.layout]), self)
        if let initials, !arguments.isSet(Options.placeholder) {
            drawing.settings.recipe.placeholder = .letters(initials)
            drawing.replacesMissingSource = true
        }
        if let source { return try await drawing.write(.source(source)) }
        guard let initials, !isIcon else {
            return try await drawing.write(.icon(drawing.settings.component.icon))
        }
        return try await drawing.write(.initials(initials))
    }

    private func avatarInitials() throws(UsageError) -> Initials? {
        guard let text = arguments[Options.Avatar.initials] else {
            return arguments[Options.Avatar.label].flatMap { Initials.from(label: $0) }
        }
        guard let initials = Initials(text) else {
            throw arguments.error(
                Options.Avatar.initials, "\"\(text)\" has no visible character.",
                remedy: "Give one or two letters, as in --initials JD.")
        }
        return initials
    }

    func renderBadge() throws -> Int32 {
        let destination = try RenderDestination(arguments)
        let appearance = arguments[Options.Badge.appearance]
        guard let badge = Badge(try arguments.required(Options.Badge.text), appearance: appearance)
        else {
            throw arguments.error(
                Options.Badge.text, "The text has no visible character.",
                remedy: "Give at least one character, as in --text 3.")
        }
        let (theme, scheme) = (try theme(), arguments[Options.scheme])
        // An SVG has no pixels; its unit is the point.
        let scale = destination.form == .svg ? 1 : arguments[Options.scale]
        var sketch = try badge.sketch(
            BadgeStyle(appearance, theme: theme, scheme: scheme, scale: scale))
        if let label = arguments[Options.spokenLabel] { sketch.title = label }
        try destination.write(sketch, scale: scale, surface: theme.surface(scheme), self)
        return 0
    }

    func renderShimmer() throws -> Int32 {
        let destination = try RenderDestination(arguments)
        guard case .pixels(let format) = destination.form else {
            throw UsageError(
                "A shimmer cannot be written as svg or html.",
                remedy: "Choose a name for -o that ends in .webp or .png.")
        }
        let frame = arguments[Options.shimmerFrame]
        guard frame != nil || format.supportsAnimation else {
            throw UsageError(
                "\(format.name) does not support animation.",
                remedy: "Use webp or png, or draw one frame with --frame 14.")
        }
        let (theme, scheme) = (try theme(), arguments[Options.scheme])
        var style = EmblemStyle(
            .emblem(arguments[Options.layout]), theme: theme,
            appearance: arguments[Options.appearance],
            scheme: scheme, scale: arguments[Options.scale])
        style.corner = arguments[Options.corner]
        style.borderPoints = arguments[Options.border]
        guard style.borderPoints <= style.heightPoints / 4 else {
            throw UsageError(
                "--border leaves less than a quarter of the emblem.",
                remedy: "Use at most \(JSON.number(ofScale: style.heightPoints / 4).text) points.")
        }
        let shimmer = Shimmer(style, scheme: scheme)
        var settings = try encodeSettings(format, surface: theme.surface(scheme))
        // Lossless compression makes smooth gradients smaller.
        if format == .webp, !arguments.isSet(Options.quality) { settings.quality = .lossless }
        let bytes =
            if let frame {
                try ImageEncoder.encode(shimmer.frame(frame), settings)
            } else {
                try AnimationEncoder.encode(
                    shimmer.frames, format: format, quality: settings.quality)
            }
        try destination.write(bytes, self)
        return 0
    }
}

// MARK: State views

extension CommandContext {
    func renderState() async throws -> Int32 {
        let destination = try RenderDestination(arguments, pages: true)
        let (theme, scheme) = (try theme(), arguments[Options.scheme])
        let style = stateStyle(theme)
        let view = StateView(
            try await stateContent(style), style: style, theme: theme, scheme: scheme)
        guard destination.form == .html else {
            try destination.write(
                view.sketch(), scale: arguments[Options.scale],
                surface: view.surroundings, self)
            return 0
        }
        // A page follows the reader's colour scheme unless `--scheme` is given.
        let page = try view.page(followsScheme: !arguments.isSet(Options.scheme))
        try destination.write(Array(page.utf8), self)
        return 0
    }

    private func stateContent(_ style: StateStyle) async throws -> StateContent {
        var texts = StateTexts()
        if let path = arguments[Options.State.strings] { texts = try stateTexts(path) }
        var content = StateContent(arguments[Options.State.kind], texts: texts)
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
            content.icon = try await stateGraphic(icon, style)
        }
        guard !PlainText(content.title).isEmpty || content.icon != nil else {
            throw UsageError(
                "A state view needs a title or a graphic.",
                remedy: "Add --title TEXT, or --kind \(StateKind.noResults.rawValue).")
        }
        return content
    }

    /// Returns the graphic of `--icon`: a built-in icon, an image file, or nil for `none`.
    private func stateGraphic(_ text: String, _ style: StateStyle) async throws -> StateGraphic? {
        if text == "none" { return nil }
        if let icon = BuiltInIcon(rawValue: text) { return .icon(icon) }
        guard text.contains(".") || text.contains("/") else {
            throw UsageError.unknown(
                "icon", text, among: BuiltInIcon.allCases.map(\.rawValue),
                fallback: "Use \(BuiltInIcon.allNames), none, or a FILE.")
        }
        let bytes = try read(text, option: "--icon")
        var settings = RunSettings()
        arguments.apply(to: &settings.network)
        // The file is decoded in a worker, in the size in which the state view shows it.
        let run = singleRun(settings)
        defer { run.backend.close() }
        let scale = arguments[Options.scale]
        let size = style.iconOrAnimationSize
        func pixels(_ points: Double) -> Int {
            max(1, Int(min(points * scale, Double(Sketch.longestSide)).rounded()))
        }
        let box = PixelSize(width: pixels(size.width), height: pixels(size.height))
        let graphic = try await run.graphic(bytes, in: box, named: "--icon \(text)")
        return StateGraphic(graphic, of: bytes)
    }

    private func stateTexts(_ path: String) throws -> StateTexts {
        let bytes = try read(
            path, option: "--strings", bytesLimit: StringsFile.bytesLimit)
        let texts = try rethrowing(StringsFile.read(bytes)) { (error: StringsError) in
            CommandFailure(65, "--strings \(path): \(error)")
        }
        return StateTexts(texts)
    }

    private func stateStyle(_ theme: Theme) -> StateStyle {
        var style = StateStyle(tokens: theme)
        style.appearance = arguments[Options.appearance]
        if let sides = arguments[Options.State.padding] {
            style.insets = EdgeInsets(
                top: sides[0], leading: sides[sides.count > 1 ? 1 : 0],
                bottom: sides[sides.count > 2 ? 2 : 0], trailing: sides[sides.count - 1])
        }
        if let color = arguments[Options.State.background] { style.background = ThemeColor(color) }
        if let width = arguments[Options.State.width] { style.width = width }
        return style
    }
}

extension Theme {
    /// Returns the colour behind images in formats without transparency.
    fileprivate func surface(_ scheme: ColorScheme) -> Color {
        color("theme.color.background.surface", scheme) ?? .white
    }
}
