import { fileURLToPath } from "node:url";
import { z } from "zod";
import { checkout } from "#src/paths.ts";

/** The parts of a profile of `node --cpu-prof` that are used here. */
export const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});

export type CpuProfile = z.infer<typeof cpuProfile>;

export interface FunctionTime {
  readonly name: string;
  /** Share of the time that was not idle: in the function itself, and with everything it called. */
  readonly self: number;
  readonly total: number;
}

/** A thread that runs the reactor waits in the second one. */
const idle = ["(idle)", "wait packages/sockets/src/epoll.ts"];

/**
 * The functions with the most time of their own.
 *
 * @param skipUs time at the beginning that is left out, because it is the start of the program
 */
export function topFunctions(profile: CpuProfile, count: number, skipUs = 0): FunctionTime[] {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((n) => (n.children ?? []).map((c) => [c, n.id])));
  const selfUs = new Map<string, number>();
  const totalUs = new Map<string, number>();
  let busyUs = 0;
  let elapsedUs = 0;
  for (const [index, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[index] ?? 0;
    const name = nameOf(byId.get(id));
    elapsedUs += us;
    if (idle.some((each) => name.startsWith(each)) || elapsedUs <= skipUs) continue;
    busyUs += us;
    add(selfUs, name, us);
    const seen = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      seen.add(nameOf(byId.get(at)));
    }
    for (const caller of seen) add(totalUs, caller, us);
  }
  return [...selfUs]
    .map(([name, us]) => ({ name, self: us / busyUs, total: (totalUs.get(name) ?? 0) / busyUs }))
    .sort((a, b) => b.self - a.self)
    .slice(0, count);
}

function nameOf(node: CpuProfile["nodes"][number] | undefined): string {
  if (node === undefined) return "?";
  const { functionName, url, lineNumber } = node.callFrame;
  const name = functionName || "(anonymous)";
  if (url === "") return name;
  const file = url.startsWith("file:") ? fileURLToPath(url).replace(`${checkout}/`, "") : url;
  return `${name} ${file}:${lineNumber + 1}`;
}

function add(sums: Map<string, number>, key: string, by: number): void {
  sums.set(key, (sums.get(key) ?? 0) + by);
}
