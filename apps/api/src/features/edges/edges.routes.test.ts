import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import { openTestStream, type StreamQuery } from "#src/test-support/test-stream.ts";
import { call, createStaff, type TestUser } from "#src/test-support/test-users.ts";
import { newId } from "#src/platform/database/ids.ts";
import { selectZoneEdges } from "#src/features/liveness/liveness.service.ts";
import apiPackage from "../../../package.json" with { type: "json" };
import { reinviteEdge } from "./edges.service.ts";

let testApp: TestApp;
let staff: TestUser;

beforeAll(async () => {
  testApp = await createTestApp();
  staff = await createStaff(testApp);
});
afterAll(() => testApp.close());

function invite(body: object) {
  return call(testApp, routes.staffEdges.createEdge, {
    token: staff.token,
    body: { reason: "A new machine", ...body },
  });
}

function enrol(token: string) {
  return call(testApp, routes.edge.enrol, { body: { token, addresses: ["192.0.2.1"] } });
}

function report(credential: string) {
  return call(testApp, routes.edge.acks, { token: credential, body: { version: 0, acks: [] } });
}

async function edgeOf(name: string) {
  const answer = await call(testApp, routes.staffEdges.listEdges, { token: staff.token });
  const { edges } = routes.staffEdges.listEdges.response.parse(answer.json());
  return edges.find((edge) => edge.name === name);
}

async function stateOf(name: string) {
  return (await edgeOf(name))?.state;
}

async function tokenFor(name: string): Promise<string> {
  const answer = await invite({ name, location: "local" });
  expect(answer.statusCode).toBe(201);
  return routes.staffEdges.createEdge.response.parse(answer.json()).enrolment_token;
}

