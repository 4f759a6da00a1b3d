import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { acks, enrolBody, type Ack } from "@palisade/contract/edge/edge-routes";
import { probeResult, type ProbeResult } from "@palisade/contract/edge/probe";
import type { StreamLine, StreamRecord } from "@palisade/contract/edge/stream";
import { telemetryReport, type TelemetryReport } from "@palisade/contract/edge/telemetry";

const renewalTimes = {
  expires_at: "2200-01-01T00:00:00.000Z",
  renew_at: "2199-01-01T00:00:00.000Z",
};
/** The api's limit. */
const bodyBytesMax = 4 * 1024 * 1024;

/**
 * A control plane for tests: a real HTTP server that speaks enrolment, the configuration
 * stream, acknowledgements and telemetry of the contract, with faults on request.
 */
export interface ControlPlaneServer {
  readonly url: string;
  readonly port: number;
  readonly credential: string;
  readonly token: string;
  readonly nodeId: string;
  /** Every acknowledgement received. */
  readonly acks: Ack[];
  readonly reports: TelemetryReport[];
  /** Every answer to a probe received. */
  readonly probes: ProbeResult[];
  /** `since` of every stream opened. */
  readonly opened: number[];
  /** The origin of `since` that each stream named. */
  readonly origins: { edge: string | null; epoch: string | null }[];
  /** Versions reported with acknowledgements, without repetitions. */
  readonly reported: number[];
  readonly enrolments: { token: string; addresses: string[] }[];
  /** The credential in each call that renews it; the new one is the same. */
  readonly renewals: string[];
  /** Commits a change: a delta to open streams, and part of later snapshots. */
  change(records: readonly StreamRecord[], removed?: readonly string[]): number;
  setZone(zone: unknown): void;
  /** Writes any line, or any text, to every open stream. */
  send(line: StreamLine | string): void;
  /** Ends all open streams, as a restart of the api would. */
  endStreams(): void;
  streams(): number;
  version(): number;
  /** Continues with another history, as after a restore from backup. */
  restore(backup: { epoch: string; version: number; records: readonly StreamRecord[] }): void;
  /** Answers with this status (by path: config, acks, telemetry, probes, enrol). null ends it, "silence" never answers. */
  fail(path: string, status: number | "silence" | null): void;
  /** Accepts telemetry and closes the connection without an answer. */
  loseAnswers(isLost: boolean): void;
  /** Number of requests that failed this way. */
  failures(): number;
  /** Replaces the snapshot's `shield` line of this shield. */
  replaceLine(shieldId: string, text: string): void;
  close(): Promise<void>;
}

