import { randomUUID } from "node:crypto";
import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import type { BackendServer } from "@palisade/contract/http/backends";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDoctorFixture, unseen, type DoctorFixture } from "#src/test-support/test-doctor.ts";
import { enrolEdge, type TestEdge } from "#src/test-support/test-shields.ts";
import { call, createUser, expectStatus } from "#src/test-support/test-users.ts";
import { takeDueTargets } from "./backend-proofs.repository.ts";
import { emptyReport } from "#src/test-support/test-telemetry.ts";

const calls = routes.backends;
const address = "203.0.113.7";
const reverse = "7.113.0.203.in-addr.arpa";
const host = "mc.hoster.example";

let fixture: DoctorFixture;
let groupId: string;
let serverId: string;

beforeAll(async () => {
  fixture = await createDoctorFixture();
}, 60_000);
afterAll(() => fixture?.close());
beforeEach(async () => {
  await fixture.begin();
  const [group] = (await listed()).backends;
  groupId = group?.id ?? "";
  serverId = group?.ips[0]?.id ?? "";
  await move(address, 25_570);
});
afterEach(async () => {
  fixture.closeStreams();
  await fixture.revokeEdges();
});

const shieldId = () => fixture.shield.id;
const token = () => fixture.owner.token;

async function listed() {
  const params = { id: shieldId() };
  const answer = call(fixture.testApp, calls.getBackends, { token: token(), params });
  return calls.getBackends.response.parse((await expectStatus(answer, 200)).json());
}

async function proofOf(): Promise<BackendServer["proof"] | undefined> {
  const { backends } = await listed();
  return backends.flatMap(({ ips }) => ips).find(({ id }) => id === serverId)?.proof;
}

async function move(ip: string, port: number): Promise<void> {
  const params = { id: shieldId(), backendId: groupId, ipId: serverId };
  const body = { ip, port };
  const { updateBackendServer } = calls;
  await expectStatus(
    call(fixture.testApp, updateBackendServer, { token: token(), params, body }),
    200,
  );
}

async function check() {
  const params = { id: shieldId(), backendId: groupId, ipId: serverId };
  const { checkBackendProof } = calls;
  const answer = call(fixture.testApp, checkBackendProof, { token: token(), params });
  return checkBackendProof.response.parse((await expectStatus(answer, 200)).json());
}

/** The backend as edges get it. */
async function compiled() {
  const { config } = await fixture.testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("shield_id", "=", shieldId())
    .where("schema", "=", configSchemaVersion)
    .executeTakeFirstOrThrow();
  const { groups } = shieldConfig.parse(JSON.parse(config));
  return groups.flatMap(({ backends }) => backends).find(({ id }) => id === serverId);
}

async function report(
  edge: TestEdge,
  answered_at: TelemetryReport["backends"][number]["answered_at"],
): Promise<void> {
  const health = { state: "up", players: 0, latency_ms: 1, last_error: null } as const;
  const ids = { shield_id: shieldId(), backend_id: serverId };
  const backends = [{ ...ids, ...health, expects_proxy: false, changed_at: null, answered_at }];
  const body = { boot_id: randomUUID(), seq: 1, ...emptyReport, backends };
  await expectStatus(
    call(fixture.testApp, routes.edge.telemetry, { token: edge.credential, body }),
    200,
  );
}

async function history() {
  const params = { id: shieldId() };
  const { listHistory } = routes.history;
  const answer = call(fixture.testApp, listHistory, { token: token(), params, query: {} });
  const { data } = listHistory.response.parse((await expectStatus(answer, 200)).json());
  return data.flatMap(({ author, changes }) =>
    changes
      .filter(({ field }) => field === "server_proof")
      .map(({ item, after }) => ({ by: author.kind, item, after })),
  );
}

describe("a backend that answers an edge as Minecraft", () => {
  test("is proven for all edges, at this address only, and that is in the history", async () => {
    const edge = await enrolEdge(fixture.testApp, fixture.staff, { name: "seeing" });
    expect(await proofOf()).toEqual({ proven: false, by: null, proven_at: null });
    expect(await compiled()).toMatchObject({ host: address, proven: false });
    await report(edge, { host: "203.0.113.99", port: 25_570 });
    await report(edge, null);
    expect(await proofOf()).toMatchObject({ proven: false });
    await report(edge, { host: address, port: 25_570 });
    await until(async () => (await compiled())?.proven);
    expect(await proofOf()).toMatchObject({ proven: true, by: "minecraft" });
    const item = `${address}:25570`;
    expect(await history()).toEqual([{ by: "system", item, after: "minecraft" }]);
    await move(address, 25_571);
    expect(await compiled()).toMatchObject({ proven: false });
    await move(address, 25_570);
    expect(await compiled()).toMatchObject({ proven: true });
  });
});

