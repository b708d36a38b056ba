/// The tool's own name and version, as records state them.
///
/// The number is written here and nowhere else but in what others read without us, which a test
/// holds to it: the changelog and the Python package. Manual, packages and records ask for it.
package enum ToolVersion {
    package static let number = "0.1.0"
    package static let text = "emblem \(number)"
}