describe("edges", () => {
  test("a token is exchanged once for a credential that is bound to kind and location", async () => {
    const token = await tokenFor("one");
    expect(await stateOf("one")).toBe("invited");
    const first = await enrol(token);
    expect(first.statusCode).toBe(201);
    const { credential, ...node } = routes.edge.enrol.response.parse(first.json());
    expect(node).toMatchObject({ kind: "edge", location: "local" });
    expect(await stateOf("one")).toBe("online");
    const second = await enrol(token);
    expect([second.statusCode, second.json().code]).toEqual([422, "enrolment_refused"]);
    expect((await report(credential)).statusCode).toBe(200);
  });

  test("a renewed credential replaces the former one at its first use, not before", async () => {
    const enrolled = routes.edge.enrol.response.parse(
      (await enrol(await tokenFor("renews"))).json(),
    );
    const renew = async (token: string) => {
      const answer = await call(testApp, routes.edge.renewCredential, { token });
      return routes.edge.renewCredential.response.parse(answer.json()).credential;
    };
    const statusOf = async (credential: string) => (await report(credential)).statusCode;
    // The answer was lost: the edge asks again, with what it has.
    const lost = await renew(enrolled.credential);
    const next = await renew(enrolled.credential);
    expect(await statusOf(enrolled.credential)).toBe(200);
    expect(await statusOf(lost)).toBe(401);
    expect(await statusOf(next)).toBe(200);
    expect(await statusOf(enrolled.credential)).toBe(401);
    expect(await statusOf(next)).toBe(200);
  });

  test("an edge that was away for too long is told how to enrol again", async () => {
    const { credential, expires_at, renew_at } = routes.edge.enrol.response.parse(
      (await enrol(await tokenFor("away"))).json(),
    );
    const now = testApp.clock.now().getTime();
    const days = (time = "") => (new Date(time).getTime() - now) / 86_400_000;
    expect([days(renew_at), days(expires_at)]).toEqual([30, 90]);
    testApp.clock.advance(89 * 86_400_000);
    expect((await report(credential)).statusCode).toBe(200);
    testApp.clock.advance(86_400_000);
    const refused = await report(credential);
    expect([refused.statusCode, refused.json().code]).toEqual([401, "credential_expired"]);
    expect(refused.json().message).toMatch(/expired.*edge invite/);
    testApp.clock.set(new Date(now));
  });

  test("one edge is enrolled when two come with one token", async () => {
    const token = await tokenFor("race");
    const answers = await Promise.all([enrol(token), enrol(token), enrol(token)]);
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
      201, 422, 422,
    ]);
  });

  test("a token expires after a day; an unknown one was never good", async () => {
    const token = await tokenFor("late");
    testApp.clock.advance(86_400_000);
    expect((await enrol(token)).statusCode).toBe(422);
    expect((await enrol("psi_unknown-token")).statusCode).toBe(422);
    // The clock cannot go back for the others' sessions.
    staff = await createStaff(testApp);
  });

  test("neither token nor credential is in the database", async () => {
    const token = await tokenFor("hashed");
    const { credential } = routes.edge.enrol.response.parse((await enrol(token)).json());
    const again = await tokenFor("hashed-2");
    const { rows } = await sql<{ dump: string }>`
      select string_agg(edges::text, '') as dump from edges
    `.execute(testApp.platform.db);
    for (const secret of [token, credential, again]) expect(rows[0]?.dump).not.toContain(secret);
  });

  test("a name is taken once per kind, until its node is revoked", async () => {
    const edge = await enrolEdge(testApp, staff, { name: "taken" });
    const again = await invite({ name: "taken", location: "local" });
    expect(again.statusCode).toBe(409);
    expect(again.json().issues).toMatchObject([{ path: "name" }]);
    expect((await invite({ name: "taken", location: "local", kind: "dns" })).statusCode).toBe(201);
    await call(testApp, routes.staffEdges.revokeEdge, {
      token: staff.token,
      params: { edgeId: edge.id },
      body: { reason: "Taken down" },
    });
    expect((await invite({ name: "taken", location: "local" })).statusCode).toBe(201);
  });

  test("an unknown location or a strange name is refused at its field", async () => {
    const nowhere = await invite({ name: "lost", location: "atlantis" });
    expect([nowhere.statusCode, nowhere.json().code]).toEqual([422, "location_unavailable"]);
    expect((await invite({ name: "Not a name", location: "local" })).statusCode).toBe(422);
  });

  test("a revoked credential is 401 from then on; revoking again is 404", async () => {
    const edge = await enrolEdge(testApp, staff, { name: "revoked" });
    expect((await report(edge.credential)).statusCode).toBe(200);
    const revoke = () =>
      call(testApp, routes.staffEdges.revokeEdge, {
        token: staff.token,
        params: { edgeId: edge.id },
        body: { reason: "Taken down" },
      });
    expect((await revoke()).json()).toEqual({ message: "Edge revoked" });
    expect(await stateOf("revoked")).toBe("revoked");
    expect((await report(edge.credential)).statusCode).toBe(401);
    expect((await revoke()).statusCode).toBe(404);
  });

  test("inviting a machine again revokes the node it was", async () => {
    const before = await enrolEdge(testApp, staff, { name: "again" });
    const { db, bus, clock } = testApp.platform;
    const invitation = { name: "again", location: "local", kind: "edge" } as const;
    const { token } = await db
      .transaction()
      .execute((trx) => reinviteEdge({ bus }, trx, invitation, clock.now()));
    expect((await report(before.credential)).statusCode).toBe(401);
    expect((await enrol(token)).statusCode).toBe(201);
  });

  test("a node not heard from is offline", async () => {
    const edge = await enrolEdge(testApp, staff, { name: "silent" });
    await sql`
      update edges set last_seen_at = clock_timestamp() - interval '31 seconds'
      where id = ${edge.id}
    `.execute(testApp.platform.db);
    expect(await stateOf("silent")).toBe("offline");
    await report(edge.credential);
    expect(await stateOf("silent")).toBe("online");
  });

  test("the version of its program is what its last stream said", async () => {
    const edge = await enrolEdge(testApp, staff, { name: "versions" });
    const shown = async () => {
      const found = await edgeOf("versions");
      return [found?.program_version, found?.has_other_version];
    };
    expect(await shown()).toEqual([null, false]);
    const streamWith = async (query: StreamQuery) => {
      const stream = await openTestStream(testApp, edge, query);
      await stream.next("snapshot_end");
      stream.close();
    };
    await streamWith({ program_version: "0.0.9" });
    expect(await shown()).toEqual(["0.0.9", true]);
    await streamWith({ program_version: apiPackage.version });
    expect(await shown()).toEqual([apiPackage.version, false]);
    await streamWith({});
    expect(await shown()).toEqual([null, false]);
    for (const version of ["9".repeat(65), "1.0\0", "", "<b>"]) {
      const { status } = await openTestStream(testApp, edge, { program_version: version });
      expect([version, status]).toEqual([version, 422]);
    }
  });

  test("a drained edge is named by zone DNS no more; the last of a location only if one insists", async () => {
    const location = "stockholm";
    const first = await enrolEdge(testApp, staff, { name: "first", location });
    const drain = (edgeId: string, body: object) =>
      call(testApp, routes.staffEdges.drainEdge, {
        token: staff.token,
        params: { edgeId },
        body: { reason: "A new kernel", ...body },
      });
    const drainedInZone = async () => {
      const rows = await selectZoneEdges(testApp.platform.db);
      return rows.filter((row) => row.location === location && row.drained).map(({ id }) => id);
    };
    const refused = await drain(first.id, { drained: true });
    expect([refused.statusCode, refused.json().code]).toEqual([409, "last_edge"]);
    await drain(first.id, { drained: true, even_last: true });
    expect(await drainedInZone()).toEqual([first.id]);
    expect((await report(first.credential)).statusCode).toBe(200);
    await drain(first.id, { drained: false });
    const second = await enrolEdge(testApp, staff, { name: "second", location });
    expect((await drain(second.id, { drained: true })).statusCode).toBe(200);
    expect(await drainedInZone()).toEqual([second.id]);
    expect((await drain(newId(), { drained: true })).statusCode).toBe(404);
  });
});
