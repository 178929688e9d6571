/** The private hosts and addresses that the option `net.allow` permits. */
import ipaddr from "ipaddr.js";
import { StepwellError } from "../errors.ts";
import { type Address, parseAddress } from "./ip-address.ts";

export interface AllowList {
  /** Whether a host name is allowed, whatever it resolves to. */
  host(hostname: string, port: number): boolean;
  address(address: Address, port: number): boolean;
}

interface Entry {
  /** Absent for all ports. */
  readonly port: number | undefined;
  /** A name in lower case, or a network. */
  readonly target: string | [Address, number];
}

/** `[…]`, optionally with a port: the only way to add a port to an IPv6 address or range. */
const BRACKETED = /^\[([^\]]+)\](?::(\d+))?$/;
const WITH_PORT = /^([^:]+)(?::(\d+))?$/;
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Parses entries such as `127.0.0.1:8080`, `10.0.0.0/8`, `intranet.local`, `[fd00::/8]:443`.
 * @throws StepwellError `invalid` for an invalid entry
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const parsed = entries.map(parseEntry);
  const matches = (port: number, fits: (target: Entry["target"]) => boolean) =>
    parsed.some((entry) => (entry.port === undefined || entry.port === port) && fits(entry.target));
  return {
    host: (hostname, port) => matches(port, (target) => target === withoutDot(hostname)),
    address: (address, port) => matches(port, (target) => typeof target !== "string" && within(address, target)),
  };
}

function parseEntry(entry: string): Entry {
  const text = entry.trim().toLowerCase();
  const [, body = text, digits] = BRACKETED.exec(text) ?? WITH_PORT.exec(text) ?? [];
  const target = parseTarget(body);
  const port = digits === undefined ? undefined : Number(digits);
  if (target === null || (port !== undefined && (port < 1 || port > 65_535))) {
    throw new StepwellError(
      "invalid",
      `net.allow: ${JSON.stringify(entry)} must be a host, an IP address or a CIDR range, with an optional port, ` +
        "such as 127.0.0.1:8080, 10.0.0.0/8, [fd00::/8]:443 or intranet.local.",
    );
  }
  return { target, port };
}

function parseTarget(text: string): Entry["target"] | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  if (address !== null) return [address, address.kind() === "ipv4" ? 32 : 128];
  const name = withoutDot(text);
  return NAME.test(name) ? name : null;
}

function within(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** `example.com.` is the same name as `example.com`. */
function withoutDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
