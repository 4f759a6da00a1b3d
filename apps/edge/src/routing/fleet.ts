import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { type AddressSet, compileAddressSet } from "#src/protection/address-set.ts";

/**
 * Addresses of all edges, as the control plane last told them: none before it was first heard.
 * Two edges that are each other's backend would pass one connection round without end.
 */
export class FleetAddresses {
  #set: AddressSet | null = null;

  /** Anything that is no address is passed over: nodes give theirs in any spelling. */
  replace(addresses: readonly string[]): void {
    const readable = addresses.filter((address) => parseIp(address) !== undefined);
    const compiled = compileAddressSet(readable);
    if (compiled.ok) this.#set = compiled.set;
  }

  has(ip: IpBytes): boolean {
    return this.#set?.has(ip) ?? false;
  }
}
