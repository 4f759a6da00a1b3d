import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { ProofKind } from "@palisade/contract/http/backends";

/** As stored for a host and a port of the shield; nulls without one. */
export interface StoredProof {
  readonly proof_kind: ProofKind | null;
  /** The IP address that the proof holds for; null where an edge only saw an answer. */
  readonly proof_address: string | null;
}

/**
 * Whether players of the game may be relayed to an address with this proof. That it speaks
 * Minecraft says nothing about whose it is, so a game that is not parsed needs its owner's proof,
 * and that holds for one address only: a name can lead to a stranger tomorrow.
 */
export function isProven(
  { proof_kind: kind, proof_address: address }: StoredProof,
  game: BackendGroupConfig["game"],
): boolean {
  if (game === "minecraft") return kind !== null;
  return kind !== null && kind !== "minecraft" && address !== null;
}
