import Artwork
import Batch
import Codecs
import Console
import Engine
import Flags
import Notation
import Raster
import Theming
import Transport

extension BatchCommand {
    /// An output in OUT that the sheet can show.
    private struct Emblem {
        let path: String
        let height: Int
        let scheme: ColorScheme
    }

    /// Writes the contact sheet of `--sheet`, with one emblem for each item and scheme.
    func writeSheet(of folder: OutputFolder) async throws {
        guard let path = context.arguments[Options.sheet].map({ FilePath($0) }) else { return }
        var items: [(number: Int, emblems: [Emblem])] = []
        var count = 0
        do throws(ManifestError) {
            var reader = try ManifestReader(folder: destination)
            while let record = try reader.next() {
                guard record["type"]?.stringValue == "item" else { continue }
                count += 1
                guard items.count < ContactSheet.itemsLimit else { continue }
                items.append(
                    (record["index"]?.intValue ?? count - 1, Self.emblems(of: record)))
            }
        } catch {
            throw CommandFailure(error)
        }
        let schemes = ColorScheme.allCases.filter { scheme in
            items.contains { $0.emblems.contains { $0.scheme == scheme } }
        }
        guard !schemes.isEmpty else {
            return context.warn("--sheet wrote nothing: \(destination) has no emblem")
        }
        let decoder = GraphicDecoder(settings, context)
        defer { decoder.close() }
        do {
            var sheet = try ContactSheet(
                numbers: items.map(\.number), schemes: schemes, theme: settings.theme)
            for (index, item) in items.enumerated() {
                for emblem in item.emblems {
                    guard let name = RelativePath(emblem.path),
                        let bytes = try folder.read(name, limit: Self.emblemBytesLimit)
                    else { continue }
                    let side = ContactSheet.side
                    let graphic = try await decoder.pixels(
                        bytes, in: PixelSize(width: side, height: side), named: emblem.path)
                    sheet.draw(graphic, at: index, emblem.scheme)
                }
            }
            let bytes = try ImageEncoder.encode(
                sheet.pixels(), EncodeSettings(format: .png))
            try SingleFile.write(bytes.span, to: path)
        } catch let error as OutletError {
            throw CommandFailure(error)
        } catch let error as ArtworkError {
            throw CommandFailure(1, "--sheet \(path): \(error)")
        } catch let error as EncodeError {
            throw CommandFailure(1, "--sheet \(path): \(error)")
        }
        if count > items.count {
            context.messages.line(
                "--sheet shows the first \(items.count) of \(count) items", .note)
        }
    }

    /// A limit that is larger than any emblem.
    private static let emblemBytesLimit = 64 << 20

    /// Returns for each scheme the smallest emblem that is at least as high as its place on the sheet,
    /// else the largest one.
    private static func emblems(of record: JSON) -> [Emblem] {
        var best: [ColorScheme: Emblem] = [:]
        for output in record["outputs"]?.elements ?? [] {
            guard output["elsewhere"] == nil, output["target"] == nil,
                let path = output["path"]?.stringValue, let height = output["height"]?.intValue
            else { continue }
            let scheme: ColorScheme = output["scheme"]?.stringValue == "dark" ? .dark : .light
            let known = best[scheme]?.height ?? 0
            let isBetter =
                known < ContactSheet.side
                ? height > known : height >= ContactSheet.side && height < known
            if isBetter { best[scheme] = Emblem(path: path, height: height, scheme: scheme) }
        }
        return ColorScheme.allCases.compactMap { best[$0] }
    }
}
