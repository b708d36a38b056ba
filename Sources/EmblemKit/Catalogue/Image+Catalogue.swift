import FoundationEssentials
import Transport

/// The name of ``Image`` in UIKit.
public typealias UIImage = Image

extension Image {
    /// Creates an image from a name: a built-in icon, the path of a file, or a file next to the
    /// program. Corresponds to SwiftUI's `Image(_:)` and an asset catalogue.
    ///
    /// A name without a folder and extension, such as `Avatar`, also finds `Avatar.svg`,
    /// `Avatar.png` and other formats in the folder of the program and in its resource bundles.
    /// The file is read at once. If there is none, drawing the image fails with
    /// ``EmblemError/failedToLoad(_:)``, so that a component shows its placeholder. Do not pass
    /// names from requests: a name can be any path.
    public init(_ name: String) {
        do throws(EmblemError) {
            self = try Self.find(name)
        } catch {
            self.init(missing: error)
        }
    }

    /// Creates a copy of an image. `UIImage` is another name of this type.
    public init(uiImage: UIImage) {
        self = uiImage
    }

    /// Creates an image like ``init(_:)``; `nil` if there is no such icon or file.
    public init?(named name: String) {
        guard let image = try? Self.find(name) else { return nil }
        self = image
    }

    /// Creates an image of the built-in icon that corresponds to a name of Apple's symbols, such as
    /// `photo` or `star.fill`.
    ///
    /// The icons have no filled variants, so that `photo` and `photo.fill` are the same. Drawing an
    /// image for another name fails with ``EmblemError/failedToLoad(_:)``.
    public init(systemName: String) {
        if let icon = Emblem.Icon(systemName: systemName) {
            self.init(icon: icon)
        } else {
            self.init(missing: .notFound("no built-in icon corresponds to \(systemName)"))
        }
    }

    /// Returns the image of a name as ``init(_:)`` looks it up.
    static func find(_ name: String) throws(EmblemError) -> Image {
        let failure: EmblemError
        do throws(EmblemError) { return try ImageSource.named(name) } catch { failure = error }
        let endings = ["svg", "png", "webp", "jpg", "jpeg", "avif", "heic", "gif"]
        let names = [name] + endings.map { "\(name).\($0)" }
        guard let file = ProgramFolder.file(named: names) else {
            // The assets of the program come before those of the library.
            if let icon = Emblem.Icon(assetName: name) { return Image(icon: icon) }
            throw failure.errorClass == "not_found"
                ? .notFound("no icon, file or resource has the name \(name)") : failure
        }
        return try ImageSource.named(file.path)
    }
}

extension Emblem.Icon {
    /// Creates the icon that corresponds to a name of Apple's symbols; `nil` if there is none.
    public init?(systemName: String) {
        let plain = systemName.split(separator: ".").filter { $0 != "fill" }.joined(separator: ".")
        switch plain {
        case "building.columns": self = .accountBalance
        case "photo": self = .photo
        case "person", "person.circle", "person.crop.circle": self = .person
        case "building", "building.2": self = .building
        case "creditcard": self = .card
        case "wallet.bifold", "wallet.pass": self = .wallet
        case "chart.bar": self = .chart
        case "globe": self = .globe
        case "lock": self = .lock
        case "exclamationmark.triangle": self = .warning
        case "checkmark.circle": self = .check
        case "wifi.slash": self = .wifiOff
        case "star": self = .star
        default: return nil
        }
    }
}

extension Emblem.Icon {
    /// Creates the icon with a name from ``DesignSystem/Assets``, such as `icStateViewNoResults`;
    /// `nil` for other names.
    public init?(assetName: String) {
        switch assetName {
        case "icAccountBalance": self = .accountBalance
        case "icStateViewSuccess": self = .check
        case "icStateViewLoadingFailed", "icStateViewLoadingFailure": self = .warning
        case "icStateViewNoConnection", "icStateViewNoInternetConnection": self = .wifiOff
        case "icStateViewNoResults": self = .searchOff
        default: return nil
        }
    }
}

extension AsyncEmblem {
    /// Creates an emblem whose image is at `url` and whose placeholder is an image in memory.
    public init(
        url: URL?, placeholder: Image, appearance: Emblem.Appearance = .brand,
        layout: Emblem.Layout = .medium, contentMode: ContentMode = .fit, theme: Theme? = nil
    ) {
        self.init(
            url: url, placeholder: .captured(image: placeholder), appearance: appearance,
            layout: layout, contentMode: contentMode, theme: theme)
    }

    /// Creates an emblem from any kind of source, whose placeholder is an image in memory.
    public init(
        source: ImageSource, placeholder: Image, appearance: Emblem.Appearance = .brand,
        layout: Emblem.Layout = .medium, contentMode: ContentMode = .fit, theme: Theme? = nil
    ) {
        self.init(
            source: source, placeholder: .captured(image: placeholder), appearance: appearance,
            layout: layout, contentMode: contentMode, theme: theme)
    }
}

extension DesignSystem {
    /// The icons of the library under the names that a catalogue's users know.
    public enum Assets {
        /// The icon of a bank: ``BuiltInIcon/accountBalance``.
        public static let icAccountBalance = Image(icon: .accountBalance)
        /// The icon of a success: ``BuiltInIcon/check``, as the name that a state view expects.
        public static let icStateViewSuccess = Emblem.Icon.check.rawValue
        /// The icon of a page that failed to load: ``BuiltInIcon/warning``.
        public static let icStateViewLoadingFailed = Emblem.Icon.warning.rawValue
        /// The icon of ``icStateViewLoadingFailed`` under another name.
        public static let icStateViewLoadingFailure = icStateViewLoadingFailed
        /// The icon of a missing connection: ``BuiltInIcon/wifiOff``.
        public static let icStateViewNoConnection = Emblem.Icon.wifiOff.rawValue
        /// The icon of ``icStateViewNoConnection`` under another name.
        public static let icStateViewNoInternetConnection = icStateViewNoConnection
        /// The icon of a search without results: ``BuiltInIcon/searchOff``.
        public static let icStateViewNoResults = Emblem.Icon.searchOff.rawValue
    }
}
