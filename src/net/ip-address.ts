/** Decides which IP addresses users may not reach. */
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reachable only within a cloud although it is a public address: the host agent of Azure. */
const METADATA = new Set(["168.63.129.16"]);

/** The IPv6 range that is routed on the internet (RFC 4291 §2.4). ipaddr.js calls every unknown range `unicast`. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [new ipaddr.IPv6([0x2000, 0, 0, 0, 0, 0, 0, 0]), 3];

/** Parses an IP address; null for anything else, such as an address with a zone id, which is local to a machine. */
export function parseAddress(text: string): Address | null {
  if (text.includes("%")) return null;
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? unmapIpv4(ipaddr.parse(text)) : null;
}

/** Whether an address is on the public internet: not private, local or reserved, and not a gateway to such an address. */
export function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast" && !METADATA.has(address.toString());
  const embedded = embeddedIPv4(address);
  if (embedded !== null) return isPublic(embedded);
  return address.match(GLOBAL_IPV6) && address.range() === "unicast";
}

/** `::ffff:a.b.c.d` is that IPv4 address: the operating system connects to it. */
function unmapIpv4(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** The IPv4 address to which a gateway forwards: NAT64 (RFC 6052) at the end, 6to4 (RFC 3056) after the prefix. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  if (address.range() === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  const isWellKnownNat64 = address.range() === "rfc6052" && bytes[4] === 0 && bytes[5] === 0;
  return isWellKnownNat64 ? new ipaddr.IPv4(bytes.slice(12)) : null;
}
