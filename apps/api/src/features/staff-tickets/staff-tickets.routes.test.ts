import { routes } from "@palisade/contract/http/routes";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addTicket } from "#src/test-support/ticket-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type CallOptions,
  type TestUser,
} from "#src/test-support/test-users.ts";

const { staffTickets, tickets } = routes;
let testApp: TestApp;
let kim: TestUser;
let lee: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  kim = await createStaff(testApp, ["support"]);
  lee = await createStaff(testApp, ["billing"]);
}, 60_000);
afterAll(() => testApp?.close());

async function read(ticketId: string, staff = kim): Promise<StaffTicketDetail> {
  const answer = await expectStatus(
    call(testApp, staffTickets.getStaffTicket, { token: staff.token, params: { ticketId } }),
    200,
  );
  return staffTickets.getStaffTicket.response.parse(answer.json()).ticket;
}

async function queue(query: Readonly<Record<string, string>>, staff = kim) {
  const answer = await expectStatus(
    call(testApp, staffTickets.listStaffTickets, { token: staff.token, query }),
    200,
  );
  return staffTickets.listStaffTickets.response.parse(answer.json());
}

const write = (ticketId: string, body: object, options: CallOptions = {}) =>
  call(testApp, staffTickets.replyAsStaff, {
    token: kim.token,
    params: { ticketId },
    body,
    ...options,
  });

const change = (ticketId: string, body: object) =>
  call(testApp, staffTickets.changeStaffTicket, { token: kim.token, params: { ticketId }, body });

async function readAsCustomer({ token }: TestUser, id: string) {
  const answer = await expectStatus(
    call(testApp, tickets.getTicket, { token, params: { id } }),
    200,
  );
  return tickets.getTicket.response.parse(answer.json()).ticket;
}

describe("the queue", () => {
  test("has each ticket in its views, counts them, and filters", async () => {
    const customer = await createUser(testApp, "queue@example.com");
    const search = "queue@";
    const { id } = await addTicket(testApp, customer.id);
    const viewsOf = async (staff = kim) => {
      const found: string[] = [];
      for (const view of staffTickets.listStaffTickets.querystring.shape.view.unwrap().options) {
        const { data } = await queue({ view, search }, staff);
        if (data.some((ticket) => ticket.id === id)) found.push(view);
      }
      return found;
    };
    const before = (await queue({})).counts;
    expect(await viewsOf()).toEqual(["unassigned", "waiting", "all"]);

    await expectStatus(change(id, { assignee_id: kim.id, tags: ["Big DDoS", "big-ddos"] }), 200);
    expect(await viewsOf()).toEqual(["mine", "waiting", "all"]);
    expect(await viewsOf(lee)).toEqual(["waiting", "all"]);
    expect((await queue({})).counts).toEqual({
      ...before,
      unassigned: before.unassigned - 1,
      mine: before.mine + 1,
    });
    expect((await read(id)).tags).toEqual(["big-ddos"]);
    expect((await queue({ tag: "big-ddos" })).data.map((ticket) => ticket.id)).toEqual([id]);
    expect((await queue({ search: `#${(await read(id)).ticket_number}` })).total).toBe(1);
    expect((await queue({ search, severity: "critical" })).total).toBe(0);
    expect((await queue({ search, category: "billing" })).total).toBe(0);

    const tomorrow = new Date(testApp.clock.now().getTime() + 86_400_000).toISOString();
    await expectStatus(change(id, { snoozed_until: tomorrow }), 200);
    expect(await viewsOf()).toEqual(["snoozed", "all"]);
    const body = { message: "Are you there?" };
    const own = { token: customer.token, params: { id }, body };
    await expectStatus(call(testApp, tickets.replyToTicket, own), 201);
    expect(await viewsOf()).toEqual(["mine", "waiting", "all"]);

    await expectStatus(change(id, { status: "closed" }), 200);
    expect(await viewsOf()).toEqual(["closed"]);
  });

  test("shows what is overdue first, and says what customers thought of the help", async () => {
    const customer = await createUser(testApp, "overdue@example.com");
    const late = await addTicket(testApp, customer.id);
    const closed = await addTicket(testApp, customer.id, { isClosed: true });
    const own = { token: customer.token, params: { id: late.id }, body: { message: "Hello?" } };
    await expectStatus(call(testApp, tickets.replyToTicket, own), 201);
    const dueAt = (await read(late.id)).due_at;
    expect(dueAt).not.toBeNull();
    expect((await readAsCustomer(customer, late.id)).response).toEqual({
      usual_minutes: 1_080,
      hours: "business",
      target_at: dueAt,
    });
    const rating = { token: customer.token, params: { id: closed.id }, body: { score: 4 } };
    await expectStatus(call(testApp, tickets.rateTicket, rating), 200);
    const month = testApp.clock.now().toISOString().slice(0, 7);
    expect((await queue({})).satisfaction).toEqual([{ month, answers: 1, average: 4 }]);

    testApp.clock.advance(7 * 86_400_000);
    const fresh = await addTicket(testApp, customer.id);
    const { data } = await queue({ view: "waiting", search: "overdue@" });
    expect(data.map(({ id }) => id)).toEqual([late.id, fresh.id]);
    expect((await queue({ view: "overdue", search: "overdue@" })).total).toBe(1);
  });
});

