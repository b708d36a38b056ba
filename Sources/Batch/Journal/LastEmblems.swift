import Codecs
import Digest
import Engine
import Notation
import Raster
import Render
import Synchronization
import Theming
import Transport

/// The emblems of the last set, by their sources.
///
/// It serves items whose source fails for a passing reason, whatever else changed since then: only
/// the manifest is needed. The manifest is read when the first such item asks.
final class LastEmblems: Sendable {
    private struct State: ~Copyable {
        var file: AppendFile?
        /// The offsets of the records of each source, by the hash of the source.
        var offsets: [UInt64: [Int64]] = [:]
        var isRead = false
    }

    private let folder: OutputFolder
    private let state = Mutex(State())

    init(_ folder: OutputFolder) { self.folder = folder }

    /// Returns the records of a source that show it.
    private func records(of source: String) -> [ItemRecord] {
        state.withLock { state in
            if !state.isRead { read(&state) }
            let offsets = state.offsets[NameHash.of(source)] ?? []
            return offsets.compactMap { offset in
                guard let line = try? state.file?.line(at: offset),
                    let record = Self.record(line), record.source == source
                else { return nil }
                return record
            }
        }
    }

    private func read(_ state: inout State) {
        state.isRead = true
        guard let name = try? LastManifest.currentName(in: folder),
            let file = try? folder.open(name), let size = try? file.size()
        else { return }
        var block = LineBlock()
        var offset: Int64 = 0
        while offset < Int64(size), let line = try? block.line(at: offset, of: file) {
            if let record = Self.record(line), record.outputs.contains(where: \.showsSource) {
                state.offsets[NameHash.of(record.source), default: []].append(offset)
            }
            offset += Int64(line.count) + 1
        }
        state.file = consume file
    }

    /// Returns the record of an item that shows its source. Members that another version writes
    /// differently are left out.
    private static func record(_ line: ArraySlice<UInt8>) -> ItemRecord? {
        guard let json = JournalLine.json(of: line), json["type"]?.stringValue == "item" else {
            return nil
        }
        let plain = JSON.object(
            (json.members ?? []).filter { !["error", "lint", "look"].contains($0.name) })
        guard let record = ItemRecord(json) ?? ItemRecord(plain) else { return nil }
        let shows = record.status == .ok || json["stale"]?.boolValue == true
        return shows ? record : nil
    }

    /// Returns the emblem of a source of `item`, or of one of its alternatives, in those variants of
    /// the recipe whose files are unchanged.
    func emblem(
        of item: BatchItem, _ recipe: Recipe, _ mask: SourceMask, in outlet: Outlet
    ) -> LastEmblem? {
        guard case .remote = item.kind else { return nil }
        let dark = item.darkSources.map(mask.shown)
        for source in [item.source] + item.alternatives {
            let shown = mask.shown(source)
            // Two sources that differ only in a hidden part are told apart by their items.
            let records = records(of: shown).filter { shown == source || $0.id == item.id }
            var kept: ItemRecord?
            let images = recipe.variants.compactMap { variant -> RenderedImage? in
                for record in records where variant.scheme != .dark || record.dark == dark {
                    guard let image = image(variant, of: record, recipe, in: outlet) else {
                        continue
                    }
                    kept = kept ?? record
                    return image
                }
                return nil
            }
            guard var kept else { continue }
            if kept.dark != dark { kept.srcDark = nil }
            return LastEmblem(kept, images)
        }
        return nil
    }

    private func image(
        _ variant: Variant, of record: ItemRecord, _ recipe: Recipe, in outlet: Outlet
    ) -> RenderedImage? {
        for output in record.outputs where output.showsSource && output.shows(variant) {
            let format = OutputFormat.allCases.first {
                output.path.hasSuffix(".\($0.fileExtension)")
            }
            guard let format, let path = RelativePath(output.path),
                recipe.format(of: variant, source: record.format) == format,
                let folder = outlet.folder(of: output)
            else { continue }
            for place in [path, LastManifest.place(of: path)] {
                guard let bytes = try? folder.read(place, limit: output.bytes),
                    SHA256.hash(bytes.span).hex == output.sha256
                else { continue }
                return RenderedImage(
                    variant: variant, format: format,
                    size: PixelSize(width: output.width, height: output.height), bytes: bytes)
            }
        }
        return nil
    }
}

extension OutputRecord {
    fileprivate var showsSource: Bool { !isPlaceholder }
}

extension ItemRecord {
    fileprivate var format: ImageFormat? {
        ImageFormat.allCases.first { $0.name == src?.header?.format }
    }
}
