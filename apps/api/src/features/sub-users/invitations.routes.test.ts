import { roleRights } from "@palisade/contract/http/member-rights";
import { invitationDays, subUsersMax } from "@palisade/contract/http/sub-users";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { inviteByMail } from "#src/test-support/test-invitations.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import { createInvitingApp, freshEmail, subUserCalls } from "#src/test-support/test-sub-users.ts";
import { createUser, expectStatus, mailsTo, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

const { invite, listed, linkTo, read, accept, look, member, named } = subUserCalls(() => ({
  testApp,
  owner,
  shieldId,
}));

beforeAll(async () => {
  testApp = await createInvitingApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

describe("inviting", () => {
  test("by e-mail: pending as typed, a mail with a link, access once it is accepted", async () => {
    const guest = await createUser(testApp);
    const typed = guest.email.toUpperCase();
    const answer = await expectStatus(invite(` ${typed} `), 201);
    expect(answer.json()).toMatchObject({
      message: "Invitation sent",
      sub_user: { email: typed, status: "pending", last_activity_at: null },
    });
    expect((await look(guest.token)).statusCode).toBe(404);

    const token = await linkTo(guest.email);
    expect((await read(token)).json().invitation).toEqual({
      server_name: "My server",
      invited_by: owner.email,
      address: `U***@EXAMPLE.COM`,
      role: "manager",
      rights: roleRights.manager,
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
    // Both mails name the role: the invited person and the owner read what it lets them do.
    const [invitation] = await mailsTo(testApp, guest.email);
    for (const mail of [notice, invitation]) {
      expect(mail?.text_body).toContain("Role: Manager: changes everything except plan");
    }
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

  test("an invited person without an account registers with the address, then accepts", async () => {
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

  test("an address gets three mails in ten minutes and ten a day, from all owners together", async () => {
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

  test("for a shield that is not theirs does not count against the mail limit", async () => {
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
