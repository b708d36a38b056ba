import Foundation
import PackagePlugin

/// `swift package emblem …`: the tool, run in the package's folder with the arguments as they are.
@main
struct EmblemCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let tool = Process()
        tool.executableURL = try context.tool(named: "EmblemTool").url
        tool.arguments = arguments
        tool.currentDirectoryURL = context.package.directoryURL
        try tool.run()
        tool.waitUntilExit()
        guard tool.terminationReason == .exit else { exit(128 + tool.terminationStatus) }
        exit(tool.terminationStatus)
    }
}
