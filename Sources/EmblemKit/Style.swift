/// A change to the settings of a component.
///
/// Styles are plain functions, so that they can be kept, named and joined:
///
/// ```swift
/// let roomy: Style<StateView.Settings> = { $0.padding = 40 }
/// let small: Style<StateView.Settings> = { $0.iconOrAnimationSize = .init(96) }
/// let view = StateView(
///     params: StateViewInitParams(
///         configuration: NoResultsStateViewConfiguration(), style: roomy <> small))
/// ```
///
/// On Apple's systems a style is applied to a view; here it is applied to the settings with which
/// one is drawn.
public typealias Style<Settings> = @Sendable (inout Settings) -> Void

infix operator <> : AdditionPrecedence

/// Both styles, one after the other: where they set the same, the second holds.
public func <> <Settings>(
    first: @escaping Style<Settings>, second: @escaping Style<Settings>
) -> Style<Settings> {
    { settings in
        first(&settings)
        second(&settings)
    }
}
