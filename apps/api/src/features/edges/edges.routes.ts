import { PassThrough } from "node:stream";
import { configSchemaVersions } from "@palisade/contract/edge/shield-config";
import { heartbeatMs } from "@palisade/contract/edge/stream";
import { routes } from "@palisade/contract/http/routes";
import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { Feature } from "#src/platform/platform.ts";
import { recordAcks } from "./acks.ts";
import { createConfigFeed } from "./config-feed.ts";
import { createClockWatch } from "./clock-watch.ts";
import { createCompiledGate } from "./compiled-gate.ts";
import { serveConfigStream } from "./config-stream.ts";
import type { Probes } from "#src/features/probes/probes.service.ts";
import { enrol, inviteEdge, listEdges, revoke } from "./edges.service.ts";
import { telemetryCleaning } from "./edges.jobs.ts";
import { createLineSink, stallMsMax } from "./line-sink.ts";
import { createSemaphore } from "./semaphore.ts";
import { recordTelemetry } from "./telemetry.ts";

/** Of the pool's connections, so that slow readers never take them all. */
const snapshotsAtOnce = 4;

export interface EdgesFeatureDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly zone: string;
  readonly probes: Pick<Probes, "serve">;
  readonly timing?: {
    readonly heartbeatMs: number;
    readonly pollMs: number;
    readonly stallMs: number;
  };
}

export function createEdgesFeature(deps: EdgesFeatureDeps): Feature {
  const { db, bus, log, zone } = deps;
  const timing = deps.timing ?? { heartbeatMs, pollMs: 2_000, stallMs: stallMsMax };
  const feed = createConfigFeed({ db, bus, log, pollMs: timing.pollMs });
  const stream = {
    db,
    feed,
    zone,
    heartbeatMs: timing.heartbeatMs,
    snapshots: createSemaphore(snapshotsAtOnce),
  };
  const compiled = createCompiledGate(db);
  const clocks = createClockWatch(log);
  return {
    start: () => feed.start(),
    stop: () => feed.stop(),
    jobs: [telemetryCleaning(db)],
    mountRoutes(mount) {
      mount(routes.staffEdges.listEdges, async () => ({ body: { edges: await listEdges(db) } }));
      mount(routes.staffEdges.createEdge, (ctx, { body }) =>
        unitOfWork(ctx, async (trx) => {
          const { edge, token } = await inviteEdge(trx, body, ctx.now);
          return { body: { edge, enrolment_token: token } };
        }),
      );
      mount(routes.staffEdges.revokeEdge, (ctx, { params }) =>
        unitOfWork(ctx, async (trx) => {
          await revoke(deps, trx, params.edgeId);
          return { body: { message: ctx.text("ok.edge_revoked") } };
        }),
      );
      mount(routes.edge.enrol, (ctx, { body }) =>
        unitOfWork(ctx, async (trx) => ({
          body: await enrol(deps, trx, { ...body, now: ctx.now }),
        })),
      );
      mount(routes.edge.acks, async (ctx, { body }) => {
        await recordAcks(db, ctx.actor, body);
        return { body: { message: ctx.text("ok.received") } };
      });
      mount(routes.edge.telemetry, async (ctx, { body }) => {
        const { isCounted, aheadMs } = await recordTelemetry(db, ctx.actor, body);
        clocks.look(ctx.actor.edgeId, aheadMs);
        return { body: { accepted: isCounted } };
      });
      mount(routes.edge.configStream, async (ctx, { query }) => {
        if (!configSchemaVersions.some((version) => version === query.schema)) {
          throw new DomainError("schema_unsupported");
        }
        await compiled.require(query.schema);
        const output = new PassThrough({ highWaterMark: 64 * 1024 });
        const { actor: edge } = ctx;
        const ended = new AbortController();
        const signal = AbortSignal.any([ctx.signal, ended.signal]);
        const sink = createLineSink(output, timing.stallMs);
        const { since, schema } = query;
        const origin = { edge: query.edge, epoch: query.epoch };
        serveConfigStream(stream, { since, schema, origin, edge, sink, signal }).then(
          () => {
            ended.abort();
            output.end();
          },
          (error: unknown) => {
            ended.abort();
            ctx.log.warn({ err: error, edge: edge.edgeId }, "Configuration stream ended early");
            output.destroy();
          },
        );
        // Beside the configuration, never before it: neither waits for the other.
        if (edge.nodeKind === "edge") {
          void deps.probes.serve(edge.edgeId, (line) => sink.write(line), signal);
        }
        // Kept alive, the connection would hold up a shutdown after its stream has ended.
        return { body: output, headers: { connection: "close" } };
      });
    },
  };
}
