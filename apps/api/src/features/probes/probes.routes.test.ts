import type { ProbeAttempt, ProbeRequest } from "@palisade/contract/edge/probe";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "#src/test-support/test-shields.ts";
import { openTestStream, type TestStream } from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { deleteExpiredProbes } from "./probes.repository.ts";

let asked: TestApp;
/** Another replica: it holds the edges' streams. */
let streaming: TestApp;
let staff: TestUser;
const streams: TestStream[] = [];
let serial = 0;

beforeAll(async () => {
  asked = await createTestApp();
  streaming = await createTestApp({ sharing: asked });
  staff = await createStaff(asked);
}, 60_000);
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await asked.platform.db.updateTable("edges").set({ drained: true }).execute();
  await asked.platform.db.deleteFrom("probes").execute();
});
afterAll(async () => {
  await streaming?.close();
  await asked?.close();
});

const online: ProbeAttempt = {
  proxy: false,
  outcome: "online",
  latency_ms: 8,
  status: {
    motd: ["§aHello", "world"],
    version: "Paper 1.21.4",
    protocol: 769,
    players_online: 12,
    players_max: 100,
    favicon: null,
  },
};

async function startEdge(): Promise<{ edge: TestEdge; stream: TestStream; name: string }> {
  const name = `probing-${++serial}`;
  const edge = await enrolEdge(asked, staff, { name });
  const stream = await openTestStream(streaming, edge);
  streams.push(stream);
  await stream.next("snapshot_end");
  return { edge, stream, name };
}

async function probe(user: TestUser, real_ip = "127.0.0.1", app = asked) {
  return call(app, routes.probes.probe, {
    token: user.token,
    body: { real_ip, real_port: 25_566 },
    headers: { "accept-language": "en" },
  });
}

function answer(
  edge: TestEdge,
  request: Pick<ProbeRequest, "id">,
  attempts: ProbeAttempt[],
  expects_proxy = false,
) {
  return call(asked, routes.edge.probes, {
    token: edge.credential,
    body: { id: request.id, attempts, expects_proxy },
  });
}

const kept = "0198f000-0000-7000-8000-000000000002";

interface Waiting {
  readonly secondsLeft?: number;
  readonly asker?: string;
  readonly purpose?: "wizard" | "doctor";
}

