import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge, shieldBody } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";

let testApp: TestApp;
let busy: TestUser;
let other: TestUser;
let busyShield: string;
let otherShield: string;
beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  busy = await createUser(testApp);
  other = await createUser(testApp);
  busyShield = (await createShield(testApp, busy)).id;
  otherShield = (await createShield(testApp, other)).id;
});
afterAll(() => testApp?.close());

const changes = {
  "a firewall switch": (user: TestUser, id: string) =>
    call(testApp, routes.firewall.updateFirewall, {
      token: user.token,
      params: { id },
      body: { whitelist_only: true },
    }),
  "a message": (user: TestUser, id: string) =>
    call(testApp, routes.serverMessages.updateServerMessages, {
      token: user.token,
      params: { id },
      body: { firewall: { blacklist_msg: "Go away" } },
    }),
  async "a new shield"(user: TestUser) {
    const body = await shieldBody(testApp, user);
    return () =>
      call(testApp, routes.servers.createServer, {
        token: user.token,
        body,
        headers: { "idempotency-key": `order-${user.id}` },
      });
  },
};

/** Everything a call needs is made before, so that only the change itself is left to do. */
async function prepare(name: keyof typeof changes, user: TestUser, id: string) {
  if (name === "a new shield") return changes[name](user);
  return () => changes[name](user, id);
}

describe("commits of configuration", () => {
  test.each(Object.keys(changes) as (keyof typeof changes)[])(
    "%s goes through while one of an account whose record is busy waits",
    async (name) => {
      const waiting = await prepare(name, busy, busyShield);
      const free = await prepare(name, other, otherShield);
      // As one of many calls of the same account does, for as long as its transaction lasts.
      const record = await hold(testApp, (trx) =>
        trx
          .selectFrom("audit_heads")
          .select("seq")
          .where("chain", "=", `user:${busy.id}`)
          .forUpdate()
          .execute(),
      );
      let isAnswered = false;
      const late = waiting().finally(() => {
        isAnswered = true;
      });
      try {
        await untilWaiting(testApp, 1);
        const answer = await free();
        expect([200, 201]).toContain(answer.statusCode);
        expect(isAnswered).toBe(false);
      } finally {
        await record.release();
      }
      expect([200, 201]).toContain((await late).statusCode);
    },
  );

  test("calls of one account in parallel, on its shields and its own, do not deadlock", async () => {
    const { token } = busy;
    const bodies = await Promise.all(Array.from({ length: 6 }, () => shieldBody(testApp, busy)));
    const answers = await Promise.all(
      bodies.flatMap((body) => [
        call(testApp, routes.servers.createServer, { token, body }),
        changes["a firewall switch"](busy, busyShield),
        changes["a message"](busy, busyShield),
        call(testApp, routes.servers.generateCname, { token }),
      ]),
    );
    for (const answer of answers) expect([200, 201]).toContain(answer.statusCode);
  });
});