export async function startControlPlaneServer(
  options: { port?: number; heartbeatMs?: number; kind?: "edge" | "dns" } = {},
): Promise<ControlPlaneServer> {
  const credential = "test-credential-0123456789";
  const token = "test-enrolment-token-0123456789";
  const nodeId = "0198f000-0000-7000-8000-0000000000ed";
  const records = new Map<string, StreamRecord>();
  const replaced = new Map<string, string>();
  const failures = new Map<string, number | "silence">();
  const streams = new Set<ServerResponse>();
  const received = {
    acks: [] as Ack[],
    reports: [] as TelemetryReport[],
    probes: [] as ProbeResult[],
    opened: [] as number[],
    origins: [] as { edge: string | null; epoch: string | null }[],
    reported: [] as number[],
    enrolments: [] as { token: string; addresses: string[] }[],
    renewals: [] as string[],
  };
  let version = 1;
  let epoch = "history-1";
  let zone: unknown = null;
  let tokenUsed = false;
  let answersAreLost = false;
  let failed = 0;

  function write(stream: ServerResponse, line: StreamLine | string): void {
    stream.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  function openStream(request: IncomingMessage, response: ServerResponse): void {
    const query = new URL(request.url ?? "/", "http://x").searchParams;
    const since = Number(query.get("since"));
    const origin = { edge: query.get("edge"), epoch: query.get("epoch") };
    received.opened.push(since);
    received.origins.push(origin);
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.flushHeaders();
    if (since !== version || origin.epoch !== epoch || origin.edge !== nodeId) {
      write(response, { kind: "snapshot_start", version, epoch });
      for (const record of records.values()) {
        const text = replaced.get(record.shield_id);
        write(response, text ?? { kind: "shield", version, record });
      }
      write(response, { kind: "snapshot_end", version, count: records.size });
    }
    if (zone !== null) write(response, { kind: "zone", version, zone });
    streams.add(response);
    response.on("close", () => streams.delete(response));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://x").pathname.split("/").at(-1) ?? "";
    const failure = failures.get(path);
    const authorised = path === "enrol" || request.headers.authorization === `Bearer ${credential}`;
    if (failure !== undefined) failed += 1;
    if (failure === "silence") return;
    if (failure !== undefined || !authorised) return problem(response, failure ?? 401);
    if (path === "config") return openStream(request, response);
    if (path === "credential") {
      received.renewals.push(request.headers.authorization ?? "");
      return json(response, 200, { credential, ...renewalTimes });
    }
    const given = await text(request);
    const body: unknown = JSON.parse(given);
    if (path === "acks") {
      const report = acks.body.parse(body);
      received.acks.push(...report.acks);
      if (received.reported.at(-1) !== report.version) received.reported.push(report.version);
      return json(response, 200, { message: "Received" });
    }
    if (path === "telemetry") {
      const report = telemetryReport.safeParse(body);
      if (given.length > bodyBytesMax) return problem(response, 413);
      if (!report.success) return problem(response, 422);
      received.reports.push(report.data);
      if (answersAreLost) return void response.destroy();
      return json(response, 200, { accepted: true });
    }
    if (path === "probes") {
      received.probes.push(probeResult.parse(body));
      return json(response, 200, { accepted: true });
    }
    const enrolment = enrolBody.parse(body);
    if (enrolment.token !== token || tokenUsed) return problem(response, 422);
    tokenUsed = true;
    received.enrolments.push(enrolment);
    return json(response, 201, {
      edge_id: nodeId,
      kind: options.kind ?? "edge",
      location: "local",
      credential,
    });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  const heartbeat = setInterval(() => {
    for (const stream of streams) write(stream, { kind: "heartbeat", version });
  }, options.heartbeatMs ?? 50);

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    credential,
    token,
    nodeId,
    ...received,
    change(changed, removed = []) {
      const since = version;
      version += 1;
      for (const record of changed) records.set(record.shield_id, record);
      for (const shieldId of removed) records.delete(shieldId);
      const delta: StreamLine = {
        kind: "delta",
        version,
        since,
        shields: [...changed],
        removed: [...removed],
      };
      for (const stream of streams) write(stream, delta);
      return version;
    },
    setZone(next) {
      zone = next;
      for (const stream of streams) write(stream, { kind: "zone", version, zone });
    },
    send(line) {
      for (const stream of streams) write(stream, line);
    },
    endStreams() {
      for (const stream of streams) stream.end();
    },
    streams: () => streams.size,
    version: () => version,
    restore(backup) {
      ({ epoch, version } = backup);
      records.clear();
      for (const record of backup.records) records.set(record.shield_id, record);
      for (const stream of streams) stream.end();
    },
    fail(path, status) {
      if (status === null) failures.delete(path);
      else failures.set(path, status);
    },
    loseAnswers(isLost) {
      answersAreLost = isLost;
    },
    failures: () => failed,
    replaceLine(shieldId, line) {
      replaced.set(shieldId, line);
    },
    async close() {
      clearInterval(heartbeat);
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function problem(response: ServerResponse, status: number): void {
  const code =
    { 401: "unauthenticated", 422: "enrolment_refused", 500: "internal" }[status] ?? "unavailable";
  const message =
    code === "enrolment_refused" ? "The enrolment token is unknown, used or expired" : code;
  json(response, status, { type: "about:blank", title: code, status, code, message, issues: [] });
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
