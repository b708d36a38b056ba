import Artwork
import Codecs
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
                id: id, layout: variant.layout.rawValue, scale: variant.scale,
                height: recipe.style(for: variant, in: settings.theme).height,
                fileExtension: recipe.output.format(for: nil).fileExtension,
                scheme: variant.scheme.rawValue, source: source)?.text
        }
    }

    /// The local file that the item is made of, if it is one.
    package func filePath(remoteOnly: Bool) -> FilePath? {
        do throws(IntakeError) {
            guard case .file(let path) = try reference(remoteOnly: remoteOnly).kind else {
                return nil
            }
            return path
        } catch {
            return nil
        }
    }
}