describe("an answer", () => {
  test("is the customer's to read, stops the clock and makes the ticket the writer's", async () => {
    const customer = await createUser(testApp);
    const { id, messageId } = await addTicket(testApp, customer.id);
    const body = { message: "Which version?", last_message_id: messageId };
    await expectStatus(write(id, body), 201);
    const ticket = await read(id);
    expect(ticket).toMatchObject({
      status: "waiting_customer",
      due_at: null,
      assignee: { id: kim.id },
    });
    expect(ticket.answered_at).not.toBeNull();
    const seen = await readAsCustomer(customer, id);
    expect(seen.messages[0]).toMatchObject({ message: "Which version?", is_admin: true });
    expect(seen.response).toBeNull();
    expect(JSON.stringify(seen)).not.toContain(kim.email);

    await expectStatus(write(id, { message: "Solved.", resolve: true }), 201);
    expect((await read(id)).status).toBe("resolved");
  });

  test("is refused when another one came in between, unless its writer wants it anyway", async () => {
    const customer = await createUser(testApp);
    const { id, messageId } = await addTicket(testApp, customer.id);
    const own = { token: customer.token, params: { id }, body: { message: "Never mind." } };
    await expectStatus(call(testApp, tickets.replyToTicket, own), 201);
    const body = { message: "Which version?", last_message_id: messageId };
    const refused = await expectStatus(write(id, body), 409);
    expect(refused.json().code).toBe("ticket_changed");
    await expectStatus(write(id, { ...body, internal: true }), 201);
    await expectStatus(write(id, { ...body, anyway: true }), 201);
    expect((await read(id)).messages.map(({ message }) => message)).toEqual([
      expect.any(String),
      "Never mind.",
      "Which version?",
      "Which version?",
    ]);
  });

  test("that two write at the same moment, having read the same, is written once", async () => {
    const customer = await createUser(testApp);
    const { id, messageId } = await addTicket(testApp, customer.id);
    const body = { message: "Which version?", last_message_id: messageId };
    const answers = await Promise.all([write(id, body), write(id, body, { token: lee.token })]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 409,
    ]);
  });

  test("needs no fresh proof, since staff answer all day", async () => {
    const customer = await createUser(testApp);
    const { id } = await addTicket(testApp, customer.id);
    await testApp.platform.db
      .updateTable("sessions")
      .set({ authenticated_at: new Date(testApp.clock.now().getTime() - 3_600_000) })
      .where("user_id", "=", kim.id)
      .execute();
    await expectStatus(write(id, { message: "Hello." }), 201);
  });
});

