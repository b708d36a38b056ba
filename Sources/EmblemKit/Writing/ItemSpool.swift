import Artwork
import Batch
import Digest
import Engine
import FoundationEssentials
import Notation
import Render
import Theming
import Transport

/// The items of a batch as a list file in the output folder, so that they can be planned and read
/// again without staying in memory.
struct ItemSpool: ~Copyable {
    private static let name = RelativePath.own("items.ndjson")
    /// The approximate size of written blocks in bytes.
    private static let blockBytes = 1 << 16

    private let output: OutputFolder
    private let file: AppendFile
    private var json = JSONWriter()

    init(_ output: OutputFolder) throws(OutletError) {
        let file = try AppendFile(Self.name, in: output)
        try file.truncate(to: 0)
        self.file = file
        self.output = output
    }

    var path: String { output.display(Self.name) }

    mutating func append(_ item: EmblemItem) throws {
        let source = try text(of: item.source)
        json.object { json in
            json.member("source", source)
            if let id = item.id { json.member("id", id) }
            if let label = item.label { json.member("label", label) }
            if let appearance = item.appearance { json.member("appearance", appearance.rawValue) }
            if let badge = item.badge {
                json.member("badge", "\(badge.text):\(badge.appearance.rawValue)")
            }
        }
        json.endLine()
        if json.bytes.count > Self.blockBytes { try flush() }
    }

    mutating func flush() throws(OutletError) {
        try file.append(json.take().span)
    }

    /// Returns a source as list text. An image in memory is stored next to the list under the
    /// digest of its bytes, so that the next run finds it again.
    private func text(of source: ImageSource) throws -> String {
        switch source {
        case .remote(let url): return url?.absoluteString ?? ""
        case .local(let name):
            return name.hasPrefix("/") || name.hasPrefix(ImageSource.iconPrefix)
                ? name : "\(FileManager.default.currentDirectoryPath)/\(name)"
        case .captured(let image):
            if case .icon(let icon) = image.content {
                return ImageSource.iconPrefix + icon.rawValue
            }
            let bytes = try image.fileBytes()
            let place = "captured/\(SHA256.hash(bytes.span).prefixHex(32))"
            let name = RelativePath.own(place)
            if try !output.exists(name) { try output.write(bytes.span, to: name) }
            return place
        }
    }
}

extension EmblemBatch {
    /// Reads all items and assigns their names.
    func plan(_ settings: RunSettings, in output: OutputFolder) async throws -> BatchPlan {
        do {
            var spool = try ItemSpool(output)
            var sources = sources.makeAsyncIterator()
            while let next = try await sources.next(isolation: nil) {
                try Task.checkCancellation()
                try spool.append(next.emblemItem)
            }
            try spool.flush()
            return try BatchPlan(
                [.list(spool.path, format: .ndjson)],
                options: PlanOptions(
                    drawsLabels: settings.recipe.placeholder == .initials,
                    scratch: output.path))
        } catch let error as OutletError {
            throw EmblemError.failedToWrite("\(error)")
        } catch let error as PlanError {
            throw EmblemError.failedToWrite("\(error)")
        }
    }

    /// Loads the fallback image once, before the run.
    func placeholderChoice(
        _ loader: any AsyncEmblemImageLoader
    ) async throws -> PlaceholderChoice {
        // An avatar shows initials if its item has a label, otherwise the icon.
        if component == .avatar { return .initials }
        do {
            let image = try await placeholder.loadUnchecked(with: loader).image
            if case .icon(let icon) = image.content { return .icon(icon) }
            return .picture(name: "placeholder", bytes: try image.fileBytes())
        } catch {
            try Task.checkCancellation()
            return .icon(.accountBalance)
        }
    }
}
