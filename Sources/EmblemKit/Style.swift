/// A change to the settings of a component.
///
/// Styles are plain functions, so they can be stored, named and combined:
///
/// ```swift
/// let roomy: Style<StateView.Settings> = { $0.padding = 40 }
/// let small: Style<StateView.Settings> = { $0.iconOrAnimationSize = .init(96) }
/// let view = StateView(
///     params: StateViewInitParams(
///         configuration: NoResultsStateViewConfiguration(), style: roomy <> small))
/// ```
///
/// On Apple platforms a style is applied to a view. Here it is applied to the settings of a
/// component before drawing.
public typealias Style<Target: Styled> = @Sendable (inout Target.StyleSettings) -> Void

/// A component or its settings, as the target of a ``Style``: `Style<StateView>` and
/// `Style<StateView.Settings>` are the same.
public protocol Styled {
    /// The settings that a style changes.
    associatedtype StyleSettings: Sendable = Self
}

extension StateView: Styled {
    public typealias StyleSettings = Settings
}

extension StateView.Settings: Styled {}
extension StateView.ButtonSettings: Styled {}
extension TextSettings: Styled {}
extension Badge: Styled {
    public typealias StyleSettings = Settings
}
extension Badge.Settings: Styled {}

infix operator <> : AdditionPrecedence

/// Combines two styles. The second overrides the first where both set the same property.
public func <> <Settings>(
    first: @escaping @Sendable (inout Settings) -> Void,
    second: @escaping @Sendable (inout Settings) -> Void
) -> @Sendable (inout Settings) -> Void {
    { settings in
        first(&settings)
        second(&settings)
    }
}
