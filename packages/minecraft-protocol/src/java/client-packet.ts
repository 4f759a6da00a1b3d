import type { ClientInformation } from "./client-information.ts";
import type { FieldReader } from "./fields.ts";
import { isKnown } from "./versions.ts";

/**
 * Packets of a client after its login, as far as verification needs them. Both states that it can then
 * be in (configuration.ts from 1.20.2 on, play.ts before) decode to this.
 */
export type ClientPacket =
  | { readonly kind: "keep-alive"; readonly id: bigint }
  | { readonly kind: "client-information"; readonly information: ClientInformation }
  /** `vanilla`, `fabric`, `forge` ... */
  | { readonly kind: "brand"; readonly brand: string }
  | { readonly kind: "plugin-message"; readonly channel: string }
  /** The client acknowledges the end of the configuration state, which it does only when told. */
  | { readonly kind: "configuration-finished" }
  /** The version has such a packet; its fields are not decoded. */
  | { readonly kind: "other" }
  /** The version has no such packet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "malformed" };

export const otherPacket = { kind: "other" } as const;
export const unknownPacket = { kind: "unknown" } as const;
export const malformedPacket = { kind: "malformed" } as const;

/** Keep-alive ids from 0 to this fit every version. */
export const keepAliveIdMax = 0x7fffffffn;

/**
 * Whether a packet has exactly the fields of its version. Versions after the table may have more.
 */
export function fits(fields: FieldReader, protocol: number): boolean {
  return isKnown(protocol) ? fields.complete : !fields.failed;
}
