import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { routes } from "@palisade/contract/http/routes";
import type { ProbeAnswer } from "@palisade/contract/http/server-setup";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import {
  isProtectable,
  requireBackendPort,
  type AddressRules,
} from "#src/features/backends/backend-address.service.ts";
import { selectProbeEdges } from "./probes.repository.ts";
import type { Probes } from "./probes.service.ts";

/** An edge that does not take the request at once has lost its stream: the next one is asked. */
const takenWithinMs = 2_000;
const deadlineMs = 3_000;
const edgesAskedMax = 2;

export interface ProbesRoutesDeps {
  readonly db: Db;
  readonly probes: Probes;
  readonly rules: AddressRules;
}

type Seen = Omit<ProbeAnswer, "message">;

export function mountProbesRoutes(mount: Mount, deps: ProbesRoutesDeps): void {
  const { probes } = deps;
  mount(routes.probes.probe, async (ctx, { body }) => {
    requireBackendPort(deps.rules, body.real_port, "real_port");
    const typed = { host: body.real_ip, port: body.real_port, asker: ctx.actor.userId };
    const seen = await lookAt(deps, typed, ctx.signal);
    return { body: { ...seen, message: ctx.text(`probe.${seen.outcome}`) } };
  });
  mount(routes.edge.probes, async (ctx, { body }) => ({
    body: { accepted: await probes.answer(ctx.actor.edgeId, body) },
  }));
}

/** Probes the address through one healthy edge; never an error, whatever the edges do. */
async function lookAt(
  { db, probes, rules }: ProbesRoutesDeps,
  typed: { readonly host: string; readonly port: number; readonly asker: string },
  signal: AbortSignal,
): Promise<Seen> {
  const unseen = { edge: null, latency_ms: null, status: null };
  if (!(await isProtectable(db, rules, typed.host))) return { outcome: "forbidden", ...unseen };
  for (const edge of await selectProbeEdges(db, edgesAskedMax)) {
    const answer = await probes.ask(
      edge.id,
      {
        ...typed,
        purpose: "wizard",
        hostname: typed.host,
        protocol: currentProtocol,
        proxy: "without",
        deadline_ms: deadlineMs,
        takenWithinMs,
      },
      signal,
    );
    const attempt = answer?.attempts[0];
    if (attempt === undefined || attempt.outcome === "skipped") continue;
    const { latency_ms, status } = attempt;
    const outcome = answer?.expects_proxy === true ? "expects_proxy" : told(attempt.outcome);
    return { outcome, edge: edge.name, latency_ms, status };
  }
  return { outcome: "no_edge", ...unseen };
}

/** Closed and filtered ports look the same, because the user may not own the address (ADR 10). */
function told(outcome: Seen["outcome"]): Seen["outcome"] {
  return outcome === "refused" ? "timeout" : outcome;
}
