import Gauge
import Notation
import Render
import Theming
import Transport

extension ItemRecord {
    /// Creates a record from the JSON that `write` produces; nil for other JSON.
    package init?(_ json: JSON) {
        guard json["type"]?.stringValue == "item", let index = json["index"]?.intValue,
            let id = json["id"]?.stringValue, let name = json["name"]?.stringValue,
            let source = json["source"]?.stringValue,
            let status = (json["status"]?.stringValue).flatMap(ItemStatus.init)
        else { return nil }
        self.init(index: index, id: id, name: name, source: source, status: status)
        row = json["row"]?.intValue
        line = json["line"]?.intValue
        isStale = json["stale"]?.boolValue ?? false
        placeholder = json["placeholder"]?.stringValue
        if let error = json["error"] {
            guard let failure = ItemFailure(error) else { return nil }
            self.failure = failure
        }
        if let src = json["input"] {
            guard let record = SourceRecord(src) else { return nil }
            self.src = record
        }
        if let src = json["src_dark"] {
            guard let record = SourceRecord(src) else { return nil }
            srcDark = record
        }
        for output in json["outputs"]?.elements ?? [] {
            guard let record = OutputRecord(output) else { return nil }
            outputs.append(record)
        }
        accessibility = Accessibility(
            label: json[path: ["accessibility", "label"]]?.stringValue,
            hint: json[path: ["accessibility", "hint"]]?.stringValue,
            value: json[path: ["accessibility", "value"]]?.stringValue)
        thumbHash = json["thumbhash"]?.stringValue
        dominant = json["dominant_color"]?.stringValue
        for lint in json["lint"]?.elements ?? [] {
            guard let lint = PictureLint(lint) else { return nil }
            self.lint.append(lint)
        }
        for column in ListColumn.look {
            look[column] = json[path: ["overrides", column.rawValue]]?.stringValue
        }
        if let look = json["look"] {
            guard let decision = LogoDecision(look) else { return nil }
            self.decision = decision
        }
        alternatives = (json["alternatives"]?.elements ?? []).compactMap(\.stringValue)
        dark = (json["dark"]?.elements ?? []).compactMap(\.stringValue)
        extra = json["extra"]?.members ?? []
    }

    /// Copies the result of an earlier run. The identity of the item and the columns of its row
    /// stay.
    package mutating func copyResult(of past: ItemRecord) {
        status = past.status
        isStale = past.isStale
        placeholder = past.placeholder
        failure = past.failure
        src = past.src
        srcDark = past.srcDark
        outputs = past.outputs
        thumbHash = past.thumbHash
        dominant = past.dominant
        decision = past.decision
        lint = past.lint
    }
}

extension ItemFailure {
    fileprivate init?(_ json: JSON) {
        guard let errorClass = (json["class"]?.stringValue).flatMap(ErrorClass.init),
            let stage = (json["stage"]?.stringValue).flatMap(RunStage.init),
            let message = json["message"]?.stringValue,
            let isRetryable = json["retryable"]?.boolValue
        else { return nil }
        // Only for an unusable row, the message in the manifest is the detail.
        self.init(
            errorClass, stage: stage, detail: errorClass == .badRow ? message : "",
            status: json["http_status"]?.intValue, isRetryable: isRetryable)
    }
}

extension SourceRecord {
    fileprivate init?(_ json: JSON) {
        guard let bytes = json["bytes"]?.intValue, let sha256 = json["sha256"]?.stringValue else {
            return nil
        }
        self.init(bytes: bytes, sha256: sha256, header: nil)
        guard let format = json["format"]?.stringValue else { return }
        guard let width = json["width"]?.intValue, let height = json["height"]?.intValue,
            let orientation = json["orientation"]?.intValue, let alpha = json["alpha"]?.boolValue
        else { return nil }
        header = Header(
            format: format, width: width, height: height, orientation: orientation,
            hasAlpha: alpha)
    }
}

extension OutputRecord {
    fileprivate init?(_ json: JSON) {
        guard let path = json["path"]?.stringValue, let layout = json["layout"]?.stringValue,
            let scale = json["scale"]?.doubleValue, let width = json["width"]?.intValue,
            let height = json["height"]?.intValue, let bytes = json["bytes"]?.intValue,
            let sha256 = json["sha256"]?.stringValue
        else { return nil }
        self.init(
            path: path, layout: layout, scale: scale, isDark: json["scheme"]?.stringValue == "dark",
            width: width,
            height: height, bytes: bytes, sha256: sha256)
        target = json["target"]?.stringValue
        isElsewhere = json["elsewhere"]?.boolValue ?? false
        isPlaceholder = json["placeholder"]?.boolValue ?? false
    }
}
