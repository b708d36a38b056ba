import Artwork
import Cell
import Codecs
import Raster
import Render
import System
import Theming

/// Makes finished emblems from the bytes of pictures.
///
/// ```swift
/// let renderer = EmblemRenderer()
/// let png = try renderer.emblem(from: bytes, layout: .large, scale: 2)
/// ```
///
/// Pictures are decoded where ``Decoding`` says. What is not `async` here holds its thread
/// until the emblem is there, and needs no other thread of the program's.
///
/// A renderer is a value that any number of tasks may share. The same bytes and arguments give the
/// same emblem, byte for byte.
public struct EmblemRenderer: Sendable {
    /// The theme in which it draws.
    public let theme: Theme
    /// Where its pictures are decoded; `nil` takes what the ``DesignSystem`` says.
    public var decoding: Decoding?

    var themed: ThemedRenderer { theme.resolved.renderer }
    var renderer: Renderer { themed.renderer }

    /// A renderer with the built-in theme.
    public init() {
        self.init(theme: .builtIn)
    }

    /// A renderer with a theme of yours.
    public init(theme: Theme) {
        self.theme = theme
    }

    /// The renderer of a component that may have a theme of its own.
    static func inForce(_ theme: Theme?) -> EmblemRenderer {
        let renderer = DesignSystem.shared.renderer
        guard let theme = theme ?? Theme.inTask else { return renderer }
        return EmblemRenderer(renderer, theme: theme)
    }

    /// The same in another theme.
    init(_ other: EmblemRenderer, theme: Theme) {
        self.init(theme: theme)
        decoding = other.decoding
    }

    /// A renderer whose theme has the design tokens in `json` laid over the built-in ones.
    ///
    /// - Parameters:
    ///   - json: the tokens.
    ///   - name: what messages call them, such as the name of their file.
    /// - Throws: ``EmblemError/theme(_:)`` with the place and the reason.
    public init(theme json: [UInt8], name: String = "theme.json") throws(EmblemError) {
        self.init(theme: try Theme(name: name, json: json))
    }

    /// The PNG of an emblem.
    ///
    /// - Parameters:
    ///   - bytes: a picture in any of the formats that ``Image`` reads.
    ///   - layout: the size of the emblem in points.
    ///   - appearance: the colours that it wears.
    ///   - contentMode: how the picture fills it.
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    ///   - fitting: how the picture stands in it.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the bytes cannot be decoded within the
    ///   limits or in time, or the task was cancelled; ``EmblemError/scaleOutOfRange(_:)``.
    public func emblem(
        from bytes: [UInt8], layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light, fitting: Emblem.Fitting = Emblem.Fitting()
    ) throws(EmblemError) -> [UInt8] {
        try emblem(
            from: Image(unlooked: bytes), layout: layout, appearance: appearance,
            contentMode: contentMode, scale: scale, scheme: scheme, fitting: fitting
        ).encoded ?? []
    }

    /// The emblem of a picture.
    ///
    /// - Parameters:
    ///   - image: the picture that it shows.
    ///   - layout: the size of the emblem in points.
    ///   - appearance: the colours that it wears.
    ///   - contentMode: how the picture fills it.
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    ///   - fitting: how the picture stands in it.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the picture cannot be decoded within the
    ///   limits; ``EmblemError/scaleOutOfRange(_:)``.
    public func emblem(
        from image: Image, layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light, fitting: Emblem.Fitting = Emblem.Fitting()
    ) throws(EmblemError) -> Image {
        var look = EmblemLook(
            layouts: [.emblem(layout.value)], scales: [scale], schemes: [scheme])
        look.appearance = appearance
        look.contentMode = contentMode
        look.fitting = fitting
        let drawn = try Blocking.wait { [self, look] in try await draw(image, look) }
        guard let emblem = drawn.first else {
            preconditionFailure("One layout at one scale is one emblem.")
        }
        return emblem.image
    }
}

extension EmblemRenderer {
    /// Draws a picture in every variant of `look`.
    ///
    /// - Throws: ``EmblemError``; `CancellationError` when the task is cancelled.
    func draw(
        _ image: Image, _ look: EmblemLook, _ decoding: Decoding? = nil
    ) async throws -> [DrawnPicture] {
        if let fault = look.fault { throw fault }
        let recipe = look.recipe
        switch image.content {
        case .encoded(let bytes):
            return try await carryOut(.picture, of: bytes, recipe, decoding)
        // What comes from no stranger needs no worker.
        case .pixels(let shared):
            return try await here(shared.buffer.size.byteCount) { observer throws(RenderError) in
                try renderer.render(
                    .raster(shared.buffer.copy()), recipe: recipe, observer: observer)
            }
        case .icon(let icon):
            return try await here { observer throws(RenderError) in
                try renderer.icon(icon, recipe: recipe, observer: observer)
            }
        }
    }

    /// Draws initials in every variant of `look`.
    func draw(
        _ initials: Initials, _ look: EmblemLook, _ decoding: Decoding? = nil
    ) async throws -> [DrawnPicture] {
        if let fault = look.fault { throw fault }
        return try await carryOut(.initials(initials), look.recipe, decoding)
    }

    private func carryOut(
        _ subject: RenderOrder.Subject, of source: [UInt8] = [], _ recipe: Recipe,
        _ decoding: Decoding?
    ) async throws -> [DrawnPicture] {
        let decoding = decoding ?? self.decoding ?? DesignSystem.shared.decoding
        return Self.pictures(
            of: try await decoding.carryOut(subject, of: source, recipe, with: themed).rendering)
    }

    /// Draws in this program, on threads of ours, once so many bytes of memory are free.
    private func here(
        _ bytes: Int = 0, _ work: (Renderer.StepObserver) throws(RenderError) -> Rendering
    ) async throws -> [DrawnPicture] {
        let start = MonotonicClock.now
        return try await withTaskExecutorPreference(Executors.work) {
            try await DecodingMemory.borrow(bytes) {
                var moments: [StepMoment] = []
                defer { WorkLog.current?.add(moments, since: start) }
                do throws(RenderError) {
                    return Self.pictures(
                        of: try work { step throws(RenderError) in
                            // Between any two steps the task may be cancelled.
                            if Task.isCancelled { throw .stopped }
                            moments.append(
                                StepMoment(step: step, nanoseconds: MonotonicClock.now))
                        })
                } catch {
                    try Task.checkCancellation()
                    throw EmblemError(error)
                }
            }
        }
    }

    private static func pictures(of rendering: Rendering) -> [DrawnPicture] {
        rendering.images.map { drawn in
            DrawnPicture(
                variant: drawn.variant, image: Image(drawn.bytes, drawn.size, .ours),
                lint: rendering.lint)
        }
    }
}
