import Notation

/// Returns the JSON that `body` writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.take(), as: UTF8.self)
}
