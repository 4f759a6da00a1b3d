import { routes } from "@palisade/contract/http/routes";
import { ticketStatuses } from "@palisade/contract/http/tickets";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addMember, createShield } from "#src/test-support/test-shields.ts";
import { enrolEdge } from "#src/test-support/test-world.ts";
import { addTicket, ticketBody } from "#src/test-support/ticket-samples.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { readTicketEvent, ticketEventsChannel, type TicketEvent } from "./ticket-events.service.ts";
import { addMessage, readMessagesAfter } from "./ticket-messages.service.ts";
import { changeStatus } from "./tickets.service.ts";

const { tickets } = routes;
const dayMs = 86_400_000;

let testApp: TestApp;
let staff: TestUser;
let user: TestUser;
const heard: TicketEvent[] = [];
let endListening: () => void;
beforeAll(async () => {
  testApp = await createTestApp();
  staff = await createStaff(testApp, ["support"]);
  await enrolEdge(testApp, await createStaff(testApp));
  endListening = await testApp.platform.bus.listen(ticketEventsChannel, (payload) => {
    const event = readTicketEvent(payload);
    if (event !== null) heard.push(event);
  });
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => {
  heard.length = 0;
});
afterAll(async () => {
  endListening?.();
  await testApp?.close();
});

const db = () => testApp.platform.db;
const asUser = (definition: Parameters<typeof call>[1], id: string, body?: object) =>
  call(testApp, definition, {
    token: user.token,
    params: { id },
    ...(body !== undefined && { body }),
  });

async function open(body: object = ticketBody) {
  const answer = await expectStatus(
    call(testApp, tickets.createTicket, { token: user.token, body }),
    201,
  );
  return tickets.createTicket.response.parse(answer.json()).ticket;
}

async function read(id: string) {
  const answer = await expectStatus(asUser(tickets.getTicket, id), 200);
  return tickets.getTicket.response.parse(answer.json()).ticket;
}

const reply = (id: string, message = "More.") => asUser(tickets.replyToTicket, id, { message });

/** As the staff queue does it. */
function answerAsStaff(ticketId: string, { isInternal = false, body = "We look at it." } = {}) {
  const order = { ticketId, authorId: staff.id, isAdmin: true, isInternal, body, files: [] };
  return db()
    .transaction()
    .execute((trx) =>
      addMessage(testApp.platform.bus, trx, {
        ...order,
        source: "console",
        now: testApp.clock.now(),
      }),
    );
}

describe("a ticket", () => {
  test("is opened with its first message, and numbered over the installation", async () => {
    const first = await open();
    const second = await open({ ...ticketBody, subject: "  Another\u202e one ", severity: "high" });
    expect(second.ticket_number).toBeGreaterThan(first.ticket_number);
    expect(second).toMatchObject({
      subject: "Another one",
      category: "technical",
      severity: "high",
      status: "open",
      user: { email: user.email },
      messages: [
        {
          message: ticketBody.message,
          is_admin: false,
          is_own: true,
          source: "console",
          attachments: [],
        },
      ],
      members: [{ email: user.email, is_admin: false }],
      server: null,
      has_snapshot: false,
      closed_at: null,
      reopen_until: null,
      satisfaction: null,
    });
    await until(() => heard.filter(({ kind }) => kind === "message").length === 2);
    expect(heard.map(({ ticket_id }) => ticket_id)).toEqual([first.id, second.id]);
  });

  test("shows the newest message first, lines as they were typed, and staff without a name", async () => {
    const { id } = await open();
    await answerAsStaff(id, { body: "one\ntwo" });
    await expectStatus(reply(id, "a\r\n\tb\u0007\n"), 201);
    const ticket = await read(id);
    expect(ticket.messages.map(({ message, is_admin }) => [message, is_admin])).toEqual([
      ["a\n\tb", false],
      ["one\ntwo", true],
      [ticketBody.message, false],
    ]);
    expect(ticket.messages[1]?.user).toEqual({ email: null, first_name: null });
    expect(ticket.members).toHaveLength(2);
    expect(JSON.stringify(ticket)).not.toContain(staff.email);
  });

  test("never shows notes of staff to the customer, and their files neither", async () => {
    const { id } = await open();
    const { messageId } = await answerAsStaff(id, { isInternal: true, body: "He pays late." });
    expect((await read(id)).messages).toHaveLength(1);
    expect((await read(id)).status).toBe("open");
    const file = newId();
    await db()
      .insertInto("ticket_attachments")
      .values({
        id: file,
        ticket_id: id,
        message_id: messageId,
        user_id: staff.id,
        original_name: "note.txt",
        type: "text",
        size_bytes: 1,
        storage_key: `attachments/2026-01-01/${file}`,
        position: 0,
        created_at: testApp.clock.now(),
      })
      .execute();
    const answer = await call(testApp, tickets.downloadAttachment, {
      token: user.token,
      params: { id, file },
    });
    expect(answer.statusCode).toBe(404);
    const all = await readMessagesAfter(db(), id, { position: 0, max: 10 });
    expect(all.map(({ position, isInternal }) => [position, isInternal])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test("belongs to its account: members of the shield, staff and strangers get 404 for it", async () => {
    const shieldId = await createShield(testApp, user).then(({ id }) => id);
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    const { id } = await open({ ...ticketBody, server_id: shieldId });
    const { file } = await addTicket(testApp, user.id);
    const stranger = await createUser(testApp);
    const calls = [
      [tickets.getTicket, undefined],
      [tickets.replyToTicket, { message: "hello" }],
      [tickets.closeTicket, undefined],
      [tickets.reopenTicket, undefined],
      [tickets.rateTicket, { score: 1 }],
      [tickets.downloadAttachment, undefined],
      [tickets.viewAttachment, undefined],
    ] as const;
    for (const { token } of [member, staff, stranger]) {
      for (const [definition, body] of calls) {
        for (const ticketId of [id, newId()]) {
          const answer = await call(testApp, definition, {
            token,
            params: { id: ticketId, file },
            ...(body && { body }),
          });
          expect([definition.id, answer.statusCode]).toEqual([definition.id, 404]);
        }
      }
      const list = await call(testApp, tickets.listTickets, { token });
      expect(list.json().total).toBe(0);
    }
    expect((await read(id)).messages).toHaveLength(1);
  });

  test("can be about a shield of the caller's, or one they are a member of, and no other", async () => {
    const owner = await createUser(testApp);
    const { id: shared } = await createShield(testApp, owner);
    await addMember(testApp, shared, user);
    const about = await open({ ...ticketBody, server_id: shared });
    expect(about.server).toMatchObject({ id: shared });
    const { id: foreign } = await createShield(testApp, owner);
    for (const body of [{ server_id: foreign }, { server_id: newId() }, { with_snapshot: true }]) {
      const answer = await call(testApp, tickets.createTicket, {
        token: user.token,
        body: { ...ticketBody, ...body },
      });
      expect([answer.statusCode, answer.json().issues[0]]).toEqual([
        422,
        { path: "server_id", code: "ticket.server", message: "Select one of your servers" },
      ]);
    }
  });

  test("keeps settings and a doctor's report where that is asked for, as far as the caller may see them", async () => {
    const { id: own } = await createShield(testApp, user);
    const opened = await open({ ...ticketBody, server_id: own, with_snapshot: true });
    expect(opened.has_snapshot).toBe(true);
    const snapshotOf = async (id: string) => {
      const row = await db()
        .selectFrom("tickets")
        .select("snapshot")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return row.snapshot as { settings: object; doctor: { findings: unknown[] } | null };
    };
    const whole = await snapshotOf(opened.id);
    expect(Object.keys(whole.settings)).toEqual(expect.arrayContaining(["general", "mitigation"]));
    expect(whole.doctor?.findings.length).toBeGreaterThan(0);

    const owner = await createUser(testApp);
    const { id: shared } = await createShield(testApp, owner);
    await addMember(testApp, shared, user);
    await db()
      .updateTable("shield_members")
      .set({
        member_role: "custom",
        rights: JSON.stringify({ general: "view" }),
      })
      .where("shield_id", "=", shared)
      .where("user_id", "=", user.id)
      .execute();
    const limited = await open({ ...ticketBody, server_id: shared, with_snapshot: true });
    const part = await snapshotOf(limited.id);
    expect(Object.keys(part.settings)).toEqual(["general"]);
    expect(part.doctor).toBeNull();
  });
});

describe("the status", () => {
  test("stays open until staff have answered, then says who is to write next", async () => {
    const { id } = await open();
    await reply(id);
    expect((await read(id)).status).toBe("open");
    await answerAsStaff(id);
    expect((await read(id)).status).toBe("waiting_customer");
    await reply(id);
    expect((await read(id)).status).toBe("in_progress");
  });

  test("resolved goes on with a reply; closed takes none until it is opened again", async () => {
    const { id } = await open();
    await answerAsStaff(id);
    await db()
      .transaction()
      .execute((trx) =>
        changeStatus(
          testApp.platform.bus,
          trx,
          { id, status: "waiting_customer" },
          { status: "resolved", now: testApp.clock.now() },
        ),
      );
    expect((await read(id)).status).toBe("resolved");
    await reply(id);
    expect((await read(id)).status).toBe("in_progress");

    const closed = await expectStatus(asUser(tickets.closeTicket, id), 200);
    expect(closed.json()).toMatchObject({
      message: "Ticket closed successfully",
      ticket: { status: "closed", closed_at: testApp.clock.now().toISOString() },
    });
    const refused = await reply(id);
    expect([refused.statusCode, refused.json().code, refused.json().message]).toEqual([
      409,
      "ticket_closed",
      "This ticket is closed. You cannot send messages.",
    ]);
    expect((await asUser(tickets.closeTicket, id)).json().code).toBe("ticket_closed");
    expect((await read(id)).messages).toHaveLength(3);

    const opened = await expectStatus(asUser(tickets.reopenTicket, id), 200);
    expect(opened.json().ticket).toMatchObject({ status: "in_progress", closed_at: null });
    expect((await asUser(tickets.reopenTicket, id)).json().code).toBe("ticket_not_closed");
    await expectStatus(reply(id), 201);
    await until(() => heard.filter(({ kind }) => kind === "status").length === 3);
  });

  test("can be opened again within 14 days, to the millisecond", async () => {
    const { id } = await open();
    await asUser(tickets.closeTicket, id);
    testApp.clock.advance(14 * dayMs - 1);
    expect((await read(id)).reopen_until).toBe(
      new Date(testApp.clock.now().getTime() + 1).toISOString(),
    );
    await expectStatus(asUser(tickets.reopenTicket, id), 200);
    await asUser(tickets.closeTicket, id);
    testApp.clock.advance(14 * dayMs);
    expect((await read(id)).reopen_until).toBeNull();
    const late = await asUser(tickets.reopenTicket, id);
    expect([late.statusCode, late.json().code]).toEqual([409, "ticket_too_old"]);
  });

  test("closed takes an answer about the help, which is forgotten when it is opened again", async () => {
    const { id } = await open();
    const rate = (body: object) => asUser(tickets.rateTicket, id, body);
    expect((await rate({ score: 5 })).json().code).toBe("ticket_not_closed");
    await asUser(tickets.closeTicket, id);
    await expectStatus(rate({ score: 2 }), 200);
    await expectStatus(rate({ score: 4, comment: " Quick " }), 200);
    expect((await read(id)).satisfaction).toEqual({ score: 4, comment: "Quick" });
    for (const score of [0, 6, 2.5, "5", null]) {
      expect((await rate({ score })).json().issues[0].message, String(score)).toBe("Choose 1 to 5");
    }
    await asUser(tickets.reopenTicket, id);
    expect((await read(id)).satisfaction).toBeNull();
  });
});

describe("the list", () => {
  test("has the caller's own, newest change first, by status and category, in pages of ten", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      testApp.clock.advance(1_000);
      ids.unshift((await addTicket(testApp, user.id, { isClosed: n % 4 === 0 })).id);
    }
    const list = async (query: Record<string, string> = {}) => {
      const answer = await call(testApp, tickets.listTickets, { token: user.token, query });
      expect(answer.statusCode).toBe(200);
      return tickets.listTickets.response.parse(answer.json());
    };
    const first = await list();
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(first).toMatchObject({ per_page: 10, last_page: 2, total: 12, current_page: 1 });
    expect((await list({ page: "2" })).data.map(({ id }) => id)).toEqual(ids.slice(10));
    expect((await list({ page: "9" })).current_page).toBe(2);
    expect((await list({ status: "closed" })).total).toBe(3);
    expect((await list({ status: "open", category: "technical" })).total).toBe(9);
    expect((await list({ category: "sales" })).data).toEqual([]);
    testApp.clock.advance(1_000);
    await expectStatus(reply(ids.at(-2) ?? ""), 201);
    expect((await list()).data[0]?.id).toBe(ids.at(-2));
    for (const [query, message] of [
      [{ status: "done" }, "Unknown status"],
      [{ category: "other" }, "Select category"],
      [{ page: "0" }, undefined],
    ] as const) {
      const answer = await call(testApp, tickets.listTickets, { token: user.token, query });
      expect(answer.statusCode).toBe(422);
      if (message !== undefined) expect(answer.json().issues[0].message).toBe(message);
    }
    expect(ticketStatuses).toHaveLength(5);
  });
});

describe("validation", () => {
  test.each([
    [{ category: undefined }, "category", "Select category", "Выберите категорию"],
    [{ category: "other" }, "category", "Select category", "Выберите категорию"],
    [{ severity: undefined }, "severity", "Select severity", "Выберите важность"],
    [{ subject: undefined }, "subject", "Required", "Обязательное поле"],
    [{ subject: " \u200b" }, "subject", "Required", "Обязательное поле"],
    [{ subject: "ab" }, "subject", "Min 3 chars", "Минимум 3 символа"],
    [{ subject: "x".repeat(151) }, "subject", "At most 150 characters", "Не больше 150 символов"],
    [{ message: undefined }, "message", "Required", "Обязательное поле"],
    [{ message: "  \n " }, "message", "Required", "Обязательное поле"],
    [{ message: "abcd" }, "message", "Min 5 chars", "Минимум 5 символов"],
    [
      { message: "x".repeat(10_001) },
      "message",
      "At most 10,000 characters",
      "Не больше 10 000 символов",
    ],
  ])("%o is refused in both languages: %s, %s", async (change, path, english, russian) => {
    for (const [language, message] of [
      ["en", english],
      ["ru", russian],
    ] as const) {
      const answer = await call(testApp, tickets.createTicket, {
        token: user.token,
        body: { ...ticketBody, ...change },
        headers: { "accept-language": language },
      });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().issues).toContainEqual({ path, code: expect.any(String), message });
    }
  });

  test("a reply needs a text or a file", async () => {
    const { id } = await open();
    for (const body of [{}, { message: " \n" }]) {
      const answer = await asUser(tickets.replyToTicket, id, body);
      expect([answer.statusCode, answer.json().issues]).toEqual([
        422,
        [
          {
            path: "message",
            code: "ticket.message.required",
            message: "Please enter a message or attach files",
          },
        ],
      ]);
    }
  });
});

describe("repeated and simultaneous calls", () => {
  test("a call with the same key opens one ticket, and a reply is written once", async () => {
    const headers = { "idempotency-key": newId() };
    const create = () =>
      call(testApp, tickets.createTicket, { token: user.token, body: ticketBody, headers });
    const [first, second] = [await create(), await create()];
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.json()).toEqual(first.json());
    const { id } = first.json().ticket;
    const send = (message: string, key: string) =>
      call(testApp, tickets.replyToTicket, {
        token: user.token,
        params: { id },
        body: { message },
        headers: { "idempotency-key": key },
      });
    const key = newId();
    await send("once", key);
    await send("once", key);
    expect((await send("twice", key)).json().code).toBe("idempotency_mismatch");
    expect((await read(id)).messages.map(({ message }) => message)).toEqual([
      "once",
      ticketBody.message,
    ]);
  });

  test("replies at once get their places one after the other, none is lost", async () => {
    const { id } = await open();
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => reply(id, `customer ${n}`)),
      ...Array.from({ length: 8 }, () => answerAsStaff(id)),
    ]);
    expect(answers).toHaveLength(16);
    const all = await readMessagesAfter(db(), id, { position: 0, max: 100 });
    expect(all.map(({ position }) => position)).toEqual(
      Array.from({ length: 17 }, (_, n) => n + 1),
    );
    await until(() => heard.length === 17);
    // Notified in the order of the places.
    expect(heard.map(({ message_id }) => message_id)).toEqual(all.map((message) => message.id));
  });
});
