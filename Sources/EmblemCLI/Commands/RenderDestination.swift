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
        } else if arguments.isTyped(Options.streamedFormat) {
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
        if form != .pixels(.png), arguments.isOn(Options.palette) {
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

    /// Writes a sketch; `surface` is the background in formats without transparency.
    func write(
        _ sketch: Sketch, scale: Double = 1, surface: Color = .white, _ context: CommandContext
    ) throws {
        guard case .pixels(let format) = form else {
            return try write(Array(try sketch.svg().utf8), context)
        }
        try write(
            ImageEncoder.encode(
                sketch.pixels(scale: scale), context.encodeSettings(format, surface: surface)),
            context)
    }
}