describe("a backend of another game", () => {
  const port = 25_580;

  async function ofOtherGame(): Promise<string> {
    const { db } = fixture.testApp.platform;
    const ids = { group: randomUUID(), backend: randomUUID() };
    const [kept] = await db.selectFrom("backend_groups").selectAll().limit(1).execute();
    if (kept === undefined) throw new Error("no group");
    const of = { shield_id: shieldId(), is_default: false, game: "other", port } as const;
    await db
      .insertInto("backend_groups")
      .values({ ...kept, ...of, id: ids.group, name: "Other" })
      .execute();
    await db
      .insertInto("backends")
      .values({ id: ids.backend, group_id: ids.group, host: address, port, created_at: new Date() })
      .execute();
    return ids.backend;
  }

  test("is looked at for its owner's proof where it only had players before the upgrade", async () => {
    const { db } = fixture.testApp.platform;
    const id = await ofOtherGame();
    const of = { shield_id: shieldId(), host: address, port, proven_at: new Date() };
    const stored = { ...of, kind: "upgrade", address: null } as const;
    await db.insertInto("backend_proofs").values(stored).execute();
    const isDue = async () => {
      await db.updateTable("backends").set({ proof_check_at: null }).execute();
      const pauses = { limit: 1_000, firstPauseSeconds: 60, pauseSecondsMax: 60 };
      const due = await takeDueTargets(db, new Date(), pauses);
      return due.some((target) => target.id === id);
    };
    expect(await isDue()).toBe(true);
    await db.updateTable("backend_proofs").set({ address }).where("port", "=", port).execute();
    expect(await isDue()).toBe(false);
  });
});

describe("the owner's proof", () => {
  test("is its MOTD, but not for another game: a proxy that many share shows any of theirs", async () => {
    const { db } = fixture.testApp.platform;
    await fixture.startEdge("reading", () => [unseen(false, "not_minecraft")], {
      proves: () => ({ by: "motd", address }),
    });
    await db.updateTable("edges").set({ config_schema: 4 }).execute();
    const of = { game: "other", port: 25_590, is_default: false } as const;
    await db.updateTable("backend_groups").set(of).where("id", "=", groupId).execute();
    expect((await check()).entry.proof.proven).toBe(false);
    const back = { game: "minecraft", port: null, is_default: true } as const;
    await db.updateTable("backend_groups").set(back).where("id", "=", groupId).execute();
    expect((await check()).entry.proof).toMatchObject({ proven: true, by: "motd" });
  });

  test("in the MOTD leaves a proof of the address alone", async () => {
    const { db } = fixture.testApp.platform;
    await fixture.startEdge("reading-again", () => [unseen(false, "not_minecraft")], {
      proves: () => ({ by: "motd", address }),
    });
    await db.updateTable("edges").set({ config_schema: 4 }).execute();
    const of = { shield_id: shieldId(), host: address, port: 25_570, proven_at: new Date() };
    await db
      .insertInto("backend_proofs")
      .values({ ...of, kind: "greeting", address })
      .execute();
    expect((await check()).entry.proof).toMatchObject({ proven: true, by: "greeting" });
  });

  const pointer = { type: "PTR", name: reverse, value: host } as const;
  const record = async (name: string) =>
    ({ type: "TXT", name, value: (await listed()).proof_token }) as const;

  test("is a TXT record at the address's name in reverse DNS, found by the button", async () => {
    const before = await check();
    expect(before).toMatchObject({
      revision: null,
      records: [],
      entry: { proof: { proven: false } },
    });
    fixture.zone.records = [pointer];
    const expected = await record(`_palisade.${host}`);
    expect((await check()).records).toEqual([expected]);
    fixture.zone.records = [pointer, expected];
    const after = await check();
    expect(after.entry.proof).toMatchObject({ proven: true, by: "record" });
    expect(after.revision).not.toBeNull();
    expect((await check()).revision).toBeNull();
    expect(await history()).toMatchObject([{ by: "owner", after: "record" }]);
  });

  test("is no record at a name that only leads to the address", async () => {
    await move("evil.example", 25_570);
    fixture.zone.records = [
      { type: "A", name: "evil.example", value: address },
      pointer,
      await record("_palisade.evil.example"),
      await record("evil.example"),
    ];
    expect((await check()).entry.proof.proven).toBe(false);
  });

  test("is no token of another shield", async () => {
    const other = await fixture.createShield();
    const params = { id: other.id };
    const answer = await call(fixture.testApp, calls.getBackends, { token: token(), params });
    const { proof_token } = calls.getBackends.response.parse(answer.json());
    expect(proof_token).not.toBe((await listed()).proof_token);
    const name = `_palisade.${host}`;
    fixture.zone.records = [pointer, { type: "TXT", name, value: proof_token }];
    expect((await check()).entry.proof.proven).toBe(false);
  });

  test("is the greeting that an edge has heard, with the address that it came from", async () => {
    await move("game.example", 25_570);
    const expected = (await listed()).proof_token;
    await fixture.startEdge("hearing", () => [unseen(false, "not_minecraft")], {
      proves: ({ proof_token }) => (proof_token === expected ? { by: "greeting", address } : null),
    });
    const { db } = fixture.testApp.platform;
    // An edge of an earlier release does not look for tokens.
    await db.updateTable("edges").set({ config_schema: 3 }).execute();
    expect((await check()).entry.proof.proven).toBe(false);
    await db.updateTable("edges").set({ config_schema: 4 }).execute();
    expect((await check()).entry.proof).toMatchObject({ proven: true, by: "greeting" });
    const row = fixture.testApp.platform.db
      .selectFrom("backend_proofs")
      .select(["host", "address"])
      .where("shield_id", "=", shieldId())
      .where("kind", "=", "greeting");
    expect(await row.execute()).toEqual([{ host: "game.example", address }]);
  });

  test("cannot be looked for by a stranger", async () => {
    const stranger = await createUser(fixture.testApp);
    const params = { id: shieldId(), backendId: groupId, ipId: serverId };
    const answer = await call(fixture.testApp, calls.checkBackendProof, {
      token: stranger.token,
      params,
    });
    expect(answer.statusCode).toBe(404);
  });
});
