#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Swift package that depends on the library. It uses the toolchain of this machine, as source.sh does.
# shellcheck disable=SC2034,SC2154 # read by run.sh
swift=$(toolchain)
door package "a Swift package"
door_binds=("$swift:/opt/swift")
EXTRA_PATH=/opt/swift/usr/bin
clone "$door_root/root/emblem"
mkdir -p "$door_root/root/hello/Sources/hello"
cat > "$door_root/root/hello/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hello",
    dependencies: [.package(path: "../emblem")],
    targets: [
        .executableTarget(
            name: "hello", dependencies: [.product(name: "EmblemKit", package: "emblem")])
    ])
END
cat > "$door_root/root/hello/Sources/hello/main.swift" <<'END'
import EmblemKit
import Foundation

let avatar = Avatar(layout: .large, appearance: .initials("JD"))
let finished = try await avatar.render(scale: 2)
try finished.image.pngData().write(to: URL(filePath: "/root/first.png"))
END
step 'apt-get update'
step "apt-get install -y --no-install-recommends $toolchain_packages $(make -s -C "$root" packages)"
step 'cd /root/hello && swift run -c release'
arrived /root/first.png
