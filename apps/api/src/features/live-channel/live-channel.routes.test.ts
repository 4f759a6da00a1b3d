import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { closeCodes, createLiveToken, ticketChannel } from "@palisade/contract/http/live-channel";
import { routes } from "@palisade/contract/http/routes";
import { seededRandom } from "@palisade/testing/seeded-random";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  goLive,
  insertTicket,
  liveToken,
  openLive,
  writeInTicket,
} from "#src/test-support/test-live.ts";
import {
  call,
  createApiKey,
  createStaff,
  createUser,
  expectStatus,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let customer: TestUser;
let support: TestUser;
let ticketId: string;
let channel: string;

beforeAll(async () => {
  testApp = await createTestApp();
  customer = await createUser(testApp);
  support = await createStaff(testApp, ["support"]);
  ticketId = await insertTicket(testApp, customer);
  channel = ticketChannel(ticketId);
});
afterAll(() => testApp.close());

describe("the token", () => {
  test("works once: of two connections with one token, one is authenticated", async () => {
    const token = await liveToken(testApp, customer);
    const both = [await openLive(testApp), await openLive(testApp)];
    for (const live of both) live.say({ event: "authenticate", data: { token } });
    const refused = await until(() => both.find((live) => live.closedWith() !== undefined));
    const accepted = both.find((live) => live !== refused);
    expect(refused.closedWith()).toBe(closeCodes.authenticationFailed);
    expect(refused.frames).toEqual([]);
    await accepted?.wait("authenticated");
    accepted?.socket.close();
  });

  test("expires after a minute", async () => {
    const token = await liveToken(testApp, customer);
    testApp.clock.advance(60_000);
    const live = await openLive(testApp);
    live.say({ event: "authenticate", data: { token } });
    expect(await live.closes()).toBe(closeCodes.expired);
    expect(live.frames).toEqual([]);
  });

  test("is the session's: a token of a session that has ended is refused", async () => {
    const token = await openSession(testApp, customer);
    const live = await openLive(testApp);
    const given = await liveToken(testApp, { token });
    await expectStatus(call(testApp, routes.auth.logout, { token }), 200);
    live.say({ event: "authenticate", data: { token: given } });
    expect(await live.closes()).toBe(closeCodes.authenticationFailed);
  });

  test("is not given to API keys, and only its hash is stored", async () => {
    const key = await createApiKey(testApp, customer, "write");
    await expectStatus(call(testApp, createLiveToken, { token: key }), 403);
    const token = await liveToken(testApp, customer);
    const rows = await testApp.platform.db.selectFrom("live_tokens").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("is given under the call's earlier name too", async () => {
    const answer = await expectStatus(
      call(testApp, routes.liveChannel.readLiveToken, { token: customer.token }),
      200,
    );
    expect(answer.json()).toMatchObject({ token: expect.stringMatching(/^psl_/) });
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});

describe("the upgrade", () => {
  test("is refused to pages of other sites before anything is opened", async () => {
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1.evil.example"]) {
      await expect(openLive(testApp, { origin })).rejects.toThrow("403");
    }
  });

  test("is open to the console's own pages and to programs", async () => {
    const live = await openLive(testApp, { origin: await testApp.listen() });
    live.socket.close();
    expect(await live.closes()).toBe(1005);
  });

  test("is only at its own path, and other calls are served whatever they ask for", async () => {
    const origin = await testApp.listen();
    expect((await fetch(`${origin}/sockets`)).status).toBe(404);
    for (const upgrade of ["websocket", "h2c"]) {
      const headers = { connection: "upgrade", upgrade };
      const [answer] = (await once(get(`${origin}/healthz`, { headers }), "response")) as [
        IncomingMessage,
      ];
      answer.resume();
      expect(answer.statusCode).toBe(200);
    }
  });
});

describe("a subscription", () => {
  test("brings the owner's messages and states as they are committed", async () => {
    const live = await goLive(testApp, customer, ticketId);
    const id = await writeInTicket(testApp, ticketId, {
      author: support,
      isAdmin: true,
      body: "Try it again",
    });
    expect(await live.wait("new-message")).toEqual([
      {
        ticket_id: ticketId,
        id,
        message: "Try it again",
        is_admin: true,
        is_internal: false,
        is_own: false,
        user: { email: null, first_name: null },
        source: "console",
        attachments: [],
        created_at: testApp.clock.now().toISOString(),
      },
    ]);
    expect(await live.wait("status-updated")).toMatchObject([
      { ticket_id: ticketId, status: "waiting_customer" },
    ]);
    live.socket.close();
  });

  test("is refused for another's ticket and for none, with the same answer and no data", async () => {
    const stranger = await goLive(testApp, await createUser(testApp));
    const others = await goLive(testApp, await createStaff(testApp, ["operations"]));
    for (const live of [stranger, others]) {
      for (const name of [channel, ticketChannel(crypto.randomUUID()), "ticket-1", "shield"]) {
        live.say({ event: "subscribe", data: { channel: name } });
      }
      live.say({ event: "typing", data: { channel } });
      const errors = await live.wait("error", 5);
      expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
      expect(errors[0]).toMatchObject({ code: "not_found" });
      expect(live.heard("subscribed")).toEqual([]);
    }
    await writeInTicket(testApp, ticketId, { author: customer, body: "A secret" });
    const own = await goLive(testApp, support, ticketId);
    const last = await writeInTicket(testApp, ticketId, { author: customer, body: "The last" });
    await own.wait("new-message");
    expect(own.heard("new-message").at(-1)?.id).toBe(last);
    for (const live of [stranger, others]) {
      expect(live.heard("new-message")).toEqual([]);
      expect(live.heard("presence")).toEqual([]);
      live.socket.close();
    }
    own.socket.close();
  });

  test("brings internal notes to support alone", async () => {
    const theirs = await goLive(testApp, customer, ticketId);
    const ours = await goLive(testApp, support, ticketId);
    const note = { author: support, isAdmin: true, isInternal: true, body: "A note" };
    await writeInTicket(testApp, ticketId, note);
    await writeInTicket(testApp, ticketId, { author: customer, body: "Still broken" });
    const [first, second] = await ours.wait("new-message", 2);
    expect(first).toMatchObject({ message: "A note", is_internal: true, is_own: true });
    expect(second).toMatchObject({ message: "Still broken", user: { email: customer.email } });
    const [only] = await theirs.wait("new-message");
    expect(only).toMatchObject({ message: "Still broken", is_own: true });
    expect(theirs.heard("new-message")).toHaveLength(1);
    theirs.socket.close();
    ours.socket.close();
  });

  test("tells who looks and who writes; customers see 'Support', not the employee", async () => {
    const theirs = await goLive(testApp, customer, ticketId);
    const ours = await goLive(testApp, support, ticketId);
    const supportSeen = { channel, people: [{ is_admin: true, name: "Support" }] };
    expect(await theirs.wait("presence")).toEqual([supportSeen]);
    expect(await ours.wait("presence")).toEqual([
      { channel, people: [{ is_admin: false, name: customer.email }] },
    ]);
    for (let key = 0; key < 3; key += 1) ours.say({ event: "typing", data: { channel } });
    expect(await theirs.wait("typing")).toEqual([{ channel, is_admin: true, name: "Support" }]);
    ours.say({ event: "unsubscribe", data: { channel } });
    expect((await theirs.wait("presence", 2)).at(-1)).toEqual({ channel, people: [] });
    expect(theirs.heard("typing")).toHaveLength(1);
    expect(ours.heard("typing")).toEqual([]);
    theirs.socket.close();
    ours.socket.close();
  });
});

describe("a connection ends", () => {
  test("when its session ends in any way: logout, revocation, a new password", async () => {
    const others = await goLive(testApp, customer);
    const sessions = [await openSession(testApp, customer), await openSession(testApp, customer)];
    const lives = [];
    for (const token of sessions) lives.push(await goLive(testApp, { token }, ticketId));
    await expectStatus(call(testApp, routes.auth.logout, { token: sessions[0] }), 200);
    expect(await lives[0]?.closes()).toBe(closeCodes.expired);
    expect(lives[1]?.closedWith()).toBeUndefined();
    const own = await openSession(testApp, customer);
    await expectStatus(call(testApp, routes.account.revokeSessions, { token: own }), 200);
    expect(await lives[1]?.closes()).toBe(closeCodes.expired);
    expect(await others.closes()).toBe(closeCodes.expired);
    customer = { ...customer, token: await openSession(testApp, customer) };
  });

  test("when the account has ten already", async () => {
    const user = await createUser(testApp);
    const lives = [];
    for (let n = 0; n < 10; n += 1) lives.push(await goLive(testApp, user));
    const eleventh = await openLive(testApp);
    eleventh.say({ event: "authenticate", data: { token: await liveToken(testApp, user) } });
    expect(await eleventh.closes()).toBe(closeCodes.tooMany);
    lives[0]?.socket.close();
    await lives[0]?.closes();
    const next = await goLive(testApp, user);
    for (const live of [...lives, next]) live.socket.terminate();
  });

  test("when it says more than twenty things in ten seconds, or something too large", async () => {
    const user = await createUser(testApp);
    const own = await insertTicket(testApp, user);
    const talker = await goLive(testApp, user, own);
    for (let n = 0; n < 20; n += 1) {
      talker.say({ event: "typing", data: { channel: ticketChannel(own) } });
    }
    expect(await talker.closes()).toBe(closeCodes.authenticationFailed);
    const large = await goLive(testApp, user);
    large.socket.send("x".repeat(8 * 1024 + 1));
    expect(await large.closes()).toBe(1009);
  });

  test("when it says anything before it is authenticated", async () => {
    const live = await openLive(testApp);
    live.say({ event: "subscribe", data: { channel } });
    expect(await live.closes()).toBe(closeCodes.authenticationFailed);
    expect(live.frames).toEqual([]);
  });
});

test("nonsense is answered with an error, and the api goes on", async () => {
  const random = seededRandom(20);
  const user = await createUser(testApp);
  const own = await insertTicket(testApp, user);
  const samples = [
    "",
    "null",
    "[]",
    "{",
    '{"event":"subscribe"}',
    '{"event":"subscribe","data":{"channel":["ticket"]}}',
    `{"event":"subscribe","data":{"channel":"ticket-${"0".repeat(60)}"}}`,
    '{"event":"__proto__","data":{}}',
    '{"event":"authenticate","data":{"token":"psl_x"}}',
    "\u0000".repeat(100),
    "[".repeat(8_000),
    JSON.stringify({ event: "typing", data: { channel: "ticket-" } }),
  ];
  const live = await goLive(testApp, user);
  for (const sample of samples) live.socket.send(sample);
  for (let n = 0; n < 6; n += 1) {
    live.socket.send(Buffer.from(Array.from({ length: 64 }, () => random(256))));
  }
  await live.wait("error", samples.length + 6);
  live.say({ event: "subscribe", data: { channel: ticketChannel(own) } });
  expect(await live.wait("subscribed")).toEqual([{ channel: ticketChannel(own) }]);
  live.socket.terminate();
});
