import { routes } from "@palisade/contract/http/routes";
import { invitationDays } from "@palisade/contract/http/sub-users";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestApp } from "#src/test-support/test-app.ts";
import { inviteByMail } from "#src/test-support/test-invitations.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import { createInvitingApp, freshEmail, subUserCalls } from "#src/test-support/test-sub-users.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";
import { invitationCleaning } from "./sub-users.jobs.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
const logLines: string[] = [];

const { invite, listed, linkTo, read, accept, remove, look, named } = subUserCalls(() => ({
  testApp,
  owner,
  shieldId,
}));
const decline = (token: string) =>
  call(testApp, routes.subUsers.declineInvitation, { body: { token } });

beforeAll(async () => {
  testApp = await createInvitingApp({ onLog: (line) => logLines.push(line) });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
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

  test("accepting one voids the others to the same person, and no other invitation", async () => {
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
    expect(JSON.stringify(rows)).toContain("/api/v1/invitations/accept");
    for (const text of [JSON.stringify(rows), JSON.stringify(await listed()), logLines.join()]) {
      expect(text).not.toContain(token);
    }
  });
});

test("invitations that were never accepted are deleted a month after they ended", async () => {
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
