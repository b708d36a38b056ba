/// The fonts that text may be drawn with. Which they are is part of what the tool draws, so they
/// are named one by one and found nowhere else.
extension FontFile {
    /// Every font, the first choice first.
    package static let all = usual + wide

    /// Latin, Greek, Cyrillic, Hebrew, signs: most texts need no other, and they are quickly read.
    static let usual: [FontFile] =
        ["Regular", "Medium", "SemiBold", "Bold", "Italic"].map {
            FontFile(
                listed: "/usr/share/fonts/opentype/inter/Inter-\($0).otf", package: "fonts-inter")
        }
        + ["Sans", "Sans-Bold", "Serif", "SansMono"].map {
            FontFile(
                listed: "/usr/share/fonts/truetype/dejavu/DejaVu\($0).ttf",
                package: "fonts-dejavu-core")
        }

    /// What the usual ones lack, in three packages of 21 MB together: scripts of Asia in the cut
    /// that is made for screens, Chinese, Japanese and Korean in one file, and emoji.
    static let wide: [FontFile] =
        wideScripts.flatMap { script in
            ["Regular", "Bold"].map {
                FontFile(
                    listed: "/usr/share/fonts/truetype/noto/NotoSans\(script)UI-\($0).ttf",
                    package: "fonts-noto-ui-core", isNeeded: false)
            }
        } + [
            FontFile(
                listed: "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
                package: "fonts-wqy-microhei", isNeeded: false),
            FontFile(
                listed: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
                package: "fonts-noto-color-emoji", isNeeded: false),
        ]

    /// As the fonts are named, which have no spaces in the names of their files.
    static let wideScripts = [
        "Arabic", "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Lao",
        "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai",
    ]

    /// The families of the usual fonts, then what is tried for the characters they lack.
    static let usualFamilies = ["Inter", "DejaVu Sans"]
    static let wideFamilies =
        ["Inter"] + wideScripts.map { "Noto Sans \($0) UI" }
        + ["DejaVu Sans", eastAsianFamily, emojiFamily]
    /// Chinese, Japanese and Korean in one.
    static let eastAsianFamily = "WenQuanYi Micro Hei"
    /// The one font of pictures in colour.
    package static let emojiFamily = "Noto Color Emoji"
}
