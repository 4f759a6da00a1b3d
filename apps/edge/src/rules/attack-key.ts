import { type AttackRules, edgeAttackRules } from "./attack-state.ts";
import { type Key, SeededHash } from "./shared/seeded-hash.ts";

/** Stands for the edge as a whole in place of a shield's id. */
const edgeHex = "f".repeat(32);
/** Words of an id. */
export const idWords = 4;
const idHash = new SeededHash(new Uint8Array(8));

/**
 * A shield's attack rules, and its id as a key of the shared table, which keeps all of it. Ids are
 * random and not chosen by strangers, so their hash needs no seed.
 */
export interface AttackKey extends AttackRules, Key {
  readonly rest: Int32Array;
}

/** @param rules of a shield, whose id is a UUID, or of the edge as a whole */
export function attackKeyOf(rules: AttackRules): AttackKey {
  const hex = rules.shieldId?.replaceAll("-", "") ?? edgeHex;
  const bytes = Buffer.from(hex, "hex");
  const rest = Int32Array.from({ length: idWords }, (_, n) => bytes.readInt32LE(4 * n));
  idHash.digest(bytes, bytes.length);
  return { ...rules, high: idHash.high, low: idHash.low, rest };
}

/** Key of the edge as a whole. */
export const edgeAttackKey = attackKeyOf(edgeAttackRules);

/**
 * The shield's id; null for the edge as a whole.
 *
 * @param rest of its key
 */
export function shieldIdOf(rest: Int32Array): string | null {
  const bytes = Buffer.alloc(4 * idWords);
  for (const [n, word] of rest.entries()) bytes.writeInt32LE(word, 4 * n);
  const hex = bytes.toString("hex");
  if (hex === edgeHex) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
