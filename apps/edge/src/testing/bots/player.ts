import { setTimeout as delay } from "node:timers/promises";
import type { Bot } from "./bot.ts";
import { humanName, loopbackAddress } from "./names.ts";
import { ping, type Target, type Visit, visit, type Visitor, type VisitOptions } from "./visit.ts";

/** Words by which a player knows how they fare. */
export interface Words {
  /** The server says it to everybody who reaches it. */
  readonly inside: string;
  /** The edge says it to those that it has verified. */
  readonly rejoin: string;
}

/** Time that a player takes to join again. */
const rejoinMs = 1_000;

export function visitorOf(n: number, protocol: number, target: Target): Visitor {
  return { target, protocol, name: humanName(n), from: loopbackAddress(n) };
}

export interface Stay {
  readonly first: Visit;
  /** Has been let in, at the first or the second try. */
  readonly isInside: boolean;
}

/** Pings, joins, and joins again if the edge wants that. */
export async function play(
  visitor: Visitor,
  createBot: () => Bot,
  options: VisitOptions,
  { inside, rejoin }: Words,
): Promise<Stay> {
  await ping(visitor);
  const first = await visit(visitor, createBot(), options);
  if (!first.text.includes(rejoin)) return { first, isInside: first.text.includes(inside) };
  await delay(rejoinMs);
  const second = await visit(visitor, createBot(), options);
  return { first, isInside: second.text.includes(inside) };
}
