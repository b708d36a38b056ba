import Raster
import Theming

/// Returns the built-in theme with `json` layered over it.
func layered(_ json: String) throws -> Theme {
    try Theme.builtIn.layering(Array(json.utf8), name: "my.json").theme
}

func warnings(_ json: String) throws -> [String] {
    try Theme.builtIn.layering(Array(json.utf8), name: "my.json").warnings.map(\.description)
}

/// Returns the error of a refused theme as text.
func refusal(_ json: String) -> String? {
    do throws(ThemeError) {
        _ = try Theme.builtIn.layering(Array(json.utf8), name: "my.json")
        return nil
    } catch {
        return error.description
    }
}

extension Theme {
    /// Returns the background of the brand appearance, which most tests change.
    func brand(_ scheme: ColorScheme = .light) -> String {
        emblemColors(.brand, scheme).background.hex
    }
}
