import { botsLetIn, edgeUsage } from "./edge-usage.ts";
import { attackThreshold, type FloodLevel, type FloodPlan } from "./plan.ts";
import type { FloodResult } from "./run-flood.ts";

/** Of real clients, all of them new, how many it verifies: at medium not those before the attack. */
const verifiedShare: Partial<Record<FloodLevel, number>> = { medium: 0.9, high: 1, extreme: 1 };
/**
 * How far memory at the end of the last flood may lie above that of the first: collections come when
 * they like. Heaps have grown to what floods need after the first 40 s or so.
 */
const memoryFactor = 1.1;
const grownSeconds = 50;
/** Of a core: what the edge may take beside what it took before, once the kernel has the bots. */
const idleCpu = 0.1;

/** Whether the machine was fast enough for it; what else is promised holds at any pace. */
export function unmetPace(plan: FloodPlan, { bots }: FloodResult): string[] {
  const broken: string[] = [];
  const meant = meantBots(plan);
  if (bots.ms > 1.05 * 1_000 * plan.seconds * plan.floods || bots.skipped > 0.01 * meant) {
    broken.push("the generator has not kept up");
  }
  if (plan.kernel === "off" && bots.unconnected > 0.01 * meant) {
    broken.push(`${bots.unconnected} bots were never connected, without the kernel's doing`);
  }
  if (plan.spread === "wide" && bots.connected < 0.95 * meant) {
    broken.push(`only ${bots.connected} bots were connected`);
  }
  return broken;
}

/** What such a flood was meant to show and has not. */
export function unmetExpectations(plan: FloodPlan, run: FloodResult): string[] {
  return [...ofBots(plan, run), ...ofPlayers(plan, run), ...ofEdge(plan, run)];
}

function ofBots(plan: FloodPlan, run: FloodResult): string[] {
  const broken: string[] = [];
  const banned = run.outcomes.get("shed_ban") ?? 0;
  if (plan.spread === "wide" && banned > 0.01 * meantBots(plan)) {
    broken.push(`${banned} bots were banned, so that nothing is said of the level`);
  }
  const letIn = botsLetIn(plan, run);
  if (letIn > mayGetIn(plan)) broken.push(`${letIn} bots were let in`);
  return broken;
}

function meantBots({ botsPerSecond, seconds, floods }: FloodPlan): number {
  return botsPerSecond * seconds * floods;
}

/** Low and medium ask nothing of strangers until there is an attack, which then outlasts all floods. */
function mayGetIn({ level }: FloodPlan): number {
  if (level === "disabled") return Infinity;
  return level === "low" || level === "medium" ? attackThreshold : 0;
}

function ofPlayers({ level }: FloodPlan, { joins, floods }: FloodResult): string[] {
  const broken: string[] = [];
  if (joins.tried === 0 || joins.joined < 0.99 * joins.tried) {
    const some = joins.failures.slice(0, 5).join("; ");
    broken.push(`${joins.joined} of ${joins.tried} real clients have joined: ${some}`);
  }
  if (joins.verified < joins.joined * (verifiedShare[level] ?? 0)) {
    broken.push(`only ${joins.verified} of ${joins.joined} real clients were verified`);
  }
  const lost = floods.at(-1)?.lost ?? 0;
  if (lost > 0) broken.push(`${lost} players have lost their connection`);
  return broken;
}

function ofEdge(plan: FloodPlan, run: FloodResult): string[] {
  const broken: string[] = [];
  const { quiet, floods } = edgeUsage(plan, run);
  const [first, last] = [floods[0]?.rssBytes ?? 0, floods.at(-1)?.rssBytes ?? 0];
  if (plan.seconds >= grownSeconds && last > memoryFactor * first)
    broken.push("memory grows from flood to flood");
  if (plan.kernel === "auto" && plan.spread === "dense") {
    if (run.drops.banned === 0) broken.push("the kernel has dropped nothing");
    const cpu = floods.at(-1)?.lastCpu ?? 0;
    if (cpu > quiet.cpu + idleCpu) broken.push("the kernel has the bots, and the edge is busy");
  }
  return broken;
}
