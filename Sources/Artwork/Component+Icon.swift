import Theming

extension Component {
    /// What stands in where nothing else can be shown.
    package var icon: BuiltInIcon {
        switch self {
        case .emblem: .accountBalance
        case .avatar: .person
        }
    }
}
