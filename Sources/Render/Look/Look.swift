import Artwork
import Notation

/// A named set of options for one kind of picture. Single options override it.
package struct Look: Sendable {
    package let name: String
    package let summary: String
    /// The options of the look, as they are typed.
    package let options: [(name: String, text: String)]

    package init(_ name: String, _ summary: String, options: [(name: String, text: String)] = []) {
        self.name = name
        self.summary = summary
        self.options = options
    }

    package static let plain = Look(
        "plain", "Images as large as possible, on the background of the appearance.")

    package static let logos = Look(
        "logos",
        "Logos with equal visual weight, away from the round outline. Logos with their own "
            + "background fill the emblem; others get a background with contrast.",
        options: [
            ("padding", "round"), ("trim", "transparent"), ("balance", "optical"),
            ("background", "shown"), ("enlarge", "sharp"),
        ])

    package static let photos = Look(
        "photos", "Photographs, cropped to fill the emblem.",
        options: [("mode", "fill")])

    package static let icons = Look(
        "icons", "One-colour icons, in the foreground colour and at half the height.",
        options: [("padding", "25%"), ("trim", "transparent"), ("tint", "always")])

    /// The built-in looks, in the order of the help.
    package static let builtIn = [plain, logos, photos, icons]

    package static let nameLimit = 40

    /// Returns whether a look can have the name: 1 to 40 characters of a-z, 0-9 and -.
    package static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...nameLimit).contains(bytes.count)
            && bytes.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }

    /// Returns this look with other options, which replace options of the same name.
    package func extended(
        _ name: String, _ summary: String, by others: [(name: String, text: String)]
    ) -> Look {
        let kept = options.filter { option in !others.contains { $0.name == option.name } }
        return Look(name, summary, options: kept + others)
    }
}

extension Recipe {
    /// Sets the name and every option of the look. The options for width and corners are skipped
    /// for a circle, which has neither.
    package mutating func apply(_ look: Look) {
        self.look = look.name
        for (name, text) in look.options {
            guard let option = LookOption.all.first(where: { $0.name == name }),
                case .value(let edit)? = try? option.read(text)
            else { preconditionFailure("The look \(look.name) has no option \(name).") }
            if component.isCircle, option.isOfBoxes { continue }
            edit(&self)
        }
    }
}

extension LookOption {
    /// Whether the option sets the width or corners, which a circle does not have.
    fileprivate var isOfBoxes: Bool { path == \Recipe.width || path == \Recipe.corner }

    /// The options that a look may set.
    package static let ofLooks: [LookOption] = {
        let paths: [PartialKeyPath<Recipe>] = [
            \.mode, \.gravity, \.appearance, \.padding, \.width, \.corner, \.borderPoints, \.trim,
            \.balance,
            \.background, \.backgroundFrom, \.tint, \.upscale, \.enlarge, \.linear,
        ]
        return paths.map { LookOption.of($0) }
    }()
}

extension LookForm<String> {
    /// The name of a look. A worker receives only the name here; the options are sent as values.
    static var look: LookForm {
        LookForm(
            kind: .choice(Look.builtIn.map(\.name)), text: { $0 },
            read: { text throws(LookFault) in
                guard Look.isName(text) else { throw .meaningless }
                return .value(text)
            },
            put: { wire, name in wire.put(Array(name.utf8)) },
            take: { wire throws(WireDamage) in
                let name = try wire.text(limit: Look.nameLimit)
                guard Look.isName(name) else { throw WireDamage() }
                return name
            })
    }
}
