import type { BotLevel } from "./shields.ts";

export interface BotResult {
  readonly level: BotLevel;
  readonly kind: string;
  readonly tried: number;
  readonly inside: number;
  /** How the others ended, or by which versions those got in. */
  readonly details: string;
}

/** Kinds that have the physics of the game. */
const withPhysics: ReadonlySet<string> = new Set(["game", "solver", "mineflayer"]);

/** The promise of the levels: at High none without physics gets in, at Extreme none but a solver. */
export function faultsOf(results: readonly BotResult[]): string[] {
  return results.flatMap(({ level, kind, tried, inside }) => {
    if (tried === 0) return [`${level}: no ${kind} has tried`];
    if (inside === 0 || level === "low" || level === "medium") return [];
    const mayPass = level === "high" ? withPhysics.has(kind) : kind === "solver";
    return mayPass ? [] : [`${level}: ${inside} of ${tried} ${kind} got in`];
  });
}

export function rowOf({ level, kind, tried, inside, details }: BotResult) {
  const share = tried === 0 ? "-" : `${((100 * inside) / tried).toFixed(2)} %`;
  return { level, kind, tried, "got in": inside, share, details };
}

export function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
