//! The addresses of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 blocks that are not public: IANA IPv4 Special-Purpose Address Registry, multicast and
/// reserved space.
const CLOSED_V4: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),       // this network (RFC 791)
    ([10, 0, 0, 0], 8),      // private (RFC 1918)
    ([100, 64, 0, 0], 10),   // carrier-grade NAT (RFC 6598)
    ([127, 0, 0, 0], 8),     // loopback (RFC 1122): the Lambda runtime API lives there
    ([169, 254, 0, 0], 16),  // link-local (RFC 3927): instance metadata, X-Ray
    ([172, 16, 0, 0], 12),   // private (RFC 1918)
    ([192, 0, 0, 0], 24),    // protocol assignments (RFC 6890)
    ([192, 0, 2, 0], 24),    // documentation (RFC 5737)
    ([192, 88, 99, 0], 24),  // 6to4 relay (RFC 7526)
    ([192, 168, 0, 0], 16),  // private (RFC 1918)
    ([198, 18, 0, 0], 15),   // benchmarking (RFC 2544)
    ([198, 51, 100, 0], 24), // documentation (RFC 5737)
    ([203, 0, 113, 0], 24),  // documentation (RFC 5737)
    ([224, 0, 0, 0], 4),     // multicast (RFC 5771)
    ([240, 0, 0, 0], 4),     // reserved and broadcast (RFC 1112)
];

/// IPv6 blocks inside 2000::/3 that are not public, or that contain an IPv4 address which cannot be checked.
/// Everything outside 2000::/3 is closed as a whole: loopback, fe80::/10, fc00::/7, ff00::/8, 64:ff9b::/96 NAT64,
/// 100::/64 discard, 5f00::/16 segment routing.
const CLOSED_V6: [([u16; 3], u32); 4] = [
    ([0x2001, 0, 0], 23),     // protocol assignments (RFC 2928), Teredo among them
    ([0x2001, 0xdb8, 0], 32), // documentation (RFC 3849)
    ([0x2002, 0, 0], 16),     // 6to4 (RFC 3056)
    ([0x3fff, 0, 0], 20),     // documentation (RFC 9637)
];

/// Whether an address is public.
pub fn is_public(address: IpAddr) -> bool {
    // An IPv4-mapped address (::ffff:0:0/96) reaches the IPv4 host.
    match address.to_canonical() {
        IpAddr::V4(v4) => !CLOSED_V4.iter().any(|(network, bits)| {
            (v4.to_bits() ^ Ipv4Addr::from(*network).to_bits()).leading_zeros() >= *bits
        }),
        IpAddr::V6(v6) => {
            let global_unicast = v6.segments()[0] & 0xe000 == 0x2000;
            global_unicast
                && !CLOSED_V6.iter().any(|([a, b, c], bits)| {
                    let network = Ipv6Addr::new(*a, *b, *c, 0, 0, 0, 0, 0);
                    (v6.to_bits() ^ network.to_bits()).leading_zeros() >= *bits
                })
        }
    }
}
