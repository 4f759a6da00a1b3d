import { type AttackRules, edgeAttackRules } from "./attack-state.ts";

/** Stands for the edge as a whole in place of a shield's id. */
const edgeHex = "f".repeat(32);

/** A shield's attack rules, and its id as a slot has it: of a hundred thousand shields each has one. */
export interface AttackKey extends AttackRules {
  readonly key0: number;
  readonly key1: number;
  readonly high0: number;
  readonly high1: number;
}

/** @param rules of a shield, whose id is a UUID, or of the edge as a whole */
export function attackKeyOf(rules: AttackRules): AttackKey {
  const hex = rules.shieldId?.replaceAll("-", "") ?? edgeHex;
  const bytes = Buffer.from(hex, "hex");
  return {
    ...rules,
    key0: bytes.readInt32LE(8),
    key1: bytes.readInt32LE(12),
    high0: bytes.readInt32LE(0),
    high1: bytes.readInt32LE(4),
  };
}

/** Key of the edge as a whole. */
export const edgeAttackKey = attackKeyOf(edgeAttackRules);

type IdWords = readonly [key0: number, key1: number, high0: number, high1: number];

/** The shield's id; null for the edge as a whole. */
export function shieldIdOf([key0, key1, high0, high1]: IdWords): string | null {
  const hex = Buffer.from(Int32Array.of(high0, high1, key0, key1).buffer).toString("hex");
  if (hex === edgeHex) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
