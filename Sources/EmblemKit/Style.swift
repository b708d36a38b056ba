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
public typealias Style<Settings> = @Sendable (inout Settings) -> Void

infix operator <> : AdditionPrecedence

/// Combines two styles. The second overrides the first where both set the same property.
public func <> <Settings>(
    first: @escaping Style<Settings>, second: @escaping Style<Settings>
) -> Style<Settings> {
    { settings in
        first(&settings)
        second(&settings)
    }
}
