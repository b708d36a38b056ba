import Artwork
import Codecs
import Engine
import Render
import Targets
import Theming
import Transport

extension BatchItem {
    /// Returns the paths of the item's outputs, as far as the list determines them. With `--format
    /// same`, the extension depends on the source, and some names depend on the drawn picture.
    package func plannedNames(in settings: RunSettings, _ spots: [TargetSpot]) -> [String] {
        let recipe = recipeOrDefault(in: settings)
        return names(of: recipe, in: settings, spots) { recipe.format(of: $0, source: nil) }
    }

    /// Returns the planned paths with every possible extension of `--format same`.
    package func possibleNames(in settings: RunSettings, _ spots: [TargetSpot]) -> [String] {
        let recipe = recipeOrDefault(in: settings)
        let formats =
            recipe.output == .same ? OutputFormat.allCases : [recipe.output.format(for: nil)]
        return formats.flatMap { format in
            names(of: recipe, in: settings, spots) { $0.format ?? format }
        }
    }

    /// Returns the recipe of the row. For an unusable row, returns the recipe of the run, which
    /// draws the placeholder of the row.
    func recipeOrDefault(in settings: RunSettings) -> Recipe {
        (try? recipe(in: settings)) ?? settings.recipe
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

    /// Returns why the row cannot be used; nil if it can.
    package func fault(in settings: RunSettings) -> String? {
        do throws(ItemFailure) {
            _ = try recipe(in: settings)
            return nil
        } catch {
            return error.message
        }
    }

    /// Returns the local files that the item may read: its source, its alternatives, the
    /// placeholder of its row, and the source of its dark outputs.
    package func filePaths(remoteOnly: Bool) -> [FilePath] {
        // An unusable source is not a file.
        let references =
            [knownReference(remoteOnly: remoteOnly)]
            + alternativeReferences(remoteOnly: remoteOnly)
        let files = references.compactMap { reference -> FilePath? in
            guard case .file(let path) = reference?.kind else { return nil }
            return path
        }
        return files + [placeholderPath(remoteOnly: remoteOnly)].compactMap { $0 }
            + (dark ?? []).flatMap { $0.filePaths(remoteOnly: remoteOnly) }
    }
}
