import Raster
import Theming

/// What is made of a picture.
///
/// Everything by which components differ stands in their `Facts`; one that is added has a row there
/// and layouts of its own.
@dynamicMemberLookup
package enum Component: String, CaseIterable, Hashable, Sendable {
    case emblem, avatar

    package struct Facts: Sendable {
        /// The component with its article, for messages.
        package let phrase: String
        /// The layouts it is made in, in the order in which a manifest lists them.
        package let layouts: [ComponentLayout]
        /// How its pictures fill it where nothing is said.
        package let mode: ContentMode
        /// What stands in where nothing else can be shown.
        package let icon: BuiltInIcon
        /// Initials of the label stand in before the icon does, where nothing is said.
        package let prefersInitials: Bool
        /// It is as wide as high and has no corners, whatever is asked for.
        package let isCircle: Bool
    }

    private static let emblemFacts = Facts(
        phrase: "an emblem", layouts: EmblemLayout.allCases.map { .emblem($0) }, mode: .fit,
        icon: .accountBalance, prefersInitials: false, isCircle: false)

    private static let avatarFacts = Facts(
        phrase: "an avatar", layouts: AvatarLayout.allCases.map { .avatar($0) }, mode: .fill,
        icon: .person, prefersInitials: true, isCircle: true)

    private var facts: Facts {
        switch self {
        case .emblem: Self.emblemFacts
        case .avatar: Self.avatarFacts
        }
    }

    package subscript<Value>(dynamicMember fact: KeyPath<Facts, Value>) -> Value {
        facts[keyPath: fact]
    }

    /// The layout of this name; nil where the component has none.
    package func layout(named name: String) -> ComponentLayout? {
        facts.layouts.first { $0.name == name }
    }
}

/// A size in which one of the components is made.
package enum ComponentLayout: Hashable, Sendable {
    case emblem(EmblemLayout)
    case avatar(AvatarLayout)

    /// As people and folders call it.
    package var name: String {
        switch self {
        case .emblem(let layout): layout.rawValue
        case .avatar(let layout): layout.rawValue
        }
    }

    package var component: Component {
        switch self {
        case .emblem: .emblem
        case .avatar: .avatar
        }
    }
}

extension ComponentLayout: CaseIterable {
    package static let allCases = Component.allCases.flatMap { $0.layouts }
}

extension Theme {
    /// The height of a layout in points.
    package func height(of layout: ComponentLayout) -> Double {
        switch layout {
        case .emblem(let layout): height(of: layout)
        case .avatar(let layout): side(of: layout)
        }
    }
}
