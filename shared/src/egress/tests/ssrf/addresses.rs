//! Forbidden addresses in every notation.

use std::net::Ipv4Addr;

/// IPv4 addresses of each block that is not public, with its first and last where they matter, and the metadata
/// addresses of clouds.
const CLOSED_V4: [&str; 36] = [
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200", // metadata of Alibaba Cloud
    "100.127.255.255",
    "127.0.0.1",
    "127.0.0.53",
    "127.1.2.3",
    "127.255.255.255",
    "169.254.0.1",
    "169.254.169.123", // Amazon Time Sync
    "169.254.169.253", // DNS of a VPC
    "169.254.169.254", // metadata of AWS, Azure, Google Cloud
    "169.254.170.2",   // credentials of a container
    "169.254.170.23",  // the same by EKS
    "169.254.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192", // metadata of Oracle Cloud
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "224.0.0.251",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.254",
    "255.255.255.255",
];

/// The addresses that are tested in every notation.
const SPELT: [&str; 8] = [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
];

/// IPv6 addresses of each block that is not public, except those that contain an IPv4 address.
const CLOSED_V6: [&str; 30] = [
    "::",
    "::1",
    "0:0:0:0:0:0:0:1",
    "0000:0000:0000:0000:0000:0000:0000:0001",
    "::2",
    "100::1",
    "100:0:0:1::1",
    "2001::1",
    "2001:1::1",
    "2001:2::1",
    "2001:3::1",
    "2001:10::1",
    "2001:20::1",
    "2001:30::1",
    "2001:1ff:ffff::1",
    "2001:db8::1",
    "2001:DB8:FFFF::1",
    "3fff::1",
    "3fff:fff:ffff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::23",  // credentials of EKS
    "fd00:ec2::254", // metadata of AWS
    "fd20:ce::254",  // metadata of Google Cloud
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
];

/// Hosts of URLs that lead to an address that is not public.
pub(super) fn closed_hosts() -> Vec<String> {
    let parsed = |text: &&str| text.parse::<Ipv4Addr>().unwrap();
    let plain = CLOSED_V4.iter().map(|text| (*text).to_owned());
    let spelt = SPELT.iter().map(parsed).flat_map(spellings);
    let carried = CLOSED_V4.iter().map(parsed).flat_map(|v4| {
        let mapped = [v4.to_ipv6_mapped().to_string(), format!("::ffff:{}", halves(v4))];
        mapped.into_iter().chain(carriers(v4))
    });
    let of_public = carriers(Ipv4Addr::new(8, 8, 8, 8));
    let v6 = CLOSED_V6.iter().map(|text| (*text).to_owned());
    let v6 = carried.chain(of_public).chain(v6).map(|address| format!("[{address}]"));
    plain.chain(spelt).chain(v6).collect()
}

/// Hosts in unusual notations that lead to public addresses.
pub(super) fn open_hosts() -> Vec<String> {
    let v4 = ["1.1.1.1", "8.8.8.8", "11.0.0.0", "100.63.255.255", "128.0.0.1", "223.255.255.255"];
    let v4: Vec<Ipv4Addr> = v4.iter().map(|text| text.parse().unwrap()).collect();
    let mapped = v4.iter().map(|v4| v4.to_ipv6_mapped().to_string());
    let v6 = ["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "2c0f:f248::1"];
    let v6 = mapped.chain(v6.map(str::to_owned)).map(|address| format!("[{address}]"));
    v4.iter().copied().flat_map(spellings).chain(v6).collect()
}

/// The notations of an IPv4 address in a URL (WHATWG URL, "IPv4 parser" and "domain to ASCII").
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let whole = address.to_bits();
    let dotted = address.to_string();
    let each = |write: fn(u8) -> String| [a, b, c, d].map(write).join(".");
    let digits = |zero: char| -> String {
        let digit = |c: char| match c.to_digit(10) {
            Some(value) => char::from_u32(u32::from(zero) + value).unwrap(),
            None => c,
        };
        dotted.chars().map(digit).collect()
    };
    let circled = |c: char| match c {
        '0' => '⓪',
        '1'..='9' => char::from_u32(u32::from('①') + u32::from(c) - u32::from('1')).unwrap(),
        other => other,
    };
    vec![
        format!("{dotted}."),
        whole.to_string(),
        format!("{whole}."),
        format!("0x{whole:x}"),
        format!("0X{whole:08X}"),
        format!("0{whole:o}"),
        each(|part| format!("0x{part:x}")),
        each(|part| format!("0x0000{part:02X}")),
        each(|part| format!("0{part:o}")),
        each(|part| format!("000000{part:o}")),
        format!("{a}.{}", whole & 0x00ff_ffff),
        format!("{a}.{b}.{}", whole & 0xffff),
        format!("0x{a:x}.0{b:o}.{}", whole & 0xffff),
        format!("{a}.0x{:x}", whole & 0x00ff_ffff),
        digits('0'),
        digits('𝟎'),
        dotted.chars().map(circled).collect(),
        dotted.replace('.', "。"),
        dotted.replace('.', "．"),
        dotted.replace('.', "｡"),
        dotted.replace('.', "%2e"),
        dotted.replace('.', "%E3%80%82"),
        dotted.bytes().map(|byte| format!("%{byte:02x}")).collect(),
        dotted.replace('.', "\u{ad}."),
        dotted.replace('.', "\t."),
    ]
}

/// IPv6 addresses that lead to an IPv4 address, except the mapped ones.
fn carriers(address: Ipv4Addr) -> Vec<String> {
    let halves = halves(address);
    let [high, low] = [address.to_bits() >> 16, address.to_bits() & 0xffff];
    vec![
        format!("::{address}"),                // IPv4-compatible (RFC 4291, 2.5.5.1)
        format!("::ffff:0:{address}"),         // IPv4-translated (RFC 2765)
        format!("64:ff9b::{address}"),         // NAT64 (RFC 6052)
        format!("64:ff9b:1::{halves}"),        // NAT64 of local use (RFC 8215)
        format!("64:ff9b:1:fffe:{halves}::"),  // the same, another place
        format!("2002:{halves}::1"),           // 6to4 (RFC 3056)
        format!("2001:0:{halves}:0:ffff:0:1"), // Teredo, the server (RFC 4380)
        format!("2001:0:4136:e378:8000:63bf:{:x}:{:x}", high ^ 0xffff, low ^ 0xffff), // the client
        format!("fe80::5efe:{address}"),       // ISATAP (RFC 5214)
    ]
}

/// An IPv4 address as two groups of an IPv6 address.
fn halves(address: Ipv4Addr) -> String {
    format!("{:x}:{:x}", address.to_bits() >> 16, address.to_bits() & 0xffff)
}
