import { PassThrough } from "node:stream";
import { configSchemaVersions } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { createNdjsonWriter } from "#src/platform/http/ndjson-writer.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { recordAcks } from "./acks.service.ts";
import { serveConfigStream, type ConfigStreamDeps } from "./config-stream.ts";
import { getPropagation } from "./propagation.service.ts";
import type { SchemaReadiness } from "./schema-readiness.ts";

export interface ConfigurationRoutesDeps {
  readonly stream: ConfigStreamDeps;
  readonly readiness: SchemaReadiness;
  readonly stallMs: number;
  readonly probes: ProbeStream;
}

export interface ProbeStream {
  /**
   * Writes the probes requested from the edge to its stream until `signal` aborts. Resolves once no
   * older stream of the edge is given a request any more. Never rejects.
   */
  serve(edgeId: string, write: (line: string) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export function mountConfigurationRoutes(mount: Mount, deps: ConfigurationRoutesDeps): void {
  const { stream, readiness, stallMs, probes } = deps;
  const { db } = stream;
  mount(routes.servers.getPropagation, async (_ctx, { params, query }) => ({
    body: await getPropagation(db, params.id, query.revision),
  }));
  mount(routes.edge.acks, async (ctx, { body }) => {
    await recordAcks(db, ctx.actor, body);
    return { body: { message: ctx.text("ok.received") } };
  });
  mount(routes.edge.configStream, async (ctx, { query }) => {
    if (!configSchemaVersions.some((version) => version === query.schema)) {
      throw new DomainError("schema_unsupported");
    }
    await readiness.require(query.schema);
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    const { actor: edge } = ctx;
    const ended = new AbortController();
    const signal = AbortSignal.any([ctx.signal, ended.signal]);
    const writer = createNdjsonWriter(output, stallMs);
    // Probes and configuration share the stream and do not wait for each other. Once an edge has read
    // a line of this stream, no older one of it is given a probe.
    if (edge.nodeKind === "edge") {
      await probes.serve(edge.edgeId, (line) => writer.write(line), signal);
    }
    const { since, schema, program_version: programVersion } = query;
    const origin = { edge: query.edge, epoch: query.epoch };
    serveConfigStream(stream, { since, schema, programVersion, origin, edge, writer, signal }).then(
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
    // A kept-alive connection would delay a shutdown after its stream has ended.
    return { body: output, headers: { connection: "close" } };
  });
}
