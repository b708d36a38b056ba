import Notation

/// What `body` writes, as text.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.take(), as: UTF8.self)
}
