/** A soak of a Bedrock port: players, newcomers, and floods from forged addresses. */
export interface RakNetPlan {
  readonly players: number;
  /** The length of each flood. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly sources: number;
}

export { clientsAddress } from "../flood/plan.ts";

export const bedrockPorts = { edge: 19_132, backend: 19_200, flood: 40_000 } as const;

/** The flood's addresses begin here; the others are behind the last of them. */
export const firstSource = "10.64.0.1";
/** Below the players' addresses. */
export const sourcesMax = 8 * 65_536 - 2;

export const playersMax = 250;

export function playerAddress(n: number): string {
  return `10.72.0.${n + 1}`;
}

export function newcomerAddress(n: number): string {
  return `10.73.${(n >> 8) & 255}.${n & 255}`;
}
