/// A named set of options for one kind of picture. Single options override it.
package enum Look: String, CaseIterable, Hashable, Sendable {
    case plain, logos, photos, icons

    /// The look of emblems without another one.
    package static let usual = Look.logos

    package var summary: String {
        switch self {
        case .plain: "Images as large as possible, on the background of the appearance."
        case .logos:
            "Logos with equal visual weight, 8% of the height away from the round outline. Logos "
                + "with their own background fill the emblem; others get a background with "
                + "contrast. Small images are enlarged with sharp edges."
        case .photos: "Photographs, cropped to fill the emblem."
        case .icons: "One-colour icons, in the foreground colour and at half the height."
        }
    }

    /// The options of the look, as they are typed. An option that the user gives overrides them.
    package var options: [(name: String, text: String)] {
        switch self {
        case .plain: []
        case .logos: [("trim", "transparent"), ("background", "auto")]
        case .photos: [("mode", "fill")]
        case .icons: [("padding", "25%"), ("trim", "transparent"), ("tint", "always")]
        }
    }

    /// The names of all options that the look sets.
    package var optionNames: [String] {
        options.map(\.name) + (self == .logos ? ["padding"] : [])
    }
}

extension Recipe {
    /// Sets the look and every option of it.
    package mutating func apply(_ look: Look) {
        self.look = look
        if look == .logos { padding = .round }
        for (name, text) in look.options {
            guard let option = Recipe.options.first(where: { $0.name == name }),
                let edit = option.edit(text)
            else { preconditionFailure("The look \(look) has no option \(name).") }
            edit(&self)
        }
    }
}
