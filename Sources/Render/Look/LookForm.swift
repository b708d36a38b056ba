import Artwork
import Codecs
import Notation
import Raster

/// The three forms of a value: typed text, JSON for records, and bytes for workers.
struct LookForm<Value: Sendable>: Sendable {
    let kind: ValueKind
    let text: @Sendable (Value) -> String?
    let read: @Sendable (String) throws(LookFault) -> LookReading<Value>
    let json: @Sendable (Value) -> JSON?
    let put: @Sendable (inout WireWriter, Value) -> Void
    let take: @Sendable (inout WireReader) throws(WireDamage) -> Value

    init(
        kind: ValueKind, text: @escaping @Sendable (Value) -> String?,
        read: @escaping @Sendable (String) throws(LookFault) -> LookReading<Value>,
        json: (@Sendable (Value) -> JSON?)? = nil,
        put: @escaping @Sendable (inout WireWriter, Value) -> Void,
        take: @escaping @Sendable (inout WireReader) throws(WireDamage) -> Value
    ) {
        self.kind = kind
        self.text = text
        self.read = read
        self.json = json ?? { text($0).map { .string($0) } }
        self.put = put
        self.take = take
    }

    /// Creates a form whose typed text is also its form in records.
    init(
        _ form: ValueForm<Value>, json: (@Sendable (Value) -> JSON?)? = nil,
        put: @escaping @Sendable (inout WireWriter, Value) -> Void,
        take: @escaping @Sendable (inout WireReader) throws(WireDamage) -> Value
    ) {
        self.init(
            kind: form.kind, text: form.text,
            read: { text throws(LookFault) in
                guard let value = form.read(text) else { throw .meaningless }
                return .value(value)
            },
            json: json, put: put, take: take)
    }

    /// Returns a form for a value that may be missing.
    static func optional<Wrapped>(_ form: LookForm<Wrapped>) -> LookForm where Value == Wrapped? {
        LookForm(
            kind: form.kind, text: { $0.flatMap(form.text) },
            read: { text throws(LookFault) in try form.read(text).map { $0 } },
            json: { $0.flatMap(form.json) },
            put: { wire, value in wire.put(value, form.put) },
            take: { wire throws(WireDamage) in try wire.optional(form.take) })
    }
}

extension LookForm where Value: CaseIterable & RawRepresentable<String> & Equatable {
    static var choice: LookForm {
        LookForm(
            .choice, put: { $0.put(choice: $1) },
            take: { wire throws(WireDamage) in try wire.choice() })
    }
}

extension LookForm<Bool> {
    static var toggle: LookForm {
        LookForm(
            .toggle, json: { .bool($0) }, put: { $0.put($1) },
            take: { wire throws(WireDamage) in try wire.flag() })
    }

    static func words(on: String, off: String) -> LookForm {
        LookForm(
            .words(on: on, off: off), put: { $0.put($1) },
            take: { wire throws(WireDamage) in try wire.flag() })
    }
}

extension LookForm<Double> {
    static var points: LookForm {
        LookForm(
            .decimal(0...1000), json: { JSON.number(ofScale: $0) }, put: { $0.put($1) },
            take: { wire throws(WireDamage) in try wire.real() })
    }
}

extension LookForm<EncodeQuality> {
    static var quality: LookForm {
        let form = ValueForm<QualityValue>.quality
        return LookForm(
            ValueForm(
                form.kind,
                read: { text in form.read(text).map { EncodeQuality($0) } },
                text: { form.text(QualityValue($0)) }),
            json: { quality in
                switch quality {
                case .lossy(let value): .number(JSONNumber(value))
                case .lossless: .string("lossless")
                }
            },
            put: { wire, quality in
                switch quality {
                case .lossy(let value): wire.put(Optional(value)) { $0.put($1) }
                case .lossless: wire.put(Int?.none) { $0.put($1) }
                }
            },
            take: { wire throws(WireDamage) in
                let value = try wire.optional { wire throws(WireDamage) in try wire.number() }
                return value.map { .lossy($0) } ?? .lossless
            })
    }
}

extension LookForm<FocusPoint> {
    static var point: LookForm {
        let form = ValueForm<PointValue>.point
        return LookForm(
            ValueForm(
                form.kind,
                read: { text in form.read(text).map { FocusPoint(x: $0.x, y: $0.y) } },
                text: { form.text(PointValue(x: $0.x, y: $0.y)) }),
            put: { wire, point in
                wire.put(point.x)
                wire.put(point.y)
            },
            take: { wire throws(WireDamage) in
                FocusPoint(x: try wire.real(), y: try wire.real())
            })
    }
}

extension EncodeQuality {
    package init(_ value: QualityValue) {
        switch value {
        case .lossy(let quality): self = .lossy(quality)
        case .lossless: self = .lossless
        }
    }
}

extension QualityValue {
    fileprivate init(_ quality: EncodeQuality) {
        switch quality {
        case .lossy(let value): self = .lossy(value)
        case .lossless: self = .lossless
        }
    }
}

extension Color {
    package init(_ color: HexColor) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
