import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { addTicket } from "#src/test-support/ticket-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";

const { staffTickets, tickets, cannedReplies } = routes;
let testApp: TestApp;
let kim: TestUser;
let customer: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  kim = await createStaff(testApp, ["support"]);
  customer = await createUser(testApp);
}, 60_000);
afterAll(() => testApp?.close());

async function read(ticketId: string) {
  const options = { token: kim.token, params: { ticketId } };
  const answer = await expectStatus(call(testApp, staffTickets.getStaffTicket, options), 200);
  return staffTickets.getStaffTicket.response.parse(answer.json()).ticket;
}

const merge = (ticketId: string, into: number) =>
  call(testApp, staffTickets.mergeStaffTicket, {
    token: kim.token,
    params: { ticketId },
    body: { into, reason: "The same question" },
  });

const bulk = (body: object) =>
  call(testApp, staffTickets.changeStaffTickets, { token: kim.token, body });

describe("merging", () => {
  test("moves messages with their files, keeps their order and leads from the old ticket", async () => {
    const first = await addTicket(testApp, customer.id);
    const second = await addTicket(testApp, customer.id);
    for (const message of ["one", "two"]) {
      const own = { token: customer.token, params: { id: first.id }, body: { message } };
      await expectStatus(call(testApp, tickets.replyToTicket, own), 201);
    }
    const { ticket_number: into } = await read(second.id);
    await expectStatus(merge(first.id, into), 200);

    const merged = await read(second.id);
    const texts = merged.messages.filter(({ is_internal }) => !is_internal);
    expect(texts.map(({ id }) => id).slice(0, 2)).toEqual([second.messageId, first.messageId]);
    expect(texts.slice(2).map(({ message }) => message)).toEqual(["one", "two"]);
    const old = await read(first.id);
    expect(old).toMatchObject({ status: "closed", merged_into: { id: second.id } });
    expect(old.messages.every(({ is_internal }) => is_internal)).toBe(true);

    const view = { token: customer.token, params: { id: second.id, file: first.file } };
    await expectStatus(call(testApp, tickets.viewAttachment, view), 200);
    const own = { token: customer.token, params: { id: first.id } };
    const answer = await expectStatus(call(testApp, tickets.getTicket, own), 200);
    const { ticket } = tickets.getTicket.response.parse(answer.json());
    expect(ticket).toMatchObject({ merged_into: second.id, reopen_until: null });
    const reopened = await expectStatus(call(testApp, tickets.reopenTicket, own), 409);
    expect(reopened.json().code).toBe("ticket_merged");
    expect((await expectStatus(merge(first.id, into), 409)).json().code).toBe("ticket_merged");
  });

  test("is refused across customers, into itself, into a closed ticket and into none", async () => {
    const { id } = await addTicket(testApp, customer.id);
    const stranger = await addTicket(testApp, (await createUser(testApp)).id);
    const closed = await addTicket(testApp, customer.id, { isClosed: true });
    for (const [other, code] of [
      [stranger.id, "ticket.merge.other_customer"],
      [id, "ticket.merge.same"],
      [closed.id, "ticket.merge.closed"],
    ] as const) {
      const answer = await expectStatus(merge(id, (await read(other)).ticket_number), 422);
      expect(answer.json().issues).toMatchObject([{ path: "into", code }]);
    }
    await expectStatus(merge(id, 999_999), 422);
    expect((await read(id)).status).toBe("open");
  });
});

describe("several tickets at once", () => {
  test("are assigned, tagged and closed, and counted when they change", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await addTicket(testApp, customer.id)).id);
    const changedBy = async (action: object) => {
      const answer = await expectStatus(bulk({ ids, action }), 200);
      return staffTickets.changeStaffTickets.response.parse(answer.json()).changed;
    };
    expect(await changedBy({ kind: "assign", assignee_id: kim.id })).toBe(3);
    expect(await changedBy({ kind: "assign", assignee_id: kim.id })).toBe(0);
    expect(await changedBy({ kind: "tag", tag: "outage" })).toBe(3);
    expect(await changedBy({ kind: "close" })).toBe(3);
    expect(await changedBy({ kind: "close" })).toBe(0);
    expect(await read(ids[0] ?? "")).toMatchObject({
      status: "closed",
      tags: ["outage"],
      assignee: { id: kim.id },
      due_at: null,
    });
  });

  test("are all left alone where one is unknown, and are no more than a hundred", async () => {
    const { id } = await addTicket(testApp, customer.id);
    await expectStatus(bulk({ ids: [id, newId()], action: { kind: "close" } }), 404);
    expect((await read(id)).status).toBe("open");
    const many = Array.from({ length: 101 }, newId);
    await expectStatus(bulk({ ids: many, action: { kind: "close" } }), 422);
    const action = { kind: "assign", assignee_id: customer.id };
    await expectStatus(bulk({ ids: [id], action }), 422);
  });
});

test("canned replies are added, changed and deleted by staff", async () => {
  const body = { title: "Version", body_en: "Hello {customer}, which version?" };
  const added = await expectStatus(
    call(testApp, cannedReplies.createCannedReply, { token: kim.token, body }),
    201,
  );
  const { reply } = cannedReplies.createCannedReply.response.parse(added.json());
  const params = { replyId: reply.id };
  const changed = { ...body, body_ru: "Здравствуйте, {customer}! Какая версия?" };
  const update = { token: kim.token, params, body: changed };
  await expectStatus(call(testApp, cannedReplies.updateCannedReply, update), 200);
  const list = async () => {
    const answer = await call(testApp, cannedReplies.listCannedReplies, { token: kim.token });
    return cannedReplies.listCannedReplies.response.parse(answer.json()).replies;
  };
  expect(await list()).toMatchObject([changed]);
  const removal = { token: kim.token, params, body: { reason: "Not used" } };
  await expectStatus(call(testApp, cannedReplies.deleteCannedReply, removal), 200);
  await expectStatus(call(testApp, cannedReplies.deleteCannedReply, removal), 404);
  expect(await list()).toEqual([]);
});
