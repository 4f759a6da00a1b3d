import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { type AddressSet, compileAddressSet } from "#src/rules/address-set.ts";

/**
 * Addresses of all edges, as last received from the control plane; empty before that. Two edges
 * that are each other's backend would pass one connection round without end.
 */
export class FleetAddresses {
  #set: AddressSet | null = null;

  /** Text that is no address is skipped: nodes give theirs in any spelling. */
  replace(addresses: readonly string[]): void {
    const readable = addresses.filter((address) => parseIp(address) !== undefined);
    const compiled = compileAddressSet(readable);
    if (compiled.ok) this.#set = compiled.set;
  }

  has(ip: IpBytes): boolean {
    return this.#set?.has(ip) ?? false;
  }
}