describe("a note", () => {
  test("never reaches the customer: not its text, file, mail or place in the status", async () => {
    const customer = await createUser(testApp);
    const { id } = await addTicket(testApp, customer.id);
    const secret = "The customer sounds angry";
    await expectStatus(write(id, { message: secret, internal: true }), 201);
    const { messages, status } = await read(id);
    expect(messages.at(-1)).toMatchObject({ message: secret, is_internal: true, is_own: true });
    expect(status).toBe("open");

    const calls = [
      call(testApp, tickets.getTicket, { token: customer.token, params: { id } }),
      call(testApp, tickets.listTickets, { token: customer.token }),
      call(testApp, routes.account.exportAccount, { token: customer.token }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.body).not.toContain(secret);
    const mails = await testApp.platform.db
      .selectFrom("development_mails")
      .select("text_body")
      .where("recipient", "=", customer.email)
      .execute();
    expect(mails.filter(({ text_body }) => text_body.includes(secret))).toEqual([]);

    // A file of a note is not there for the customer, even by its id.
    const note = messages.at(-1)?.id ?? "";
    const { id: other, file } = await addTicket(testApp, customer.id);
    await testApp.platform.db
      .updateTable("ticket_attachments")
      .set({ ticket_id: id, message_id: note })
      .where("id", "=", file)
      .execute();
    const params = { id, file };
    const view = { token: customer.token, params };
    await expectStatus(call(testApp, tickets.viewAttachment, view), 404);
    await expectStatus(call(testApp, tickets.downloadAttachment, view), 404);
    const own = { token: kim.token, params: { ticketId: id, file } };
    await expectStatus(call(testApp, staffTickets.viewAsStaff, own), 200);
    const elsewhere = { token: kim.token, params: { ticketId: other, file } };
    await expectStatus(call(testApp, staffTickets.downloadAsStaff, elsewhere), 404);
  });
});

describe("the customer's card", () => {
  test("shows the balance to billing alone", async () => {
    const customer = await createUser(testApp);
    const { id } = await addTicket(testApp, customer.id);
    expect((await read(id, kim)).card.balance_cents).toBeNull();
    expect((await read(id, lee)).card.balance_cents).toBe(0);
    expect((await read(id)).support_plan).toBe("Free");
  });
});

describe("presence", () => {
  test("names colleagues for half a minute, and who is typing", async () => {
    const customer = await createUser(testApp);
    const { id, messageId } = await addTicket(testApp, customer.id);
    const look = async (staff: TestUser, is_typing: boolean) => {
      const options = { token: staff.token, params: { ticketId: id }, body: { is_typing } };
      const answer = await expectStatus(call(testApp, staffTickets.lookAtTicket, options), 200);
      return staffTickets.lookAtTicket.response.parse(answer.json());
    };
    expect(await look(kim, true)).toMatchObject({ people: [], last_message_id: messageId });
    const name = kim.email.split("@")[0];
    expect((await look(lee, false)).people).toEqual([{ id: kim.id, name, is_typing: true }]);
    testApp.clock.advance(31_000);
    expect((await look(lee, false)).people).toEqual([]);
  });
});

describe("staff are told", () => {
  const mailsAbout = async (number: number, title: string) =>
    (
      await testApp.platform.db
        .selectFrom("development_mails")
        .select(["recipient", "subject"])
        .where("subject", "=", `Ticket #${number} is ${title}`)
        .orderBy("recipient")
        .execute()
    ).map(({ recipient }) => recipient);

  test("at once of a critical ticket, once, and of one that is overdue, once", async () => {
    const customer = await createUser(testApp);
    const answer = await expectStatus(
      call(testApp, tickets.createTicket, {
        token: customer.token,
        body: {
          category: "technical",
          severity: "critical",
          subject: "Under attack",
          message: "No player can join.",
        },
      }),
      201,
    );
    const { ticket } = tickets.createTicket.response.parse(answer.json());
    const number = ticket.ticket_number;
    // Lee has the role billing, and the ticket is technical.
    await until(async () => (await mailsAbout(number, "critical")).length > 0);
    expect(await mailsAbout(number, "critical")).toEqual([kim.email]);

    testApp.clock.advance(7 * 86_400_000);
    const escalate = () => testApp.runJob("tickets.escalate");
    await Promise.all([escalate(), escalate()]);
    await escalate();
    await until(async () => (await mailsAbout(number, "overdue")).length > 0);
    expect(await mailsAbout(number, "overdue")).toEqual([kim.email]);
    expect(await mailsAbout(number, "critical")).toEqual([kim.email]);
  });
});
