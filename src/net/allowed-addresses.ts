/** Decides to which of the IP addresses of a host a connection may go. */
import type { AddressTarget, Permitted } from "../ports/browser.ts";
import { createAllowList } from "./allow-list.ts";
import { addressRefused } from "./check-request.ts";
import { isPublic, parseAddress } from "./ip-address.ts";

/**
 * @param allow The option `net.allow`.
 * @throws StepwellError `invalid` for an invalid entry of `allow`
 */
export function createAddressFilter(allow: readonly string[] = []): Permitted {
  const allowed = createAllowList(allow);
  return ({ hostname, port, name }: AddressTarget, found) => {
    if (allowed.host(hostname, port)) return found;
    const permitted = found.filter((text) => {
      const address = parseAddress(text);
      return address !== null && (isPublic(address) || allowed.address(address, port));
    });
    // The message does not contain the IP addresses: they would map the internal network for the caller.
    if (permitted.length === 0) {
      throw addressRefused(
        `${name} does not resolve to a public IP address. The option net.allow can permit private addresses.`,
      );
    }
    return permitted;
  };
}
