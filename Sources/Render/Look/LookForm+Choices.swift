import Artwork
import Codecs
import Notation
import Raster
import System
import Theming

extension LookForm<OutputChoice> {
    /// A format by its name or file extension, or `same`.
    static var output: LookForm {
        let words =
            OutputFormat.allCases.flatMap { format in
                format.name == format.fileExtension
                    ? [format.name] : [format.name, format.fileExtension]
            } + ["same"]
        return LookForm(
            ValueForm(
                .choice(words),
                read: { OutputChoice(named: $0) }, text: \.name),
            put: { wire, choice in
                switch choice {
                case .fixed(let format): wire.put(Optional(format)) { $0.put(choice: $1) }
                case .same: wire.put(OutputFormat?.none) { $0.put(choice: $1) }
                }
            },
            take: { wire throws(WireDamage) in
                let format = try wire.optional { wire throws(WireDamage) -> OutputFormat in
                    try wire.choice()
                }
                return format.map { .fixed($0) } ?? .same
            })
    }
}

extension LookForm<BadgeMark> {
    /// A badge, typed as `TEXT:APPEARANCE[@CORNER]`.
    static var badge: LookForm {
        LookForm(
            kind: .text, text: \.argument,
            read: { text throws(LookFault) in
                .value(try rethrowing(BadgeMark(argument: text), as: LookFault.badge))
            },
            put: { wire, mark in
                wire.put(Array(mark.badge.text.utf8))
                wire.put(choice: mark.badge.appearance)
                wire.put(choice: mark.corner)
            },
            take: { wire throws(WireDamage) in
                BadgeMark(
                    Badge(checked: try wire.text(limit: .max), appearance: try wire.choice()),
                    corner: try wire.choice())
            })
    }
}

extension LookForm<BackgroundRule> {
    /// A word, or a colour.
    static var background: LookForm {
        let words: [(name: String, rule: BackgroundRule)] = [
            ("appearance", .appearance), ("own", .own), ("auto", .auto),
        ]
        return LookForm(
            ValueForm(
                .choiceOrColor(words.map(\.name)),
                read: { text in
                    if let word = words.first(where: { $0.name == text }) { return word.rule }
                    guard let color = ValueReader.color(text), color.alpha == 255 else {
                        return nil
                    }
                    return .color(Color(color))
                },
                text: { rule in
                    if case .color(let color) = rule { return color.hex }
                    return words.first { $0.rule == rule }?.name ?? ""
                }),
            put: { wire, rule in
                switch rule {
                case .appearance: wire.put(UInt8(0))
                case .own: wire.put(UInt8(1))
                case .auto: wire.put(UInt8(2))
                case .color(let color):
                    wire.put(UInt8(3))
                    wire.put(color)
                }
            },
            take: { wire throws(WireDamage) in
                switch try wire.byte() {
                case 0: .appearance
                case 1: .own
                case 2: .auto
                case 3: .color(try wire.color())
                default: throw WireDamage()
                }
            })
    }
}

extension LookForm<PlaceholderChoice> {
    static var placeholder: LookForm {
        LookForm(
            kind: .text, text: \.spelling,
            read: { text throws(LookFault) in
                return try rethrowing(PlaceholderChoice.reading(text), as: LookFault.placeholder)
            },
            put: { wire, choice in
                switch choice {
                case .none: wire.put(UInt8(0))
                case .initials: wire.put(UInt8(1))
                case .icon(let icon):
                    wire.put(UInt8(2))
                    wire.put(choice: icon)
                case .letters(let initials):
                    wire.put(UInt8(4))
                    wire.put(Array(initials.text.utf8))
                case .picture(let name, let bytes):
                    wire.put(UInt8(3))
                    wire.put(Array(name.utf8))
                    wire.put(bytes)
                }
            },
            take: { wire throws(WireDamage) in
                switch try wire.byte() {
                case 0: .none
                case 1: .initials
                case 2: .icon(try wire.choice())
                case 3:
                    .picture(
                        name: try wire.text(limit: .max), bytes: try wire.block(limit: .max))
                case 4: .letters(Initials(checked: try wire.text(limit: .max)))
                default: throw WireDamage()
                }
            })
    }
}

extension LookForm<Padding> {
    static var padding: LookForm {
        let form = ValueForm<InsetValue>.inset
        return LookForm(
            ValueForm(
                form.kind, read: { text in form.read(text).map { Padding($0) } },
                text: { padding in
                    switch padding {
                    case .points(let points): form.text(.points(points))
                    case .percent(let percent): form.text(.percent(percent))
                    case .safe: form.text(.safe)
                    case .round: "round"
                    }
                }),
            json: { padding in
                switch padding {
                case .points(let points): JSON.number(ofScale: points)
                case .percent(let percent): .string(form.text(.percent(percent)))
                case .safe: .string("safe")
                case .round: .string("round")
                }
            },
            put: { wire, padding in
                switch padding {
                case .points(let points):
                    wire.put(UInt8(0))
                    wire.put(points)
                case .percent(let percent):
                    wire.put(UInt8(1))
                    wire.put(percent)
                case .safe: wire.put(UInt8(2))
                case .round: wire.put(UInt8(3))
                }
            },
            take: { wire throws(WireDamage) in
                switch try wire.byte() {
                case 0: .points(try wire.real())
                case 1: .percent(try wire.real())
                case 2: .safe
                case 3: .round
                default: throw WireDamage()
                }
            })
    }
}

extension LookForm<DecodeLimits> {
    /// The number of pixels is typed and recorded; all limits are sent to workers.
    static var limits: LookForm {
        let form = ValueForm<Int>.count(1...Int.max)
        return LookForm(
            ValueForm(
                form.kind, read: { text in form.read(text).map { DecodeLimits(pixels: $0) } },
                text: { form.text($0.pixels) }),
            json: { .number(JSONNumber($0.pixels)) },
            put: { $0.put($1) },
            take: { wire throws(WireDamage) in try wire.limits() })
    }
}
