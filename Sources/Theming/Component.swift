/// What is made of a picture.
package enum Component: String, CaseIterable, Hashable, Sendable {
    case emblem, avatar

    /// The layouts it is made in, in the order in which a manifest lists them.
    package var layouts: [ComponentLayout] {
        switch self {
        case .emblem: EmblemLayout.allCases.map { .emblem($0) }
        case .avatar: AvatarLayout.allCases.map { .avatar($0) }
        }
    }

    /// The layout of this name; nil where the component has none.
    package func layout(named name: String) -> ComponentLayout? {
        layouts.first { $0.name == name }
    }

    /// The component with its article, for messages.
    package var phrase: String {
        switch self {
        case .emblem: "an emblem"
        case .avatar: "an avatar"
        }
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
    package static let allCases = Component.allCases.flatMap(\.layouts)
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
