import { invitationDays, subUsersMax } from "@palisade/contract/http/sub-users";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/ids.ts";
import { profileBody } from "#src/test-support/account-samples.ts";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { inviteByMail } from "#src/test-support/test-invitations.ts";
import { addMember, createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createTestWorld } from "#src/test-support/test-world.ts";
import {
  call,
  createApiKey,
  createStaff,
  createUser,
  expectStatus,
  mailsTo,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";
import { invitationCleaning } from "./sub-users.jobs.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
const logLines: string[] = [];

beforeAll(async () => {
  testApp = await createTestApp({
    config: { publicUrl: "https://palisade.example/" },
    onLog: (line) => logLines.push(line),
  });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

let serial = 0;
const freshEmail = () => `guest${++serial}@example.com`;

function invite(email: unknown, by = owner) {
  return call(testApp, routes.subUsers.addSubUser, {
    token: by.token,
    params: { id: shieldId },
    body: { email },
  });
}

async function listed() {
  const answer = await expectStatus(
    call(testApp, routes.subUsers.listSubUsers, { token: owner.token, params: { id: shieldId } }),
    200,
  );
  return routes.subUsers.listSubUsers.response.parse(answer.json()).sub_users;
}

async function linkTo(email: string, mails = 1): Promise<string> {
  return until(async () => {
    const all = (await mailsTo(testApp, email)).flatMap(
      (mail) => /\/invitation#token=(\S+)/.exec(mail.text_body)?.[1] ?? [],
    );
    return all.length >= mails ? all.at(-1) : undefined;
  });
}

const read = (token: string) => call(testApp, routes.subUsers.getInvitation, { params: { token } });
const accept = ({ token: bearer }: TestUser, token: string) =>
  call(testApp, routes.subUsers.acceptInvitation, { token: bearer, params: { token } });
const decline = (token: string) =>
  call(testApp, routes.subUsers.declineInvitation, { params: { token } });
const remove = (subUserId: string, by = owner) =>
  call(testApp, routes.subUsers.removeSubUser, {
    token: by.token,
    params: { id: shieldId, subUserId },
  });
const leave = (user: TestUser, id = shieldId) =>
  call(testApp, routes.subUsers.leaveServer, { token: user.token, params: { id } });
const look = (token: string) =>
  call(testApp, routes.servers.getServer, { token, params: { id: shieldId } });
const write = (token: string, ip: string) =>
  call(testApp, routes.firewall.addFirewallEntry, {
    token,
    params: { id: shieldId },
    body: { type: "blacklist", ip },
  });

async function member(): Promise<TestUser & { readonly subUserId: string }> {
  const user = await createUser(testApp);
  const { id, token } = await inviteByMail(testApp, shieldId, user.email);
  await expectStatus(accept(user, token), 200);
  return { ...user, subUserId: id };
}

async function named(username: string): Promise<TestUser> {
  const user = await createUser(testApp);
  const body = { ...profileBody, username };
  await expectStatus(call(testApp, routes.account.updateProfile, { token: user.token, body }), 200);
  return user;
}

describe("inviting", () => {
  test("by e-mail: pending as typed, a mail with a link, access once it is accepted", async () => {
    const guest = await createUser(testApp);
    const typed = guest.email.toUpperCase();
    const answer = await expectStatus(invite(` ${typed} `), 201);
    expect(answer.json()).toMatchObject({
      message: "Sub-user added successfully",
      sub_user: { email: typed, status: "pending", last_activity_at: null },
    });
    expect((await look(guest.token)).statusCode).toBe(404);

    const token = await linkTo(guest.email);
    expect((await read(token)).json().invitation).toEqual({
      server_name: "My server",
      invited_by: owner.email,
      address: `U***@EXAMPLE.COM`,
      expires_at: new Date(
        testApp.clock.now().getTime() + invitationDays * 86_400_000,
      ).toISOString(),
    });
    const accepted = await expectStatus(accept(guest, token), 200);
    expect(accepted.json()).toEqual({
      message: "You now have access to My server",
      server_id: shieldId,
    });
    expect((await look(guest.token)).json().server).toMatchObject({ role: "member" });
    expect(await listed()).toMatchObject([
      { id: answer.json().sub_user.id, email: guest.email, status: "active", expires_at: null },
    ]);
    const notice = await until(async () =>
      (await mailsTo(testApp, owner.email)).find(({ subject }) => subject.includes("accepted")),
    );
    expect(notice.text_body).toContain(guest.email);
    expect(notice.text_body).toContain(`/dashboard/gameshield/${shieldId}/subusers`);
  });

  test("by username: the mail goes to that account, which alone may accept", async () => {
    const guest = await named("SteveTheBuilder");
    const other = await createUser(testApp);
    await expectStatus(invite("stevethebuilder"), 201);
    expect(await listed()).toMatchObject([{ email: "stevethebuilder", status: "pending" }]);
    const token = await linkTo(guest.email);
    const refused = await accept(other, token);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "forbidden"]);
    await expectStatus(accept(guest, token), 200);
    expect(await listed()).toMatchObject([{ email: guest.email, status: "active" }]);
  });

  test("a stranger who has the link is told, masked, whose it is, and uses nothing up", async () => {
    const guest = await createUser(testApp, `invitee${newId()}@example.com`);
    const { token } = await inviteByMail(testApp, shieldId, guest.email);
    const refused = await accept(await createUser(testApp), token);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toBe(
      "This invitation is for i***@example.com. Log in with that account",
    );
    await expectStatus(accept(guest, token), 200);
  });

  test("who has no account registers with the address and accepts then", async () => {
    const email = freshEmail();
    await expectStatus(invite(email), 201);
    const token = await linkTo(email);
    await expectStatus(accept(await createUser(testApp, email), token), 200);
    expect(await listed()).toMatchObject([{ email, status: "active" }]);
  });

  test("again sends a new link, voids the one before it and makes no second row", async () => {
    const email = freshEmail();
    const [first] = [(await expectStatus(invite(email), 201)).json().sub_user];
    const older = await linkTo(email);
    testApp.clock.advance(600_000);
    const second = (await expectStatus(invite(email.toUpperCase()), 201)).json().sub_user;
    expect(second.id).toBe(first.id);
    expect(await listed()).toHaveLength(1);
    expect((await read(older)).json().code).toBe("invalid_code");
    const newest = await until(async () => {
      const token = await linkTo(email.toUpperCase());
      return token === older ? undefined : token;
    });
    await expectStatus(read(newest), 200);
  });

  test.each(["", "a@", "no spaces", "x".repeat(255), 7])("%j is refused", async (email) => {
    const answer = await invite(email);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path: "email" });
    expect(await listed()).toEqual([]);
  });

  test("oneself or a sub-user of this shield is refused with the reason", async () => {
    const guest = await member();
    for (const [email, message] of [
      [owner.email, "You own this shield"],
      [guest.email.toUpperCase(), "This person has access already"],
    ] as const) {
      const answer = await invite(email);
      expect([answer.statusCode, answer.json().message]).toEqual([422, message]);
    }
  });

  test("ends at the cap, pending ones counted; two who come for the last place get one", async () => {
    for (let n = 1; n < subUsersMax; n += 1) await inviteByMail(testApp, shieldId, freshEmail());
    const again = freshEmail();
    const answers = await Promise.all([invite(again), invite(freshEmail())]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 422,
    ]);
    expect(answers.map((answer) => answer.json().code)).toContain("list_full");
    const [pending] = await listed();
    await expectStatus(invite(pending?.email), 201);
  });

  test("an address gets three mails in ten minutes and ten a day, whoever asks (fault 21)", async () => {
    const email = freshEmail();
    for (let sent = 1; sent <= 10; sent += 1) {
      const asker = await createUser(testApp);
      shieldId = (await createShield(testApp, asker)).id;
      await expectStatus(invite(email, asker), 201);
      if (sent % 3 !== 0) continue;
      const refused = await invite(email, asker);
      expect([refused.statusCode, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
      testApp.clock.advance(600_000);
    }
    testApp.clock.advance(600_000);
    const asker = await createUser(testApp);
    shieldId = (await createShield(testApp, asker)).id;
    expect((await invite(email, asker)).json().retry_after).toBeGreaterThan(60_000);
  });

  test("of a shield that is not theirs uses up nobody's mails (fault 21)", async () => {
    const email = freshEmail();
    const stranger = await createUser(testApp);
    for (let asked = 0; asked < 4; asked += 1) {
      await expectStatus(invite(email, stranger), 404);
    }
    await expectStatus(invite(email), 201);
  });

  test("into a shield that is not active is 409", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    expect((await invite(freshEmail())).json().code).toBe("server_not_active");
  });
});

