import Artwork
import Codecs
import Console
import Flags
import Glibc
import Notation
import Raster
import Theming
import Transport

/// The output of a `render` command: a file, whose extension determines the format, or standard
/// output.
struct RenderDestination {
    enum Form: Hashable {
        case pixels(OutputFormat)
        case svg
        case html
    }

    let path: String
    let form: Form

    /// The format of the pixels; PNG for SVG and HTML, which have no pixels.
    var format: OutputFormat {
        guard case .pixels(let format) = form else { return .png }
        return format
    }

    /// Reads `-o` and the format.
    ///
    /// - Parameter pages: Whether HTML is allowed.
    init(_ arguments: ParsedArguments, pages: Bool = false) throws {
        path = try arguments.required(Options.output)
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if path == "-" {
            guard isatty(1) == 0 else {
                throw UsageError(
                    "refusing to write an image to a terminal.",
                    remedy:
                        "Redirect the output, as in '… -o - > emblem.png', or name a file with -o "
                        + "FILE.")
            }
            form =
                arguments[Options.streamedFormat].flatMap { Self.form(named: $0) } ?? .pixels(.png)
            guard form != .html || pages else {
                throw arguments.error(
                    Options.streamedFormat, "Only 'render state' writes html.",
                    remedy: "Choose an image format, or svg.")
            }
        } else if arguments.isTyped(Options.streamedFormat.flag) {
            throw arguments.error(
                Options.streamedFormat,
                "--format needs -o -; the extension selects the format of a file.",
                remedy: "Remove --format, or write to standard output with '-o -'.")
        } else if let format = OutputFormat.ofFile(path) {
            form = .pixels(format)
        } else if ending == "svg" {
            form = .svg
        } else if pages, ending == "html" || ending == "htm" {
            form = .html
        } else {
            let known =
                OutputFormat.allCases.map(\.fileExtension) + ["svg"] + (pages ? ["html"] : [])
            throw UsageError(
                "-o \(path): unknown extension; it selects the format.",
                remedy: "Use \(known.joined(separator: ", ")), or '-o - --format FORMAT' for "
                    + "standard output.")
        }
        if form != .pixels(.png), arguments.has(Options.palette), arguments[Options.palette] {
            try arguments.refuse(Options.palette, "--palette needs PNG.")
        }
    }

    private static func form(named name: String) -> Form? {
        switch name {
        case "svg": .svg
        case "html": .html
        default: OutputFormat.named(name).map { .pixels($0) }
        }
    }

    func write(_ bytes: [UInt8], _ context: CommandContext) throws {
        guard path != "-" else { return try context.output.write(bytes) }
        try SingleFile.write(bytes.span, to: FilePath(path))
    }

    /// Returns a sketch in the format of the output; `surface` is the background in formats without
    /// transparency.
    func encoded(
        _ sketch: Sketch, scale: Double, surface: Color, _ arguments: ParsedArguments
    ) throws -> [UInt8] {
        guard case .pixels(let format) = form else { return Array(try sketch.svg().utf8) }
        let pixels = try sketch.pixels(scale: scale)
        return try ImageEncoder.encode(
            pixels, Self.settings(format, surface: surface, arguments))
    }

    static func settings(
        _ format: OutputFormat, surface: Color, _ arguments: ParsedArguments
    ) throws -> EncodeSettings {
        let quality = arguments[Options.quality]
        if !format.canBeLossless, quality == .lossless {
            throw arguments.error(
                Options.quality, "\(format.name.uppercased()) cannot be lossless.",
                remedy: "Choose 1 to 100, or another format.")
        }
        return EncodeSettings(
            format: format, quality: quality, palette: arguments[Options.palette],
            effort: arguments[Options.effort], matte: surface)
    }
}
