import Raster
import Theming

/// The built-in theme with `json` over it.
func layered(_ json: String) throws -> Theme {
    try Theme.builtIn.layering(Array(json.utf8), name: "my.json").theme
}

/// What is warned of, as text.
func warnings(_ json: String) throws -> [String] {
    try Theme.builtIn.layering(Array(json.utf8), name: "my.json").warnings.map(\.description)
}

/// Why a theme is refused, as text.
func refusal(_ json: String) -> String? {
    do throws(ThemeError) {
        _ = try Theme.builtIn.layering(Array(json.utf8), name: "my.json")
        return nil
    } catch {
        return error.description
    }
}

extension Theme {
    /// The background of the brand appearance, which most tests change.
    func brand(_ scheme: ColorScheme = .light) -> String {
        emblemColors(.brand, scheme).background.hex
    }
}
