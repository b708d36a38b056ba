/// A namespace with the prefix that users of some design systems know: `BB.Avatar` is
/// ``EmblemKit/Avatar``. It also distinguishes ``EmblemKit/Image`` from a type named `Image` in
/// another module.
public enum BB {
    public typealias Accessibility = EmblemKit.Accessibility
    public typealias AsyncEmblem = EmblemKit.AsyncEmblem
    public typealias AsyncEmblemImageLoader = EmblemKit.AsyncEmblemImageLoader
    public typealias AsyncImage = EmblemKit.AsyncImage
    public typealias AsyncImageContent = EmblemKit.AsyncImageContent
    public typealias AsyncImagePhase = EmblemKit.AsyncImagePhase
    public typealias Avatar = EmblemKit.Avatar
    public typealias AvatarBatch = EmblemKit.AvatarBatch
    public typealias AvatarOutcome = EmblemKit.AvatarOutcome
    public typealias Badge = EmblemKit.Badge
    public typealias ButtonConfiguration = EmblemKit.ButtonConfiguration
    public typealias CachePolicy = EmblemKit.CachePolicy
    public typealias CachingImageLoader = EmblemKit.CachingImageLoader
    public typealias ColorScheme = EmblemKit.ColorScheme
    public typealias ContentMode = EmblemKit.ContentMode
    public typealias DesignSystem = EmblemKit.DesignSystem
    public typealias EdgeInsets = EmblemKit.EdgeInsets
    public typealias Emblem = EmblemKit.Emblem
    public typealias EmblemBatch = EmblemKit.EmblemBatch
    public typealias EmblemError = EmblemKit.EmblemError
    public typealias EmblemImageRequest = EmblemKit.EmblemImageRequest
    public typealias EmblemItem = EmblemKit.EmblemItem
    public typealias EmblemOutcome = EmblemKit.EmblemOutcome
    public typealias GenericStateViewConfiguration =
        EmblemKit.GenericStateViewConfiguration
    public typealias HorizontalSpacers = EmblemKit.HorizontalSpacers
    public typealias Image = EmblemKit.Image
    public typealias ImageLoader = EmblemKit.ImageLoader
    public typealias ImageSource = EmblemKit.ImageSource
    public typealias LoadingFailureStateViewConfiguration =
        EmblemKit.LoadingFailureStateViewConfiguration
    public typealias NetworkImageLoader = EmblemKit.NetworkImageLoader
    public typealias NoConnectionStateViewConfiguration =
        EmblemKit.NoConnectionStateViewConfiguration
    public typealias NoInternetConnectionStateViewConfiguration =
        EmblemKit.NoInternetConnectionStateViewConfiguration
    public typealias NoResultsStateViewConfiguration = EmblemKit.NoResultsStateViewConfiguration
    public typealias RenderedAvatar = EmblemKit.RenderedAvatar
    public typealias RenderedEmblem = EmblemKit.RenderedEmblem
    public typealias Shimmer = EmblemKit.Shimmer
    public typealias StateView = EmblemKit.StateView
    public typealias StateViewConfiguration = EmblemKit.StateViewConfiguration
    public typealias StateViewInitParams = EmblemKit.StateViewInitParams
    public typealias Style = EmblemKit.Style
    public typealias TextBundle = EmblemKit.TextBundle
    public typealias TextSettings = EmblemKit.TextSettings
    public typealias TextSize = EmblemKit.TextSize
    public typealias Theme = EmblemKit.Theme
    public typealias ThemeColor = EmblemKit.ThemeColor
    public typealias ThemeColors = EmblemKit.ThemeColors
}
