import Notation
import Support
import Testing

@Suite(
    "The report of ten thousand items",
    .enabled(if: Thorough.isOn, "make test-all runs this suite"))
struct LongReportTests {
    @Test("a report of ten thousand items draws the visible ones and searches all of them")
    func tenThousand() throws {
        var run = try ReportFolder()
        let picture = #"[{"path":"a.png","layout":"large","scale":1,"width":64,"height":64}]"#
        let outputs = try JSONParser.parse(Array(picture.utf8).span)
        let danger: JSON = ["appearance": "danger"]
        for index in 0..<10_000 {
            run.item(
                id: "merchant \(index)", source: "https://cdn\(index % 97).example/\(index).png",
                error: index % 20 == 0 ? "http_4xx" : nil,
                members: [.init("outputs", outputs)]
                    + (index % 8 == 0 ? [.init("overrides", danger)] : []))
        }
        _ = try run.page()
        let count = "document.getElementById('count').textContent"
        let nodes = "document.querySelectorAll('*').length"
        // Other programs may use the CPU, so one fast search in 20 is enough.
        let search = """
            (async () => {
              const find = (words) => new Promise((done) => {
                const began = performance.now();
                addEventListener('hashchange', () => done(performance.now() - began), { once: true });
                location.hash = words;
              });
              for (let turn = 0; turn < 20; turn++) {
                await find('q=merchant 9');
                if (await find('q=merchant 99') < 1000) return true;
              }
              return false;
            })()
            """
        let paint = """
            performance.getEntriesByName('first-contentful-paint').some((it) => it.startTime < 5000)
            """
        let visit = Browser.Visit(run.folder.path("report.html"))
            .ask("\(nodes) < 2000")
            .ask("void scrollTo(0, document.documentElement.scrollHeight / 2)")
            .until("+document.querySelector('#grid li').getAttribute('aria-posinset') > 1000")
            .ask("\(nodes) < 3000")
            .ask(search).until("!\(count).startsWith('All')").ask(count)
            .ask(paint)
        let others = [
            "appearance=danger": "1,250", "appearance=brand": "8,750", "class=any": "500",
            "class=http_4xx&appearance=danger": "250", "q=/4242.png": "1",
        ].sorted { $0.key < $1.key }
        let visits = others.map {
            Browser.Visit(run.folder.path("report.html"), query: "#" + $0.key).ask(count).ask(paint)
        }
        let outcomes = try Browser.make([visit] + visits)
        for (other, outcome) in zip(others, outcomes.dropFirst()) {
            #expect(outcome.results.first == "\(other.value) of 10,000 items", "\(other.key)")
        }
        let outcome = try #require(outcomes.first)
        #expect(outcome.errors.filter { !$0.contains("ERR_FILE_NOT_FOUND") } == [])
        let found = "280 of 10,000 items"
        #expect(outcome.results.dropLast() == ["true", "null", "true", "true", found])
        #expect(outcomes.contains { $0.results.last == "true" })
    }
}
