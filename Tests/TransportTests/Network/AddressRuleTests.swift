import Glibc
import Testing
import Transport

@Suite("Public and special addresses")
struct AddressRuleTests {
    private func bytes(_ text: String) -> [UInt8] {
        let isSix = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
        unsafe bytes.withUnsafeMutableBytes { bytes in
            #expect(unsafe inet_pton(isSix ? AF_INET6 : AF_INET, text, bytes.baseAddress) == 1)
        }
        return bytes
    }

    @Test(
        "special addresses are not public",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
            "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
            "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255",
            "240.0.0.1", "255.255.255.255",
            "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.1.2.3",
            "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
            "64:ff9b:1::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:7f00:1::",
            "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::",
            "2002:808:808::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1",
            "febf::1", "fec0::1", "ff02::1", "ff0e::1", "2a00:1450::5efe:127.0.0.1",
            "2a00:1450::200:5efe:10.0.0.1", "fe80::5efe:8.8.8.8", "4000::1",
        ])
    func special(_ address: String) {
        let isPublic = AddressRule.isPublic(bytes(address).span)
        #expect(!isPublic)
    }

    @Test(
        "ordinary addresses are public",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
            "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
            "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e",
            "2001:200::1", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808",
            "2a00:1450::5efe:8.8.8.8", "2003::1",
        ])
    func ordinary(_ address: String) {
        let isPublic = AddressRule.isPublic(bytes(address).span)
        #expect(isPublic)
    }

    @Test(
        "an address that is not 4 or 16 bytes long is not public",
        arguments: [0, 1, 3, 5, 15, 17, 32])
    func length(_ count: Int) {
        let isPublic = AddressRule.isPublic([UInt8](repeating: 8, count: count).span)
        #expect(!isPublic)
    }
}
