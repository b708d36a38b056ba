/// A namespace with the prefix that users of some design systems know: `BB.Avatar` is
/// ``EmblemKit/Avatar``. It also distinguishes ``EmblemKit/Image`` from a type named `Image` in
/// another module.
public enum BB {
    public typealias AsyncEmblem = EmblemKit.AsyncEmblem
    public typealias AsyncEmblemImageLoader = EmblemKit.AsyncEmblemImageLoader
    public typealias AsyncImage = EmblemKit.AsyncImage
    public typealias AsyncImageContent = EmblemKit.AsyncImageContent
    public typealias AsyncImagePhase = EmblemKit.AsyncImagePhase
    public typealias Avatar = EmblemKit.Avatar
    public typealias Badge = EmblemKit.Badge
    public typealias ButtonConfiguration = EmblemKit.ButtonConfiguration
    public typealias CachePolicy = EmblemKit.CachePolicy
    public typealias ContentMode = EmblemKit.ContentMode
    public typealias DesignSystem = EmblemKit.DesignSystem
    public typealias Emblem = EmblemKit.Emblem
    public typealias GenericStateViewConfiguration =
        EmblemKit.GenericStateViewConfiguration
    public typealias Image = EmblemKit.Image
    public typealias ImageLoader = EmblemKit.ImageLoader
    public typealias ImageSource = EmblemKit.ImageSource
    public typealias LoadingFailureStateViewConfiguration =
        EmblemKit.LoadingFailureStateViewConfiguration
    public typealias NoConnectionStateViewConfiguration =
        EmblemKit.NoConnectionStateViewConfiguration
    public typealias NoInternetConnectionStateViewConfiguration =
        EmblemKit.NoInternetConnectionStateViewConfiguration
    public typealias NoResultsStateViewConfiguration = EmblemKit.NoResultsStateViewConfiguration
    public typealias Shimmer = EmblemKit.Shimmer
    public typealias StateView = EmblemKit.StateView
    public typealias StateViewConfiguration = EmblemKit.StateViewConfiguration
    public typealias StateViewInitParams = EmblemKit.StateViewInitParams
    public typealias Style = EmblemKit.Style
    public typealias Theme = EmblemKit.Theme
}
