import Codecs
import Testing

@Suite("Template drawings")
struct TemplateTests {
    private func isTemplate(_ bytes: [UInt8]) throws -> Bool {
        try VectorPicture(svg: bytes.span, limits: DecodeLimits()).isTemplate
    }

    @Test(
        "a drawing painted only with currentColor, or marked as template, is a template",
        arguments: [
            ("data-template='true'", "<path d='M0 0h9v9z' fill='#f00'/>"),
            ("fill='currentColor'", "<path d='M0 0h9v9z'/>"),
            ("", "<path d='M0 0h9v9z' fill='currentColor'/>"),
            ("", "<path d='M0 0h9v9z' fill='CurrentColor' stroke='none'/>"),
            ("fill='none'", "<path d='M0 0h9v9z' stroke='currentColor'/>"),
            ("", "<path d='M0 0h9v9z' style='fill: currentColor; stroke-width: 2'/>"),
            ("", "<path d='M0 0h9v9z' style='stroke:currentcolor !important;fill:none'/>"),
            ("", "<style>.a { fill: currentColor }</style><path class='a' d='M0 0h9v9z'/>"),
            ("", "<style><![CDATA[path{fill:currentColor}]]></style><path d='M0 0h9v9z'/>"),
            ("", "<!-- fill='#f00' --><g fill='currentColor'><rect width='9' height='9'/></g>"),
            ("", "<defs><path id='p' d='M0 0h9v9z'/></defs><use href='#p' fill='currentColor'/>"),
            (
                "fill='currentColor'",
                "<mask id='m'><rect width='9' height='9' fill='#fff'/></mask>"
                    + "<rect width='9' height='9' mask='url(#m)'/>"
            ),
            (
                "fill='currentColor'",
                "<clipPath id='c'><path d='M0 0h9v9z' fill='#fff'/></clipPath>"
                    + "<rect width='9' height='9' clip-path='url(#c)'/>"
            ),
            (
                "",
                "<linearGradient id='g'><stop stop-color='currentColor'/></linearGradient>"
                    + "<rect width='9' height='9' fill='url(#g)'/>"
            ),
            ("", "<line x2='9' y2='9' stroke='currentColor'/>"),
        ])
    func templates(root: String, body: String) throws {
        #expect(try isTemplate(svg(root, body)))
    }

    @Test(
        "a drawing with any other paint, or a shape with default black, is not a template",
        arguments: [
            ("data-template='false'", "<path d='M0 0h9v9z' fill='currentColor'/>"),
            ("", "<path d='M0 0h9v9z'/>"),
            ("", ""),
            ("", "<path d='M0 0h9v9z' fill='currentColor'/><path d='M0 0h9v9z' fill='#f00'/>"),
            ("", "<path d='M0 0h9v9z' fill='currentColor'/><path d='M0 0h9v9z'/>"),
            ("fill='currentColor'", "<path d='M0 0h9v9z' style='stroke:red'/>"),
            ("fill='currentColor'", "<style>.b{stroke:#00f}</style><path d='M0 0h9v9z'/>"),
            ("fill='currentColor'", "<image href='data:image/png;base64,AAAA'/>"),
            ("fill='none'", "<path d='M0 0h9v9z' stroke='none'/>"),
            (
                "",
                "<linearGradient id='g'><stop offset='0'/></linearGradient>"
                    + "<rect width='9' height='9' fill='url(#g)' stroke='currentColor'/>"
            ),
        ])
    func pictures(root: String, body: String) throws {
        #expect(try !isTemplate(svg(root, body)))
    }

    @Test("entities and very long SVG documents are not searched for templates")
    func bounds() throws {
        let entity =
            Array(
                "<!DOCTYPE svg [<!ENTITY c 'currentColor'>]>".utf8)
            + svg("fill='currentColor'", "<path d='M0 0h9v9z'/>")
        #expect(try !isTemplate(entity))
        let long = String(repeating: " ", count: 300_000)
        #expect(try !isTemplate(svg("fill='currentColor'", long + "<path d='M0 0h9v9z'/>")))
        #expect(try isTemplate(svg("data-template='true'", long + "<path d='M0 0h9v9z'/>")))
    }
}
