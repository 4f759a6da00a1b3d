import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { ProofKind } from "@palisade/contract/http/backends";

/**
 * Whether players of the game may be relayed to an address with this proof. That it speaks
 * Minecraft says nothing about whose it is, so a game that is not parsed needs its owner's proof.
 */
export function isProven(kind: ProofKind | null, game: BackendGroupConfig["game"]): boolean {
  return kind !== null && (game === "minecraft" || kind !== "minecraft");
}