/** Probes that a dead replica left behind, each of another user. */
function waitingRow(edge: TestEdge, { secondsLeft = 600, ...asked }: Waiting = {}) {
  const id = newId();
  const request: ProbeRequest = {
    id,
    host: "127.0.0.1",
    port: 25_565,
    hostname: "127.0.0.1",
    protocol: 767,
    proxy: "without",
    deadline_ms: 5_000,
  };
  return {
    id,
    edge_id: edge.id,
    asker: newId(),
    ...asked,
    request: JSON.stringify(request),
    expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${secondsLeft})`,
  };
}

const probeRows = () => asked.platform.db.selectFrom("probes").selectAll().execute();

describe("POST /servers/probe", () => {
  test("is answered by an edge whose stream another replica holds, and leaves nothing behind", async () => {
    const user = await createUser(asked);
    const { edge, stream, name } = await startEdge();

    const answering = probe(user);
    const { probe: request } = await stream.next("probe");
    expect(request).toMatchObject({
      host: "127.0.0.1",
      port: 25_566,
      hostname: "127.0.0.1",
      proxy: "without",
    });
    const accepted = await answer(edge, request, [online]);
    expect(accepted.json()).toEqual({ accepted: true });

    expect((await answering).json()).toEqual({
      outcome: "online",
      message: "Your server answers",
      edge: name,
      latency_ms: 8,
      status: online.status,
    });
    expect(await probeRows()).toEqual([]);
  });

  test.each(["not_minecraft", "timeout", "unresolved", "forbidden"] as const)(
    "tells %s in the language of the request",
    async (outcome) => {
      const user = await createUser(asked);
      const { edge, stream } = await startEdge();
      const answering = call(asked, routes.probes.probe, {
        token: user.token,
        body: { real_ip: "mc.example.com", real_port: 25_565 },
        headers: { "accept-language": "ru" },
      });
      const { probe: request } = await stream.next("probe");
      await answer(edge, request, [{ proxy: false, outcome, latency_ms: null, status: null }]);
      const told = (await answering).json();
      expect(told).toMatchObject({ outcome, latency_ms: null, status: null });
      expect(told.message).toMatch(/[а-я]{4}/);
    },
  );

  test("tells that a server expects PROXY protocol, not that it is none of Minecraft", async () => {
    const user = await createUser(asked);
    const { edge, stream } = await startEdge();
    const answering = probe(user);
    const { probe: request } = await stream.next("probe");
    const bare = { proxy: false, outcome: "not_minecraft", latency_ms: 4, status: null } as const;
    await answer(edge, request, [bare], true);
    const told = (await answering).json();
    expect(told).toMatchObject({ outcome: "expects_proxy", status: null });
    expect(told.message).toContain("This server expects PROXY protocol.");
  });

  test("no caller learns whether a port is closed or silent", async () => {
    const user = await createUser(asked);
    const { edge, stream } = await startEdge();
    const answers: unknown[] = [];
    for (const outcome of ["refused", "timeout"] as const) {
      const answering = probe(user);
      const { probe: request } = await stream.next("probe");
      await answer(edge, request, [{ proxy: false, outcome, latency_ms: null, status: null }]);
      answers.push((await answering).json());
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test("asks no edge about a port of another service", async () => {
    const user = await createUser(asked);
    await startEdge();
    const answer = await call(asked, routes.probes.probe, {
      token: user.token,
      body: { real_ip: "127.0.0.1", real_port: 25 },
    });
    expect(answer.json().issues).toMatchObject([{ path: "real_port", code: "real_port.refused" }]);
    expect(await probeRows()).toEqual([]);
  });

  test("is given to one edge only, and to it once", async () => {
    const user = await createUser(asked);
    const edges = [await startEdge(), await startEdge()];
    // A second stream of the same edge, as while it reconnects.
    for (const { edge } of edges) streams.push(await openTestStream(asked, edge));

    const answering = probe(user);
    const found = await until(() =>
      streams.flatMap((stream) => stream.lines).find((line) => line.kind === "probe"),
    );
    if (found.kind !== "probe") throw new Error("unreachable");
    const [row] = await probeRows();
    const asker = edges.find(({ edge }) => edge.id === row?.edge_id);
    if (asker === undefined) throw new Error("no edge was asked");
    await answer(asker.edge, found.probe, [online]);
    expect((await answering).json()).toMatchObject({ outcome: "online", edge: asker.name });
    const lines = streams.flatMap((stream) => stream.lines);
    expect(lines.filter((line) => line.kind === "probe")).toHaveLength(1);
  });

  test("goes to the newest stream of an edge: one it left without a word swallows nothing", async () => {
    const user = await createUser(asked);
    const { edge, stream: left, name } = await startEdge();
    const newest = await openTestStream(asked, edge);
    streams.push(newest);
    await newest.next("snapshot_end");
    for (let n = 0; n < 5; n++) {
      const answering = probe(user);
      const { probe: request } = await newest.next("probe");
      await answer(edge, request, [online]);
      expect((await answering).json()).toMatchObject({ outcome: "online", edge: name });
    }
    expect(left.ended()).toBe(false);
    expect(left.lines.filter(({ kind }) => kind === "probe")).toEqual([]);
  });

  test("an edge cannot answer what was given to another, nor twice, nor what was never asked", async () => {
    const user = await createUser(asked);
    const other = await enrolEdge(asked, staff, { name: `other-${++serial}` });
    await asked.platform.db.updateTable("edges").set({ drained: true }).execute();
    const { edge, stream } = await startEdge();

    const answering = probe(user);
    const { probe: request } = await stream.next("probe");
    const forged: ProbeAttempt = { proxy: false, outcome: "refused", latency_ms: 1, status: null };
    expect((await answer(other, request, [forged])).json()).toEqual({ accepted: false });
    expect((await answer(edge, request, [online])).json()).toEqual({ accepted: true });
    expect((await answer(edge, request, [forged])).json()).toEqual({ accepted: false });
    expect((await answering).json()).toMatchObject({ outcome: "online" });
    const never = { id: "0198f000-0000-7000-8000-000000000001" };
    expect((await answer(edge, never, [online])).json()).toEqual({ accepted: false });
  });

  test("ends as no_edge where no edge is there, none has a stream or none answers", async () => {
    const user = await createUser(asked);
    expect((await probe(user)).json()).toMatchObject({ outcome: "no_edge", edge: null });
    // Enrolled and heard from, but without a stream.
    await enrolEdge(asked, staff, { name: `silent-${++serial}` });
    expect((await probe(user)).json()).toMatchObject({
      outcome: "no_edge",
      message: "No edge can check your server right now. You can continue",
    });
    expect(await probeRows()).toEqual([]);
  });

  test("an edge that is busy says so, and the next one is asked", async () => {
    const user = await createUser(asked);
    const edges = [await startEdge(), await startEdge()];
    const answering = probe(user);
    const skipped: ProbeAttempt = {
      proxy: false,
      outcome: "skipped",
      latency_ms: null,
      status: null,
    };
    const first = await Promise.race(
      edges.map(async (each) => ({ each, line: await each.stream.next("probe") })),
    );
    await answer(first.each.edge, first.line.probe, [skipped]);
    const second = edges.find((each) => each !== first.each);
    if (second === undefined) throw new Error("unreachable");
    const line = await until(() => second.stream.lines.find(({ kind }) => kind === "probe"));
    if (line.kind !== "probe") throw new Error("unreachable");
    await answer(second.edge, line.probe, [online]);
    expect((await answering).json()).toMatchObject({ outcome: "online", edge: second.name });
  });

  test("a revoked edge is given nothing and can answer nothing", async () => {
    const user = await createUser(asked);
    const { edge, stream } = await startEdge();
    const answering = probe(user);
    const { probe: request } = await stream.next("probe");
    await call(asked, routes.staffEdges.revokeEdge, {
      token: staff.token,
      params: { edgeId: edge.id },
      body: { reason: "Taken down" },
    });
    expect((await answer(edge, request, [online])).statusCode).toBe(401);
    await until(() => stream.ended());
    expect((await answering).json()).toMatchObject({ outcome: "no_edge" });
  });

  test("refuses what an edge could not have seen: control characters, foreign pictures, too much", async () => {
    const { edge } = await startEdge();
    const id = "0198f000-0000-7000-8000-000000000001";
    const status = online.status;
    if (status === null) throw new Error("unreachable");
    for (const change of [
      { motd: ["a\u0000b"] },
      { motd: ["1", "2", "3"] },
      { version: "x".repeat(513) },
      { favicon: "data:image/svg+xml;base64,PHN2Zz4=" },
      { favicon: "https://example.com/a.png" },
    ]) {
      const body = { id, attempts: [{ ...online, status: { ...status, ...change } }] };
      const refused = await call(asked, routes.edge.probes, { token: edge.credential, body });
      expect(refused.statusCode).toBe(422);
    }
  });

  test("is limited by user, over all replicas together", async () => {
    const user = await createUser(asked);
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) {
      const app = n % 2 === 0 ? asked : streaming;
      statuses.push((await probe(user, "127.0.0.1", app)).statusCode);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  test("is limited by the day as well: no user's patience scans a network", async () => {
    const user = await createUser(asked);
    const [, byHour, byDay] = routes.probes.probe.limits;
    expect((await probe(user)).statusCode).toBe(200);
    // As after a day's patience: of all windows only the day's ends so late.
    const { numUpdatedRows } = await asked.platform.db
      .updateTable("rate_limits")
      .set({ hits: byDay.max })
      .where(
        "expires_at",
        ">",
        new Date(asked.clock.now().getTime() + 2_000 * byHour.windowSeconds),
      )
      .executeTakeFirstOrThrow();
    expect(numUpdatedRows).toBeGreaterThan(0n);
    expect((await probe(user)).statusCode).toBe(429);
    asked.clock.advance(1_000 * byDay.windowSeconds);
    expect((await probe(user)).statusCode).toBe(200);
  });

  test("outside development private addresses and the edges' own are not looked at", async () => {
    const production = await createTestApp({
      sharing: asked,
      config: { development: false, privateBackends: ["10.20.0.0/16"] },
    });
    try {
      const user = await createUser(asked);
      const { edge, stream } = await startEdge();
      await asked.platform.db
        .updateTable("edges")
        .set({ addresses: JSON.stringify(["93.184.216.34"]) })
        .where("id", "=", edge.id)
        .execute();
      for (const host of [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "db.local",
        "::1",
        "93.184.216.34",
      ]) {
        expect((await probe(user, host, production)).json()).toMatchObject({
          outcome: "forbidden",
          message: "This address cannot be protected",
        });
      }
      const answering = probe(user, "10.20.0.7", production);
      const { probe: request } = await stream.next("probe");
      await answer(edge, request, [online]);
      expect((await answering).json()).toMatchObject({ outcome: "online" });
      expect(stream.lines.filter(({ kind }) => kind === "probe")).toHaveLength(1);
    } finally {
      await production.close();
    }
  });
});

describe("the requests that wait for an edge", () => {
  test("is given six of one purpose at a time, the rest as answers come", async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => createUser(asked)));
    const { edge, stream } = await startEdge();
    const probes = () => stream.lines.filter((line) => line.kind === "probe");
    const answering = users.flatMap((user) => [probe(user), probe(user), probe(user)]);
    await until(() => probes().length === 6);
    await until(async () => (await probeRows()).length === 12);
    const answered = new Set<string>();
    const answerAll = async () => {
      for (const { probe: request } of probes()) {
        if (answered.has(request.id)) continue;
        answered.add(request.id);
        expect(probes().length - answered.size).toBeLessThan(6);
        await answer(edge, request, [online]);
      }
      return answered.size === 12;
    };
    await until(answerAll);
    for (const each of await Promise.all(answering)) {
      expect(each.json()).toMatchObject({ outcome: "online" });
    }
  });

  test("delays no configuration, however much of it is never answered", async () => {
    const { db } = asked.platform;
    const { edge, stream } = await startEdge();
    await db
      .insertInto("probes")
      .values([
        ...Array.from({ length: 31 }, () => waitingRow(edge)),
        ...Array.from({ length: 32 }, () => waitingRow(edge, { purpose: "doctor" })),
      ])
      .execute();
    const user = await createUser(asked);
    const answering = probe(user);
    await until(() => stream.lines.filter(({ kind }) => kind === "probe").length === 8);
    const shield = await createShield(asked, user);
    const { shields } = await stream.next("delta");
    expect(shields.map(({ shield_id }) => shield_id)).toEqual([shield.id]);
    // 32 of this purpose wait: the next caller is told so at once, and nothing is stored for them.
    expect((await probe(user)).json()).toMatchObject({ outcome: "no_edge" });
    expect((await answering).json()).toMatchObject({ outcome: "no_edge" });
    expect(stream.lines.filter(({ kind }) => kind === "probe")).toHaveLength(8);
    expect(await probeRows()).toHaveLength(63);
  });

  test("doctor runs at their limit do not block the wizard, and one user does not block another", async () => {
    const { db } = asked.platform;
    const { edge, stream, name } = await startEdge();
    const greedy = newId();
    await db
      .insertInto("probes")
      .values([
        ...Array.from({ length: 6 }, () => waitingRow(edge, { purpose: "doctor", asker: greedy })),
        ...Array.from({ length: 26 }, () => waitingRow(edge, { purpose: "doctor" })),
      ])
      .execute();
    // Woken by the first wizard's question: none of the doctors' is ever answered.
    const user = await createUser(asked);
    const first = probe(user);
    await until(() => stream.lines.filter(({ kind }) => kind === "probe").length === 7);
    const given = await db
      .selectFrom("probes")
      .select(["asker", "purpose"])
      .where("given_at", "is not", null)
      .execute();
    expect(given.filter(({ purpose }) => purpose === "doctor")).toHaveLength(6);
    expect(given.filter(({ asker }) => asker === greedy)).toHaveLength(1);
    const own = given.filter(({ asker }) => asker === user.id);
    expect(own).toHaveLength(1);
    const line = stream.lines.find((each) => each.kind === "probe" && each.probe.port === 25_566);
    if (line?.kind !== "probe") throw new Error("unreachable");
    await answer(edge, line.probe, [online]);
    expect((await first).json()).toMatchObject({ outcome: "online", edge: name });
  });

  test("one user has six at most waiting at an edge, three of them under way", async () => {
    const { edge, stream } = await startEdge();
    const user = await createUser(asked);
    const others = Array.from({ length: 5 }, () => waitingRow(edge, { asker: user.id }));
    await asked.platform.db.insertInto("probes").values(others).execute();
    const answering = probe(user);
    await until(() => stream.lines.filter(({ kind }) => kind === "probe").length === 3);
    expect((await probe(user)).json()).toMatchObject({ outcome: "no_edge" });
    expect((await answering).json()).toMatchObject({ outcome: "no_edge" });
    expect(stream.lines.filter(({ kind }) => kind === "probe")).toHaveLength(3);
  });

  test("ends with the replica that waits for it", async () => {
    const user = await createUser(asked);
    const { stream } = await startEdge();
    const waiting = await createTestApp({ sharing: asked });
    const answering = probe(user, "127.0.0.1", waiting);
    await stream.next("probe");
    await waiting.close();
    expect((await answering).json()).toMatchObject({ outcome: "no_edge" });
    expect(await probeRows()).toEqual([]);
  });

  test("is deleted by the cleaning where its replica died while it waited", async () => {
    const { edge } = await startEdge();
    await asked.platform.db
      .insertInto("probes")
      .values([waitingRow(edge, { secondsLeft: -1 }), { ...waitingRow(edge), id: kept }])
      .execute();

    await deleteExpiredProbes(asked.platform.db);
    expect((await probeRows()).map(({ id }) => id)).toEqual([kept]);
  });
});
