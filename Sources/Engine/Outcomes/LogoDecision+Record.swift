import Notation
import Render
import Theming

extension LogoDecision {
    func write(into json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("trim", trim)
        json.member("inset", inset)
        if !cut.isEmpty {
            json.array("cut") { json in for side in cut.names { json.write(side) } }
        }
        json.object("ground") { json in
            for ground in grounds {
                json.object(ground.scheme.rawValue) { json in
                    json.member("reason", ground.reason.rawValue)
                    json.member("appearance", ground.appearance.rawValue)
                    json.member("colors", ground.colors.rawValue)
                    json.member("shown_before", ground.shownBefore)
                    json.member("shown", ground.shown)
                    if ground.hasHairline { json.member("hairline", true) }
                }
            }
        }
    }

    /// Creates a decision from the JSON that `write` produces; nil for other JSON.
    package init?(_ json: JSON) {
        guard let kind = (json["kind"]?.stringValue).flatMap(LogoKind.init),
            let trim = json["trim"]?.intValue, let inset = json["inset"]?.intValue,
            let cut = LogoSides(names: json["cut"]?.elements?.compactMap(\.stringValue) ?? [])
        else { return nil }
        self.init(kind: kind, trim: trim, inset: inset, cut: cut)
        for member in json["ground"]?.members ?? [] {
            guard let scheme = ColorScheme(rawValue: member.name),
                let reason = (member.value["reason"]?.stringValue).flatMap(Ground.Reason.init),
                let appearance = (member.value["appearance"]?.stringValue)
                    .flatMap(EmblemAppearance.init),
                let colors = (member.value["colors"]?.stringValue).flatMap(ColorScheme.init),
                let before = member.value["shown_before"]?.intValue,
                let shown = member.value["shown"]?.intValue
            else { return nil }
            grounds.append(
                Ground(
                    scheme: scheme, appearance: appearance, colors: colors, reason: reason,
                    shownBefore: before, shown: shown,
                    hasHairline: member.value["hairline"]?.boolValue == true))
        }
    }

    /// Reads a decision if its bytes are exactly those that `write` produces; otherwise throws.
    init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        guard let kind = LogoKind(rawValue: try json.string("kind")) else {
            throw WrittenJSON.Otherwise()
        }
        let (trim, inset) = (try json.int("trim"), try json.int("inset"))
        guard let cut = LogoSides(names: json.has("cut") ? try json.texts() : []) else {
            throw WrittenJSON.Otherwise()
        }
        self.init(kind: kind, trim: trim, inset: inset, cut: cut)
        try json.name("ground")
        try json.beginObject()
        while let name = try json.nextName() {
            try json.beginObject()
            let reason = Ground.Reason(rawValue: try json.string("reason"))
            let appearance = EmblemAppearance(rawValue: try json.string("appearance"))
            let colors = ColorScheme(rawValue: try json.string("colors"))
            guard let scheme = ColorScheme(rawValue: name), let reason, let appearance,
                let colors
            else { throw WrittenJSON.Otherwise() }
            grounds.append(
                Ground(
                    scheme: scheme, appearance: appearance, colors: colors, reason: reason,
                    shownBefore: try json.int("shown_before"), shown: try json.int("shown"),
                    hasHairline: json.has("hairline") ? try json.bool() : false))
            try json.endObject()
        }
        try json.endObject()
    }
}
