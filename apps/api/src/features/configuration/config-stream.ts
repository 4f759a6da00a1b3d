import type { Db } from "#src/platform/database/db.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";
import type { ConfigBroadcaster } from "./config-broadcaster.ts";
import {
  isEnrolled,
  selectEdgeAddresses,
  touchEdge,
} from "#src/features/liveness/liveness.service.ts";
import type { NdjsonWriter } from "#src/platform/http/ndjson-writer.ts";
import { deltaLine, shieldLine, toLine } from "./stream-lines.ts";
import type { Semaphore } from "./semaphore.ts";
import {
  noteProgram,
  noteSchema,
  selectAcknowledged,
  selectDeltaPage,
  selectHead,
  selectSnapshotPage,
  type Audience,
} from "./config-stream.repository.ts";
import { readZone } from "./zone.ts";

/** A snapshot holds a transaction open; a slower reader starts over. */
const snapshotMsMax = 60_000;

export interface ConfigStreamDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly broadcaster: ConfigBroadcaster;
  readonly zone: string;
  readonly heartbeatMs: number;
  /** Snapshots hold a connection while their reader reads: only so many at once. */
  readonly snapshots: Semaphore;
}

export interface StreamRequest {
  readonly edge: EdgeActor;
  readonly since: number;
  /** The edge that received `since` and the history it belongs to, as the node remembers them. */
  readonly origin: { readonly edge: string | undefined; readonly epoch: string | undefined };
  readonly schema: number;
  readonly programVersion: string | undefined;
  readonly writer: NdjsonWriter;
  /** The reader has gone, or the api is shutting down. */
  readonly signal: AbortSignal;
}

/**
 * Writes the stream of one node until its reader has gone, or its credential is revoked or expires:
 * then it ends within a heartbeat.
 */
export async function serveConfigStream(
  deps: ConfigStreamDeps,
  request: StreamRequest,
): Promise<void> {
  const { db, broadcaster } = deps;
  const { edge, writer, signal } = request;
  const audience: Audience = {
    kind: edge.nodeKind,
    location: edge.location,
    schema: request.schema,
  };
  const isWelcome = createPresence(deps, edge);
  let seen = broadcaster.generation();
  if (!(await isWelcome())) return;
  const { epoch } = await selectHead(db);
  await noteProgram(db, edge.edgeId, request.programVersion);
  const schemaSince = await noteSchema(db, edge.edgeId, request.schema);
  let place: StreamPosition = { position: request.since, cursor: request.since, epoch };
  let zone = "";
  const fleet = createFleetWriter(deps, writer);
  let wroteAt = -Infinity;
  const note = () => {
    wroteAt = performance.now();
  };

  if (request.since < schemaSince || !(await isKnown(db, request, epoch))) {
    place = await sendSnapshot(deps, audience, writer);
    note();
  }
  while (!signal.aborted) {
    const before = place.position;
    place = await sendDeltas(deps, audience, place, writer, signal);
    const { position } = place;
    if (position !== before) note();
    if (audience.kind === "dns") {
      const current = await readZone(deps);
      if (current !== zone) {
        await writer.write(`{"kind":"zone","version":${position},"zone":${current}}`);
        note();
      }
      zone = current;
    }
    if (performance.now() - wroteAt >= deps.heartbeatMs) {
      await writer.write(toLine({ kind: "heartbeat", version: position }));
      note();
    }
    if (audience.kind === "edge") await fleet.tell();
    await broadcaster.wait(seen, deps.heartbeatMs - (performance.now() - wroteAt), signal);
    seen = broadcaster.generation();
    if (!signal.aborted && !(await isWelcome())) return;
  }
}

/**
 * Whether deltas after `since` are enough for the node: it received that version itself, in this
 * history, and acknowledged it to this database. A version without acknowledgement may come from
 * before a restore from backup; if only the acknowledgement was lost, the extra snapshot does no
 * harm.
 */
