/** Decides to which of the addresses that a name stands for a connection may go. */
import type { AddressTarget, Permitted } from "../ports/browser.ts";
import { createAllowList } from "./allow-list.ts";
import { addressRefused } from "./check-request.ts";
import { isPublic, parseAddress } from "./ip-address.ts";

/**
 * @param allow As `net.allow` of the options.
 * @throws StepwellError `invalid` when an entry of `allow` cannot be read.
 */
export function createAddressFilter(allow: readonly string[] = []): Permitted {
  const allowed = createAllowList(allow);
  return ({ hostname, port, name }: AddressTarget, found) => {
    if (allowed.host(hostname, port)) return found;
    const fine = found.filter((text) => {
      const address = parseAddress(text);
      return address !== null && (isPublic(address) || allowed.address(address, port));
    });
    // The message does not tell where the name leads: that would map the inside of the network for whoever asks.
    if (fine.length === 0) throw addressRefused(`${name} does not resolve to a public IP address.`);
    return fine;
  };
}
