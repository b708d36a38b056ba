import Raster
import Theming

/// The kind of result that is made of a picture.
///
/// All differences between components are in `Facts`; a new component needs its own value of
/// `Facts` and its own layouts.
@dynamicMemberLookup
package enum Component: String, CaseIterable, Hashable, Sendable {
    case emblem, avatar

    package struct Facts: Sendable {
        /// The component with its article, such as "an emblem", for messages.
        package let phrase: String
        /// The layouts, in the order in which a manifest lists them.
        package let layouts: [ComponentLayout]
        package let mode: ContentMode
        /// The icon used if no other content can be shown.
        package let icon: BuiltInIcon
        /// Whether, by default, the initials of the label are tried before the icon.
        package let prefersInitials: Bool
        /// Whether the shape is a circle, independent of width and corner options.
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

    package func layout(named name: String) -> ComponentLayout? {
        facts.layouts.first { $0.name == name }
    }
}

package enum ComponentLayout: Hashable, Sendable {
    case emblem(EmblemLayout)
    case avatar(AvatarLayout)
    /// A square of a height that the user chose, in points.
    case square(Component, points: Int)

    /// The possible heights of a square.
    package static let points = 8...1024

    /// The name in options and folder names.
    package var name: String {
        switch self {
        case .emblem(let layout): layout.rawValue
        case .avatar(let layout): layout.rawValue
        case .square(_, let points): "\(points)"
        }
    }

    package var component: Component {
        switch self {
        case .emblem: .emblem
        case .avatar: .avatar
        case .square(let component, _): component
        }
    }
}

/// The cases are the layouts with a name; squares are not among them.
extension ComponentLayout: CaseIterable {
    package static let allCases = Component.allCases.flatMap { $0.layouts }
}

extension Theme {
    package func height(of layout: ComponentLayout) -> Double {
        switch layout {
        case .emblem(let layout): height(of: layout)
        case .avatar(let layout): side(of: layout)
        case .square(_, let points): Double(points)
        }
    }
}
