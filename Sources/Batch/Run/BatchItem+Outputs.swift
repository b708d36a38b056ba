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
    package func plannedNames(in settings: RunSettings, _ spots: [TargetSpot]) -> [String] {
        let recipe = recipeOrUsual(in: settings)
        return names(of: recipe, in: settings, spots) { recipe.format(of: $0, source: nil) }
    }

    /// The same with every extension that `--format same` may come to.
    package func possibleNames(in settings: RunSettings, _ spots: [TargetSpot]) -> [String] {
        guard settings.recipe.output == .same else { return plannedNames(in: settings, spots) }
        let recipe = recipeOrUsual(in: settings)
        return OutputFormat.allCases.flatMap { format in
            names(of: recipe, in: settings, spots) { $0.format ?? format }
        }
    }

    /// A row that cannot be used gets the placeholder in what the run makes.
    private func recipeOrUsual(in settings: RunSettings) -> Recipe {
        do throws(ItemFailure) { return try recipe(in: settings) } catch { return settings.recipe }
    }

    private func names(
        of recipe: Recipe, in settings: RunSettings, _ spots: [TargetSpot],
        format: (Variant) -> OutputFormat
    ) -> [String] {
        spots.flatMap { spot in
            let variants = recipe.variants.filter { spot.holds($0) }
            let shape = ItemShape(variants, hasOneLayout: settings.layouts.count == 1)
            return variants.compactMap { variant in
                spot.name(
                    of: TargetPicture(
                        item: self, variant: variant,
                        height: recipe.style(for: variant, in: settings.theme).height,
                        fileExtension: format(variant).fileExtension,
                        digest: nil, isOnlyLayout: shape.isOneLayout,
                        isOnlyPicture: shape.isOnePicture))
            }
        }
    }

    /// Why its row cannot be used; nil where it can.
    package func fault(in settings: RunSettings) -> String? {
        do throws(ItemFailure) {
            _ = try recipe(in: settings)
            return nil
        } catch {
            return error.message
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
