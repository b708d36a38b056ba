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
        let recipe = recipeOrUsual(in: settings)
        return names(of: recipe, recipe.output.format(for: nil), in: settings, template)
    }

    /// The same with every extension that `--format same` may come to.
    package func possibleNames(in settings: RunSettings, _ template: NameTemplate) -> [String] {
        guard settings.recipe.output == .same else { return plannedNames(in: settings, template) }
        let recipe = recipeOrUsual(in: settings)
        return OutputFormat.allCases.flatMap { names(of: recipe, $0, in: settings, template) }
    }

    /// A row that cannot be used gets the placeholder in what the run makes.
    private func recipeOrUsual(in settings: RunSettings) -> Recipe {
        do throws(ItemFailure) { return try recipe(in: settings) } catch { return settings.recipe }
    }

    private func names(
        of recipe: Recipe, _ format: OutputFormat, in settings: RunSettings,
        _ template: NameTemplate
    ) -> [String] {
        recipe.variants.compactMap { variant in
            template.path(
                name: name, layout: variant.layout.name, scale: variant.scale,
                height: recipe.style(for: variant, in: settings.theme).height,
                fileExtension: format.fileExtension, scheme: variant.scheme.rawValue,
                source: plainSource)?.text
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