async function isKnown(
  db: Db,
  { since, origin, edge }: StreamRequest,
  epoch: string,
): Promise<boolean> {
  if (since === 0 || origin.edge !== edge.edgeId || origin.epoch !== epoch) return false;
  const { version } = await selectHead(db);
  return since <= version && since <= (await selectAcknowledged(db, edge.edgeId));
}

/**
 * Checks that the node is still welcome and records that it is alive. For an edge that happens when
 * it opens the stream; later its reports do it, because writing to a dead machine proves nothing.
 * Zone DNS sends no reports, so it is recorded with every heartbeat.
 */
function createPresence({ db, clock, heartbeatMs }: ConfigStreamDeps, node: EdgeActor) {
  const noteAgainMs = node.nodeKind === "dns" ? heartbeatMs / 2 : Infinity;
  let notedAt = -Infinity;
  return async (): Promise<boolean> => {
    if (!(await isEnrolled(db, node.edgeId, clock.now()))) return false;
    if (performance.now() - notedAt < noteAgainMs) return true;
    notedAt = performance.now();
    return touchEdge(db, node.edgeId);
  };
}

/** Sends an edge the addresses it must never dial; read from the database once per heartbeat. */
function createFleetWriter({ db, heartbeatMs }: ConfigStreamDeps, writer: NdjsonWriter) {
  let told = "";
  let askedAt = -Infinity;
  return {
    async tell(): Promise<void> {
      if (performance.now() - askedAt < heartbeatMs) return;
      askedAt = performance.now();
      const line = toLine({ kind: "fleet", addresses: await selectEdgeAddresses(db) });
      if (line !== told) await writer.write(line);
      told = line;
    },
  };
}

/** One consistent version, page by page, one line per shield. */
async function sendSnapshot(
  { db, clock, snapshots }: ConfigStreamDeps,
  audience: Audience,
  writer: NdjsonWriter,
): Promise<StreamPosition> {
  return snapshots.run(() => {
    const deadline = performance.now() + snapshotMsMax;
    const now = clock.now();
    return db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (trx) => {
        const { version, epoch } = await selectHead(trx);
        await writer.write(toLine({ kind: "snapshot_start", version, epoch }));
        let count = 0;
        let afterId: string | null = null;
        for (;;) {
          const page = await selectSnapshotPage(trx, audience, { now, afterId });
          if (page.length === 0) break;
          if (performance.now() > deadline) throw new Error("the reader is too slow");
          await writer.write(...page.map((row) => shieldLine(version, row)));
          count += page.length;
          afterId = page.at(-1)?.shield_id ?? null;
        }
        await writer.write(toLine({ kind: "snapshot_end", version, count }));
        return { position: version, cursor: version, epoch };
      });
  });
}

interface StreamPosition {
  /** The last version sent to the node. */
  readonly position: number;
  /** Up to this version there is nothing more to send; at least `position`. */
  readonly cursor: number;
  readonly epoch: string;
}

/**
 * Sends everything after the cursor. Each page is a delta that leaves the node at a version it can
 * continue from. Nothing is sent when no change concerns the node.
 */
async function sendDeltas(
  { db, clock }: ConfigStreamDeps,
  audience: Audience,
  from: StreamPosition,
  writer: NdjsonWriter,
  signal: AbortSignal,
): Promise<StreamPosition> {
  let { position, cursor } = from;
  while (!signal.aborted) {
    // Read before the page, so that the page sees everything committed up to this head.
    const head = await selectHead(db);
    if (head.epoch !== from.epoch) throw new Error("the database has another history now");
    if (head.version === cursor) break;
    if (head.version < cursor) throw new Error("the database has gone back in time");
    const rows = await selectDeltaPage(db, audience, { now: clock.now(), since: cursor });
    const last = rows.at(-1);
    if (last === undefined) {
      cursor = head.version;
      break;
    }
    const version = Number(last.version);
    const shields = rows.filter((row) => row.is_present);
    const removed = rows.filter((row) => !row.is_present).map((row) => row.shield_id);
    await writer.write(deltaLine({ version, since: position, shields, removed }));
    position = version;
    cursor = version;
  }
  return { position, cursor, epoch: from.epoch };
}
