import type { ClientInformation } from "./client-information.ts";
import type { FieldReader } from "./fields.ts";
import { isKnown } from "./versions.ts";

/**
 * What a client sends once it is logged in, as far as a verification cares. Both states that a
 * client can then be in (configuration.ts from 1.20.2 on, play.ts before) decode to this.
 */
export type ClientPacket =
  | { readonly kind: "keep-alive"; readonly id: bigint }
  | { readonly kind: "client-information"; readonly information: ClientInformation }
  /** `vanilla`, `fabric`, `forge` ... */
  | { readonly kind: "brand"; readonly brand: string }
  | { readonly kind: "plugin-message"; readonly channel: string }
  /** Client acknowledges the end of the configuration state, which it only does when told. */
  | { readonly kind: "configuration-finished" }
  /** The version has such a packet; it was not looked into. */
  | { readonly kind: "other" }
  /** The version has no such packet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "malformed" };

export const otherPacket: ClientPacket = { kind: "other" };
export const unknownPacket: ClientPacket = { kind: "unknown" };
export const malformedPacket: ClientPacket = { kind: "malformed" };

/** Ids of keep-alives that every version can carry: 0 to this. */
export const keepAliveIdMax = 0x7fffffffn;

/**
 * Whether a packet's fields are what its version has: exactly, but for versions after the table,
 * which may have added some.
 */
export function fits(fields: FieldReader, protocol: number): boolean {
  return isKnown(protocol) ? fields.complete : !fields.failed;
}