describe("a link", () => {
  test("is void after seven days, once declined, and for a deleted shield", async () => {
    const guest = await createUser(testApp);
    const late = await inviteByMail(testApp, shieldId, guest.email);
    testApp.clock.advance(invitationDays * 86_400_000);
    for (const answer of [await read(late.token), await accept(guest, late.token)]) {
      expect([answer.statusCode, answer.json().message]).toEqual([
        422,
        "This invitation is wrong, used or expired. Ask the owner for a new one",
      ]);
    }
    const declined = await inviteByMail(testApp, shieldId, freshEmail());
    await expectStatus(decline(declined.token), 200);
    await expectStatus(decline(declined.token), 422);
    expect(await listed()).toHaveLength(1);

    const gone = await inviteByMail(testApp, shieldId, freshEmail());
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "deleted", deleted_at: testApp.clock.now() })
      .where("id", "=", shieldId)
      .execute();
    await expectStatus(read(gone.token), 422);
  });

  test("accepted makes the others to the same person void, and nobody else's", async () => {
    const guest = await named("TwiceInvited");
    const byMail = await inviteByMail(testApp, shieldId, guest.email);
    const toOther = await inviteByMail(testApp, shieldId, freshEmail());
    await expectStatus(invite("TwiceInvited"), 201);
    const byName = await linkTo(guest.email);
    await expectStatus(accept(guest, byName), 200);
    expect((await listed()).map(({ status }) => status).toSorted()).toEqual(["active", "pending"]);
    await expectStatus(accept(guest, byMail.token), 422);
    await expectStatus(read(toOther.token), 200);
  });

  test("accepted twice, at once or again, makes one sub-user and no error", async () => {
    const guest = await createUser(testApp);
    const { token } = await inviteByMail(testApp, shieldId, guest.email);
    const answers = await Promise.all([accept(guest, token), accept(guest, token)]);
    answers.push(await accept(guest, token));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await listed()).toHaveLength(1);
    await expectStatus(remove((await listed())[0]?.id ?? ""), 200);
    await expectStatus(accept(guest, token), 422);
  });

  test("accepted while it is taken back leaves no access, whichever comes first", async () => {
    for (const first of ["accept", "remove"] as const) {
      const guest = await createUser(testApp);
      const { id, token } = await inviteByMail(testApp, shieldId, guest.email);
      const holder = await hold(testApp, (trx) =>
        trx
          .selectFrom("shield_invitations")
          .select("id")
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirstOrThrow(),
      );
      const calls = { accept: () => accept(guest, token), remove: () => remove(id) };
      const second = first === "accept" ? "remove" : "accept";
      const underWay = [calls[first]()];
      await untilWaiting(testApp, 1);
      underWay.push(calls[second]());
      await untilWaiting(testApp, 2);
      await holder.release();
      await Promise.all(underWay);
      expect(await listed(), first).toEqual([]);
      expect((await look(guest.token)).statusCode, first).toBe(404);
    }
  });

  test("is in no log, no audit row and no answer of the list", async () => {
    const guest = await createUser(testApp);
    await invite(guest.email);
    const token = await linkTo(guest.email);
    await read(token);
    await expectStatus(accept(guest, token), 200);
    await decline(token);
    const rows = await testApp.platform.db.selectFrom("audit_log").selectAll().execute();
    expect(JSON.stringify(rows)).toContain("/api/v1/invitations/[redacted]/accept");
    for (const text of [JSON.stringify(rows), JSON.stringify(await listed()), logLines.join()]) {
      expect(text).not.toContain(token);
    }
  });
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

  test("leaves no other invitation to come back by, removed or gone by themselves (fault 28)", async () => {
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

  test("refuses a write that was let in before and waits for the shield (fault 28)", async () => {
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

  test("reaches nobody of another shield and not the owner (fault 34)", async () => {
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

test("invitations nobody took are forgotten a month after they ended", async () => {
  await inviteByMail(testApp, shieldId, freshEmail());
  const clean = invitationCleaning(testApp.platform.db, testApp.clock);
  const days = (count: number) => testApp.clock.advance(count * 86_400_000);
  for (const [passed, left] of [
    [37, 1],
    [1, 0],
  ] as const) {
    days(passed);
    await clean.run({});
    const rows = await testApp.platform.db
      .selectFrom("shield_invitations")
      .select("id")
      .where("shield_id", "=", shieldId)
      .execute();
    expect(rows).toHaveLength(left);
  }
});

test("fault 35: every call that is the owner's alone is 403 for a sub-user", async () => {
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
