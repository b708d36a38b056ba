import Notation

/// A named set of options for one kind of picture. Single options override it.
package enum Look: String, CaseIterable, Hashable, Sendable {
    case plain, logos, photos, icons

    /// The options of the look as they are typed.
    package var options: [(name: String, text: String)] {
        switch self {
        case .plain: []
        case .logos:
            [
                ("padding", "round"), ("trim", "transparent"), ("balance", "optical"),
                ("background", "shown"), ("enlarge", "sharp"),
            ]
        case .photos: [("mode", "fill")]
        case .icons: [("padding", "25%"), ("trim", "transparent"), ("tint", "always")]
        }
    }

    /// One sentence about the pictures that the look is for.
    package var summary: String {
        switch self {
        case .plain: "Pictures as large as fits, on the background of the appearance."
        case .logos:
            "Logos of any kind: marks and names keep a distance from the round outline, a "
                + "picture with a ground of its own fills the emblem, and the rest stand on the "
                + "background on which most of them shows."
        case .photos: "Photographs, which fill the emblem and are cropped to their centre."
        case .icons: "Pictograms of one colour, drawn in the foreground colour at half the height."
        }
    }
}

extension Recipe {
    /// Sets the name of a look and every option of the look.
    package mutating func wear(_ look: Look) {
        self.look = look
        for (name, text) in look.options {
            guard let option = LookOption.all.first(where: { $0.name == name }),
                case .value(let edit)? = try? option.read(text)
            else { preconditionFailure("The look \(look.rawValue) has no option \(name).") }
            edit(&self)
        }
    }
}
