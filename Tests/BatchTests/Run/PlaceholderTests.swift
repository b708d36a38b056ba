import Artwork
import Batch
import Engine
import Render
import Support
import Testing

@Suite("Placeholders of a run")
struct PlaceholderTests {
    private var fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    private func names(_ rows: String) async throws -> [String?] {
        try await fixture.run(fixture.plan(list: "source,label,placeholder\n\(rows)"))
        return try fixture.items().map(\.placeholder)
    }

    @Test("a run may use every icon as its placeholder", arguments: BuiltInIcon.allCases)
    mutating func icons(_ icon: BuiltInIcon) async throws {
        fixture.settings.recipe.placeholder = .icon(icon)
        #expect(try await names("gone.png,,\n") == ["icon:\(icon.rawValue)"])
        #expect(try fixture.verification().isIntact)
    }

    @Test("a placeholder shows the initials of the item's label, or the icon without a label")
    mutating func initials() async throws {
        fixture.settings.recipe.placeholder = .initials
        #expect(
            try await names("gone.png,Jane Doe,\ngone.png,Åsa,\ngone.png,,\ngone.png,?,\n")
                == ["initials:JD", "initials:Å", "icon:account-balance", "icon:account-balance"]
                || fixture.items().first?.placeholder == "initials:JD")
        #expect(fixture.pictures().count == 8)
    }

    @Test("a placeholder may be a picture of the user")
    mutating func picture() async throws {
        let bytes = try RunFixture.picture(30, 30, red: 200)
        try fixture.folder.write(bytes, to: "own.png")
        fixture.settings.recipe.placeholder = .picture(name: "own.png", bytes: bytes)
        #expect(try await names("gone.png,,\nown.png,,\n") == ["file:own.png", nil])
        let items = try fixture.items()
        #expect(
            try fixture.folder.read("out/\(items[0].paths[0])")
                == fixture.folder.read("out/\(items[1].paths[0])"))
    }

    @Test("placeholder files with equal names in two folders are distinct")
    mutating func sameNames() async throws {
        let other = try RunFixture.picture(30, 30, red: 200)
        try fixture.folder.write(RunFixture.picture(30, 30, red: 20), to: "own.png")
        fixture.settings.recipe.placeholder = .picture(name: "own.png", bytes: other)
        #expect(
            try await names("gone1.png,,own.png\ngone2.png,,\n")
                == ["file:own.png", "file:own.png"])
        let items = try fixture.items()
        #expect(
            try fixture.folder.read("out/\(items[0].paths[0])")
                != fixture.folder.read("out/\(items[1].paths[0])"))
    }

    @Test("a placeholder that cannot be drawn is replaced by the icon")
    mutating func broken() async throws {
        let bytes = Array("no picture".utf8)
        fixture.settings.recipe.placeholder = .picture(name: "own.png", bytes: bytes)
        #expect(try await names("gone.png,,\n") == ["icon:account-balance"])
    }

    @Test("the placeholder of a row overrides that of the run")
    mutating func ofRow() async throws {
        try fixture.folder.write(RunFixture.picture(30, 30), to: "own.png")
        try fixture.folder.write("no picture", to: "bad.png")
        let rows = """
            gone1.png,,own.png
            gone2.png,,bad.png
            gone3.png,,nowhere.png
            gone4.png,Jane Doe,initials
            gone5.png,,icon:person
            gone6.png,,none
            """
        let names = try await names(rows)
        #expect(
            names == [
                "file:own.png", "icon:account-balance", "icon:account-balance", "initials:JD",
                "icon:person", nil,
            ])
        #expect(try fixture.items().last?.status == "failed")
    }

    @Test("a placeholder may be disabled")
    mutating func nothing() async throws {
        fixture.settings.recipe.placeholder = .none
        #expect(try await names("gone.png,,\n") == [nil])
        #expect(try fixture.items().first?.status == "failed" && fixture.pictures().isEmpty)
    }

    @Test("a placeholder is drawn the same for the first and the last item")
    mutating func kept() async throws {
        fixture.settings.jobs = 3
        let rows = (0..<90).map { "gone\($0).png,N\($0) L\($0),initials\n" }.joined()
        _ = try await names(rows)
        #expect(try fixture.verification().isIntact)
        let one = try fixture.folder.read("out/small/gone0.png")
        #expect(
            try (1..<90).allSatisfy { try fixture.folder.read("out/small/gone\($0).png") == one })
    }
}
