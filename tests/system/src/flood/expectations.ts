import { botsLetIn, edgeUsage } from "./edge-usage.ts";
import { attackThreshold, type FloodLevel, type FloodPlan } from "./plan.ts";
import type { FloodResult } from "./run-flood.ts";

/** Share of the real clients, which are all new, that is verified; at medium not those before the attack. */
const verifiedShare: Partial<Record<FloodLevel, number>> = { medium: 0.9, high: 1, extreme: 1 };
/**
 * How much more memory the edge may use at the end of the last flood than at the end of the first:
 * garbage collections are irregular. Heaps reach their size after about 40 s of flood.
 */
const memoryFactor = 1.1;
const grownSeconds = 50;
/** Additional share of a core that the edge may use when the kernel drops the bots. */
const idleCpu = 0.1;

/** Whether the machine was fast enough for the plan; all other expectations hold at any speed. */
export function unmetPace(plan: FloodPlan, { bots }: FloodResult): string[] {
  const broken: string[] = [];
  const planned = plannedBots(plan);
  if (bots.ms > 1.05 * 1_000 * plan.seconds * plan.floods || bots.skipped > 0.01 * planned) {
    broken.push("the bots were slower than planned");
  }
  if (plan.kernel === "off" && bots.unconnected > 0.01 * planned) {
    broken.push(`${bots.unconnected} bots were never connected, although the kernel bans nothing`);
  }
  if (plan.spread === "wide" && bots.connected < 0.95 * planned) {
    broken.push(`only ${bots.connected} bots were connected`);
  }
  return broken;
}

/** Expectations that the flood did not meet. */
export function unmetExpectations(plan: FloodPlan, run: FloodResult): string[] {
  return [...ofBots(plan, run), ...ofPlayers(plan, run), ...ofEdge(plan, run)];
}

function ofBots(plan: FloodPlan, run: FloodResult): string[] {
  const broken: string[] = [];
  const banned = run.outcomes.get("shed_ban") ?? 0;
  if (plan.spread === "wide" && banned > 0.01 * plannedBots(plan)) {
    broken.push(`${banned} bots were banned, so the level was not tested`);
  }
  const letIn = botsLetIn(plan, run);
  if (letIn > admittedMax(plan)) broken.push(`${letIn} bots were let in`);
  return broken;
}

function plannedBots({ botsPerSecond, seconds, floods }: FloodPlan): number {
  return botsPerSecond * seconds * floods;
}

/** Low and medium let unknown players in until an attack begins, which then outlasts all floods. */
function admittedMax({ level }: FloodPlan): number {
  if (level === "disabled") return Infinity;
  return level === "low" || level === "medium" ? attackThreshold : 0;
}

function ofPlayers({ level }: FloodPlan, { joins, floods }: FloodResult): string[] {
  const broken: string[] = [];
  if (joins.tried === 0 || joins.joined < 0.99 * joins.tried) {
    const some = joins.failures.slice(0, 5).join("; ");
    broken.push(`${joins.joined} of ${joins.tried} real clients joined: ${some}`);
  }
  if (joins.verified < joins.joined * (verifiedShare[level] ?? 0)) {
    broken.push(`only ${joins.verified} of ${joins.joined} real clients were verified`);
  }
  const lost = floods.at(-1)?.lost ?? 0;
  if (lost > 0) broken.push(`${lost} players lost their connection`);
  return broken;
}

function ofEdge(plan: FloodPlan, run: FloodResult): string[] {
  const broken: string[] = [];
  const { quiet, floods } = edgeUsage(plan, run);
  const [first, last] = [floods[0]?.rssBytes ?? 0, floods.at(-1)?.rssBytes ?? 0];
  if (plan.seconds >= grownSeconds && last > memoryFactor * first)
    broken.push("memory grows from flood to flood");
  if (plan.kernel === "auto" && plan.spread === "dense") {
    if (run.drops.banned === 0) broken.push("the kernel dropped nothing");
    const cpu = floods.at(-1)?.lastCpu ?? 0;
    if (cpu > quiet.cpu + idleCpu)
      broken.push("the kernel drops the bots, but the edge is still busy");
  }
  return broken;
}
