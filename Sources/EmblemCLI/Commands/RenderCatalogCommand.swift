import Artwork
import Codecs
import Console
import Flags
import Glibc
import Raster
import Theming
import Transport

/// `emblem render catalog -o DIR`: every component in every look, as a page and as sheets.
enum RenderCatalogCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        let arguments = context.arguments
        let path = try arguments.required(Options.Catalog.folder)
        let theme = try StyleArguments(arguments: arguments).theme(messages: context.messages)
        let scale = arguments[Options.Catalog.scale]
        let catalog = Catalog(theme: theme)
        var files: [(name: String, bytes: [UInt8])] = []
        for scheme in arguments[Options.Catalog.schemes] {
            for section in try catalog.sections(scheme) {
                let sheet = try catalog.sheet(section, scheme, scale: scale)
                files.append(
                    (
                        "\(section.name)-\(scheme.rawValue).png",
                        try ImageEncoder.encode(sheet, EncodeSettings(format: .png))
                    ))
            }
        }
        files.append(("index.html", Array(try catalog.page(title: "emblem catalogue").utf8)))
        makeFolders(path)
        for file in files {
            try SingleFile.write(file.bytes.span, to: FilePath("\(path)/\(file.name)"))
        }
        try context.output.write("\(path)/index.html\n")
        return 0
    }

    /// Makes the folder and those above it; where that fails, so does writing into it, with words.
    private static func makeFolders(_ path: String) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part + "/"
            _ = unsafe mkdir(made, 0o777)
        }
    }
}
