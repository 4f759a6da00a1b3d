import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { ProofKind } from "@palisade/contract/http/backends";

/** As stored for a host and a port of the shield; nulls without one. */
export interface StoredProof {
  readonly proof_kind: ProofKind | null;
  /** The IP address that the proof holds for; null where an edge only saw an answer. */
  readonly proof_address: string | null;
}

/**
 * Proofs that count for a game that is not parsed. That a server speaks Minecraft says nothing about
 * whose it is, and a proxy that many share shows the MOTD of the customer whose name it is asked for.
 */
const ofOwner: ReadonlySet<ProofKind> = new Set(["upgrade", "greeting", "record"]);

/** Whether an owner's proof of this kind, just seen, opens the address to players of the game. */
export function countsFor(kind: ProofKind, game: BackendGroupConfig["game"]): boolean {
  return game === "minecraft" || ofOwner.has(kind);
}

/**
 * Whether players of the game may be relayed to an address with this proof. For a game that is not
 * parsed it holds for one address only, because a name can lead to a stranger tomorrow.
 */
export function isProven(
  { proof_kind: kind, proof_address: address }: StoredProof,
  game: BackendGroupConfig["game"],
): boolean {
  if (kind === null || !countsFor(kind, game)) return false;
  return game === "minecraft" || address !== null;
}
