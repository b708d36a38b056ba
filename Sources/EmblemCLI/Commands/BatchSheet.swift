import Artwork
import Batch
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

extension BatchCommand {
    /// Writes the contact sheet of `--sheet`, with one emblem for each item and scheme.
    func writeSheet(of outlet: Outlet) async throws {
        guard let path = context.arguments[Options.sheet].map({ FilePath($0) }) else { return }
        var items: [(shown: ContactSheet.Item, emblems: [OutputRecord])] = []
        var count = 0
        try rethrowing(as: CommandFailure.init(_:)) { () throws(ManifestError) in
            var reader = try ManifestReader(folder: destination)
            while let json = try reader.next() {
                guard json["type"]?.stringValue == "item" else { continue }
                count += 1
                guard items.count < ContactSheet.itemsLimit, let record = ItemRecord(json) else {
                    continue
                }
                items.append((Self.shown(record), Self.emblems(of: record)))
            }
        }
        let schemes = ColorScheme.allCases.filter { scheme in
            items.contains { $0.emblems.contains { $0.isDark == (scheme == .dark) } }
        }
        guard !schemes.isEmpty else {
            return context.warn("--sheet wrote nothing: \(destination) has no emblem")
        }
        let run = context.singleRun(settings)
        defer { run.backend.close() }
        do {
            var sheet = try ContactSheet(items.map(\.shown), schemes: schemes)
            for (place, item) in items.enumerated() {
                for emblem in item.emblems {
                    guard let name = RelativePath(emblem.path),
                        let bytes = try outlet.folder(of: emblem)?.read(
                            name, limit: Self.emblemBytesLimit)
                    else { continue }
                    let side = ContactSheet.side
                    let graphic = try await run.graphic(
                        bytes, in: PixelSize(width: side, height: side), named: emblem.path)
                    sheet.draw(graphic.buffer(), at: place, emblem.isDark ? .dark : .light)
                }
            }
            let bytes = SheetFile.marked(
                try ImageEncoder.encode(sheet.pixels(), EncodeSettings(format: .png)))
            try SingleFile.write(bytes.span, to: path)
        } catch let error as OutletError {
            throw CommandFailure(error)
        } catch let error as ArtworkError {
            throw CommandFailure(1, "--sheet \(path): \(error)")
        } catch let error as EncodeError {
            throw CommandFailure(1, "--sheet \(path): \(error)")
        }
        if count > items.count {
            context.note("--sheet shows the first \(items.count) of \(count) items")
        }
    }

    private static let emblemBytesLimit = 64 << 20

    private static func shown(_ record: ItemRecord) -> ContactSheet.Item {
        let isShown = record.status == .ok && !record.outputs.contains(where: \.isPlaceholder)
        return ContactSheet.Item(
            name: record.name,
            problem: isShown
                ? nil : record.failure?.errorClass.rawValue ?? record.status.rawValue)
    }

    /// Returns for each scheme the smallest emblem that is at least as high as a cell of
    /// the sheet, or else the largest emblem. Plain files are preferred to the outputs of other
    /// targets.
    private static func emblems(of record: ItemRecord) -> [OutputRecord] {
        let files = record.outputs.filter { $0.target == nil }
        let emblems = files.isEmpty ? record.outputs : files
        return [false, true].compactMap { isDark in
            emblems.filter { $0.isDark == isDark }.min { one, other in
                let isLower = (one.height < ContactSheet.side, other.height < ContactSheet.side)
                guard isLower.0 == isLower.1 else { return isLower.1 }
                return isLower.0 ? one.height > other.height : one.height < other.height
            }
        }
    }
}
