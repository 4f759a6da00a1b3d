import { allRoutes, routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { inviteByMail } from "#src/test-support/test-invitations.ts";
import { addMember, createShield } from "#src/test-support/test-shields.ts";
import { createInvitingApp, subUserCalls } from "#src/test-support/test-sub-users.ts";
import { createTestWorld } from "#src/test-support/test-world.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

const { invite, listed, linkTo, accept, remove, look, member, named } = subUserCalls(() => ({
  testApp,
  owner,
  shieldId,
}));
const leave = (user: TestUser, id = shieldId) =>
  call(testApp, routes.subUsers.leaveServer, { token: user.token, params: { id } });
const write = (token: string, ip: string) =>
  call(testApp, routes.firewall.addFirewallEntry, {
    token,
    params: { id: shieldId },
    body: { type: "blacklist", ip },
  });

beforeAll(async () => {
  testApp = await createInvitingApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

describe("taking access away", () => {
  test("ends it with the next call, for sessions and keys; an ex-sub-user is a stranger", async () => {
    const guest = await member();
    const key = await createApiKey(testApp, guest, "write");
    for (const token of [guest.token, key]) await expectStatus(look(token), 200);
    const answer = await expectStatus(remove(guest.subUserId), 200);
    expect(answer.json()).toEqual({ message: "Sub user removed successfully" });
    for (const token of [guest.token, key]) {
      expect((await look(token)).statusCode).toBe(404);
      expect((await write(token, "192.0.2.1")).statusCode).toBe(404);
    }
    await expectStatus(remove(guest.subUserId), 404);
  });

  test("leaves no other invitation to come back by, whether they were removed or left", async () => {
    for (const way of ["remove", "leave"] as const) {
      const username = `Comeback${way}`;
      const guest = await named(username);
      await expectStatus(invite(username), 201);
      const byName = await linkTo(guest.email);
      await expectStatus(accept(guest, byName), 200);
      // Left behind by an acceptance of both at the same time.
      const other = await inviteByMail(testApp, shieldId, guest.email);
      const id = (await listed()).find(({ status }) => status === "active")?.id ?? "";
      await expectStatus(way === "remove" ? remove(id) : leave(guest), 200);
      expect((await accept(guest, other.token)).statusCode, way).toBe(422);
      expect(await listed(), way).toEqual([]);
      expect((await look(guest.token)).statusCode, way).toBe(404);
    }
  });

  test("refuses a write that was authorised before and waits for the shield", async () => {
    const guest = await member();
    const held = await hold(testApp, (trx) =>
      trx
        .deleteFrom("shield_members")
        .where("user_id", "=", guest.id)
        .where("shield_id", "=", shieldId)
        .execute(),
    );
    const underWay = write(guest.token, "192.0.2.1");
    await untilWaiting(testApp, 1);
    await held.release();
    expect((await underWay).statusCode).toBe(404);
  });

  test("waits for a write that has begun, and lets nothing in after it", async () => {
    const guest = await member();
    const shield = await hold(testApp, (trx) =>
      trx
        .selectFrom("shields")
        .select("id")
        .where("id", "=", shieldId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow(),
    );
    const begun = write(guest.token, "192.0.2.1");
    await untilWaiting(testApp, 1);
    const removal = remove(guest.subUserId);
    await untilWaiting(testApp, 2);
    await shield.release();
    expect((await begun).statusCode).toBe(201);
    expect((await removal).statusCode).toBe(200);
    expect((await write(guest.token, "192.0.2.2")).statusCode).toBe(404);
  });

  test("works for a shield that is not active, too", async () => {
    const guest = await member();
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    await expectStatus(remove(guest.subUserId), 200);
    expect((await look(guest.token)).statusCode).toBe(404);
  });

  test("removes no member of another shield and not the owner", async () => {
    const guest = await member();
    const other = await createUser(testApp);
    const otherShield = (await createShield(testApp, other)).id;
    const foreign = await call(testApp, routes.subUsers.removeSubUser, {
      token: other.token,
      params: { id: otherShield, subUserId: guest.subUserId },
    });
    expect(foreign.statusCode).toBe(404);
    const { id: ownId } = await testApp.platform.db
      .selectFrom("shield_members")
      .select("id")
      .where("shield_id", "=", shieldId)
      .where("role", "=", "owner")
      .executeTakeFirstOrThrow();
    for (const id of [ownId, newId()]) await expectStatus(remove(id), 404);
    await expectStatus(look(guest.token), 200);
  });

  test("a sub-user leaves by themselves; the owner cannot, a stranger has nothing to leave", async () => {
    const guest = await member();
    const answer = await expectStatus(leave(guest), 200);
    expect(answer.json()).toEqual({ message: "You have left My server" });
    expect((await look(guest.token)).statusCode).toBe(404);
    expect(await listed()).toEqual([]);
    await expectStatus(leave(guest), 404);
    expect((await leave(owner)).json().code).toBe("forbidden");
    await expectStatus(look(owner.token), 200);
  });
});

test("the last activity is that of the sub-user about this shield, written once a minute", async () => {
  const guest = await member();
  const activity = async () => (await listed())[0]?.last_activity_at;
  expect(await activity()).toBeNull();
  await look(guest.token);
  const first = testApp.clock.now().toISOString();
  expect(await activity()).toBe(first);
  testApp.clock.advance(59_000);
  await look(guest.token);
  await look(owner.token);
  expect(await activity()).toBe(first);
  testApp.clock.advance(1_000);
  await write(guest.token, "192.0.2.1");
  expect(await activity()).toBe(testApp.clock.now().toISOString());
});

test("every call that only the owner may make is 403 for a sub-user", async () => {
  const world = await createTestWorld(testApp);
  await addMember(testApp, shieldId, world.stranger);
  const ofOwner = allRoutes.filter(({ access }) => access === "owner");
  expect(ofOwner.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["subUsers.list", "subUsers.add", "subUsers.remove"]),
  );
  for (const route of ofOwner) {
    // The table's type has every route of the contract.
    const sample = await routeSamples[route.id as RouteId](world, world.member.token);
    const answer = await call(testApp, route, { token: world.member.token, ...sample });
    expect([answer.statusCode, answer.json().code], route.id).toEqual([403, "forbidden"]);
  }
});
