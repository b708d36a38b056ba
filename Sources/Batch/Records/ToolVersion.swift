/// The name and version of the tool in records.
///
/// The number is defined only here. The changelog and the Python package repeat it, and a test
/// compares them. The manual, packages and records read it from here.
package enum ToolVersion {
    package static let number = "0.2.0"
    package static let text = "emblem \(number)"
}
