import Artwork
import Codecs
import Engine
import Render
import Targets
import Theming
import Transport

extension BatchItem {
    /// The paths that the item's outputs will have, as far as the list alone tells: with
    /// `--format same` the extension is known only once the source was read, and a part of the name
    /// that depends on the picture only once that was drawn.
    package func plannedNames(
        in settings: RunSettings, _ spots: [TargetSpot]
    ) -> [String] {
        let recipe: Recipe
        do throws(ItemFailure) {
            recipe = try self.recipe(in: settings)
        } catch {
            return []
        }
        return spots.flatMap { spot in
            let variants = recipe.variants.filter { spot.holds($0) }
            let shape = ItemShape(variants, hasOneLayout: settings.layouts.count == 1)
            return variants.compactMap { variant in
                spot.name(
                    of: TargetPicture(
                        item: self, variant: variant,
                        height: recipe.style(for: variant, in: settings.theme).height,
                        fileExtension: recipe.format(of: variant, source: nil).fileExtension,
                        digest: nil, isOnlyLayout: shape.isOneLayout,
                        isOnlyPicture: shape.isOnePicture))
            }
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
