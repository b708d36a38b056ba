import Artwork
import Batch
import Digest
import Engine
import FoundationEssentials
import Transport

/// The items of a batch that is being written, as rows of a list.
///
/// Images in memory are stored below the output folder until they are drawn, and stay there so that
/// the next run finds them again.
actor WrittenRows<Sources: AsyncSequence & Sendable>
where Sources.Element: EmblemItemConvertible {
    /// The folder in which relative paths of rows start.
    nonisolated let folder: FilePath
    private let feed: SourceFeed<Sources>
    private let output: OutputFolder
    private let badgeCorner: Badge.Corner
    /// The images of this run, by the first digits of their names.
    private var images: Set<UInt64> = []
    /// The error of an image that cannot be stored.
    private var fault: (any Error)?

    init(_ sources: Sources, in output: OutputFolder, badgeCorner: Badge.Corner) {
        feed = SourceFeed(sources)
        self.output = output
        self.badgeCorner = badgeCorner
        folder = output.path.appending(FilePath(OutputFolder.ownName))
    }

    /// The error that ended the rows.
    var failure: (any Error)? {
        get async {
            if let fault { return fault }
            return await feed.failure
        }
    }

    /// Waits for the next item; nil at the end.
    func next() async -> BatchRun.Arrival? {
        guard let (index, item) = await feed.next() else {
            return await feed.failure == nil ? nil : .failed
        }
        do {
            return .row(try await row(of: item, at: index))
        } catch {
            fault = error
            return .failed
        }
    }

    /// Removes the stored images that no item of the run has.
    func removeUnusedImages() throws(OutletError) {
        let path = folder.appending(FilePath(ImageSource.storedPrefix)).description
        // Without the folder, no image was stored.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.utf8.count == ImageSource.storedDigits {
            guard let mark = Self.mark(of: name), !images.contains(mark) else { continue }
            try output.remove(.own(ImageSource.storedPrefix + name))
        }
    }

    private static func mark(of name: some StringProtocol) -> UInt64? {
        UInt64(name.prefix(16), radix: 16)
    }

    /// Returns the row of an item. An empty text counts as missing, as in a list.
    private func row(of item: EmblemItem, at index: Int) async throws -> ListRow {
        var row = ListRow(line: index + 1, offset: 0)
        let text = { (text: String?) in text?.isEmpty == true ? nil : text }
        let source = try await item.source.listed(in: output)
        if source.hasPrefix(ImageSource.storedPrefix),
            let mark = Self.mark(of: source.dropFirst(ImageSource.storedPrefix.count))
        {
            images.insert(mark)
        }
        row.source = text(source)
        row.id = text(item.id)
        row.label = text(item.label)
        row.hint = text(item.hint)
        row.value = text(item.value)
        row.look[.appearance] = item.appearance?.rawValue
        row.look[.badge] = item.badge?.mark(badgeCorner)?.argument
        // The path of a file may begin or end with a blank.
        if case .local = item.source { row.isVerbatim = true }
        return row
    }
}

extension ImageSource {
    /// The folder of stored images below `.emblem`.
    fileprivate static let storedPrefix = "captured/"
    /// The length of the name of a stored image.
    fileprivate static let storedDigits = 32

    /// The source as the text of a list. An image in memory is stored in the output folder under the
    /// digest of its bytes.
    fileprivate func listed(in output: OutputFolder) async throws -> String {
        switch self {
        case .remote(let url):
            let text = url?.absoluteString ?? ""
            // Without a scheme, a list would read the text as the path of a local file.
            return text.isEmpty || SourceReference.scheme(of: text) != nil
                ? text : "relative:" + text
        case .local(let name):
            return name.hasPrefix("/") || name.hasPrefix(Self.iconPrefix)
                ? name : "\(FileManager.default.currentDirectoryPath)/\(name)"
        case .captured(let image):
            if case .icon(let icon) = image.content { return Self.iconPrefix + icon.rawValue }
            if case .missing = image.content { return "" }
            let bytes = try await image.fileBytes()
            let place =
                Self.storedPrefix + SHA256.hash(bytes.span).prefixHex(Self.storedDigits)
            let name = RelativePath.own(place)
            try EmblemError.writing { () throws(OutletError) in
                if try !output.exists(name) { try output.write(bytes.span, to: name) }
            }
            return place
        }
    }
}
