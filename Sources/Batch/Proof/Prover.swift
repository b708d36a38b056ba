import Artwork
import Digest
import Engine
import Render
import System
import Targets
import Theming
import Transport

/// Makes the outputs of single items again.
struct Prover: Sendable {
    let context: RunContext
    let folder: FilePath
    let sources: [FilePath]
    let isOfOtherVersion: Bool

    /// Compares the files with their records, then the records with new drawings.
    func findings(about outputs: [OutputRecord], of record: ItemRecord) async -> [ProofFinding] {
        var verdicts = outputs.map { fault(of: $0).map { ProofVerdict.fileDiffers($0) } }
        if verdicts.contains(nil) {
            let made = await images(of: record)
            for (index, output) in outputs.enumerated() where verdicts[index] == nil {
                verdicts[index] = verdict(on: output, of: record, made)
            }
        }
        return zip(outputs, verdicts).map { output, verdict in
            ProofFinding(
                path: output.path, id: record.id, source: record.source,
                verdict: verdict ?? .equal)
        }
    }

    /// Returns how a file differs from the manifest; nil if it matches.
    private func fault(of output: OutputRecord) -> String? {
        guard let path = RelativePath(output.path) else {
            return "the path leads out of the folder"
        }
        guard let folder = place(of: output) else { return "its target folder is unknown" }
        do {
            let file = try OpenFile(folder.appending(FilePath(path.text)))
            guard file.size == output.bytes else {
                return "\(file.size) bytes instead of \(output.bytes)"
            }
            return try rethrowing(file.digest(), as: IntakeError.init(reading:)).hex
                == output.sha256 ? nil : "the SHA-256 differs"
        } catch {
            return "\(error)"
        }
    }

    /// Returns the folder that an output's path is relative to; nil if it is unknown.
    private func place(of output: OutputRecord) -> FilePath? {
        guard output.isElsewhere else { return folder }
        return (output.target.flatMap { TargetKind(rawValue: $0) }).flatMap {
            TargetFolders.folder(of: $0, beside: folder)
        }
    }

    private func verdict(
        on output: OutputRecord, of record: ItemRecord, _ made: Result<Made, Unmade>
    ) -> ProofVerdict {
        let isEqual: Bool
        switch made {
        case .failure(.gap(let gap)): return .unproved(gap)
        case .failure(.otherResult): isEqual = false
        case .success(let item):
            if output.isDark, let gap = item.darkGap { return .unproved(gap) }
            isEqual = item.images.contains { image in
                output.shows(image.variant) && image.bytes.count == output.bytes
                    && SHA256.hash(image.bytes.span).hex == output.sha256
            }
        }
        if isEqual { return .equal }
        if isOfOtherVersion { return .unproved(.version) }
        // The record has no digest of the placeholder file that a row names, so the file may have
        // changed.
        let ownFile = record.look[.placeholder].map { "file:\($0)" }
        return ownFile != nil && ownFile == record.placeholder
            ? .unproved(.placeholderFile) : .outputDiffers
    }

    private struct Made {
        let images: [RenderedImage]
        /// The reason why the source of the dark outputs is not available.
        let darkGap: ProofGap?
    }

    private enum Unmade: Error {
        case gap(ProofGap)
        /// The item has another result than the record, such as a placeholder.
        case otherResult
    }

    /// Draws an item from the sources of its record.
    private func images(of record: ItemRecord) async -> Result<Made, Unmade> {
        var source: ProofSource?
        var dark: ProofSource?
        if record.status == .ok {
            guard let digest = record.src?.sha256 else { return .failure(.gap(.sourceGone)) }
            source = proofSource([record.source] + record.alternatives, digest)
            dark = record.srcDark.map { proofSource(record.dark, $0.sha256) }
        }
        let (made, rendering) = await context.draw(item(record, source, dark))
        if made.status == .canceled { return .failure(.gap(.stopped)) }
        if let gap = source?.gap { return .failure(.gap(gap)) }
        if let failure = made.failure, source != nil {
            let isLimit = [.timeout, .limitDecode, .crashed].contains(failure.errorClass)
            return .failure(isLimit ? .gap(.limit) : .otherResult)
        }
        if made.placeholder != record.placeholder, record.placeholder?.hasPrefix("file:") == true {
            return .failure(.gap(.placeholderFile))
        }
        guard made.placeholder == record.placeholder, let rendering else {
            return .failure(.otherResult)
        }
        let isDarkOff = dark != nil && made.lint.contains { $0.kind == .noDarkTwin }
        return .success(
            Made(images: rendering.images, darkGap: dark?.gap ?? (isDarkOff ? .limit : nil)))
    }

    private func proofSource(_ texts: [String], _ digest: String) -> ProofSource {
        ProofSource(
            texts, digest: digest, in: sources, bytesLimit: context.settings.bytesLimit,
            context.network)
    }

    /// Returns the first source folder in which the placeholder file of a row exists.
    private func folder(of placeholder: String?) -> FilePath {
        let found = sources.first { folder in
            placeholder.map { (try? FileIntake.facts(of: folder.appending(FilePath($0)))) != nil }
                ?? false
        }
        return found ?? sources.first ?? FilePath("")
    }

    /// Returns the item of a record. An item without a source shows its placeholder again.
    private func item(
        _ record: ItemRecord, _ source: ProofSource?, _ dark: ProofSource?
    ) -> BatchItem {
        var row = ListRow(line: 0, offset: 0)
        row.id = record.id
        row.label = record.accessibility.label
        row.hint = record.accessibility.hint
        row.value = record.accessibility.value
        row.look = record.look
        // If the run showed no file, it may have refused the file that the row names.
        if record.placeholder?.hasPrefix("file:") != true,
            BatchItem(index: 0, row: row).placeholderPath(remoteOnly: false) != nil
        {
            row.look[.placeholder] = nil
        }
        var item = BatchItem(
            index: record.index, row: row, in: folder(of: row.look[.placeholder]),
            picture: source.map { .held(by: $0) })
        item.name = record.name
        item.dark = dark.map { twin in
            [
                BatchItem(
                    index: record.index, row: ListRow(line: 0, offset: 0),
                    picture: .held(by: twin))
            ]
        }
        // A row that cannot be used is drawn with the options of the run.
        if record.failure?.errorClass == .badRow {
            item.settledRecipe = context.settings.recipe
        }
        return item
    }
}
