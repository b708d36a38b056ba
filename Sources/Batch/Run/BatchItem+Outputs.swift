import Artwork
import Codecs
import Engine
import Render
import Theming
import Transport

extension BatchItem {
    /// The paths that the item's outputs will have, as far as the list alone tells: with
    /// `--format same` the extension is known only once the source was read.
    package func plannedNames(in settings: RunSettings, _ template: NameTemplate) -> [String] {
        let recipe: Recipe
        do throws(ItemFailure) {
            recipe = try self.recipe(in: settings)
        } catch {
            return []
        }
        return recipe.variants.compactMap { variant in
            template.path(
                id: id, layout: variant.layout.name, scale: variant.scale,
                height: recipe.style(for: variant, in: settings.theme).height,
                fileExtension: recipe.output.format(for: nil).fileExtension,
                scheme: variant.scheme.rawValue, source: source)?.text
        }
    }

    /// The local files that the item may be made of: its source, its alternatives, and what its
    /// row names as placeholder.
    package func filePaths(remoteOnly: Bool) -> [FilePath] {
        // A source that cannot be used is no file either.
        let references =
            [knownReference(remoteOnly: remoteOnly)]
            + alternativeReferences(remoteOnly: remoteOnly)
        let files = references.compactMap { reference -> FilePath? in
            guard case .file(let path) = reference?.kind else { return nil }
            return path
        }
        return files + [placeholderPath(remoteOnly: remoteOnly)].compactMap { $0 }
    }
}
