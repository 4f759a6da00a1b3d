import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { StubLiveChannel } from "../stub-api/stub-live-channel.ts";

/** The queue of tickets and a ticket, as staff see them. */

const { staffTickets, cannedReplies } = routes;
const fixture = useConsole();
const live = new StubLiveChannel();
const queue = "/staff/tickets";
const one = `${queue}/${exampleIds.entry}`;
const first = "Which version do your players use?";

async function open(path: string): Promise<Page> {
  const page = await fixture.page();
  await live.serve(page);
  await page.goto(path);
  return page;
}

beforeEach(() => {
  live.reset();
  fixture.state.user = { ...fixture.state.user, role: "staff", staff_roles: ["admin"] };
  fixture.api.handle(staffTickets.listStaffTickets, () => {
    const usual = example(staffTickets.listStaffTickets);
    const [ticket] = usual.data;
    if (ticket === undefined) throw new Error("The example of the queue is empty");
    const row = (n: number, change: Partial<typeof ticket>) => ({
      ...ticket,
      id: `${exampleIds.entry.slice(0, -2)}${n + 30}`,
      ticket_number: 1_042 + n,
      assignee: null,
      ...change,
    });
    const data = [
      row(0, {
        severity: "critical",
        due_at: "2026-10-01T08:00:00.000Z",
        tags: ["ddos", "bedrock"],
      }),
      row(1, { severity: "high", status: "in_progress", subject: "word".repeat(37) }),
      row(2, {
        status: "waiting_customer",
        due_at: null,
        assignee: { id: exampleIds.other, name: "Kim" },
      }),
      row(3, { status: "resolved", due_at: null, snoozed_until: "2100-01-01T00:00:00.000Z" }),
    ];
    return { ...usual, data, total: data.length };
  });
  fixture.api.answerRaw(staffTickets.viewAsStaff, {
    status: 200,
    contentType: "image/svg+xml",
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="teal"/></svg>',
  });
  fixture.api.handle(staffTickets.getStaffTicket, () => ({ ticket: lively() }));
});

function lively(): StaffTicketDetail {
  const { ticket } = example(staffTickets.getStaffTicket);
  const [message] = ticket.messages;
  if (message === undefined) throw new Error("The example of a ticket has no message");
  const said = (n: number, change: Partial<typeof message>) => ({
    ...message,
    id: `${exampleIds.entry.slice(0, -2)}${n + 50}`,
    attachments: [],
    ...change,
  });
  return {
    ...ticket,
    due_at: "2026-10-01T08:00:00.000Z",
    snapshot: '{ "location": "frankfurt" }',
    messages: [
      said(0, {
        message: "Since today players from Spain cannot join.\n\nThe log says nothing.",
        is_admin: false,
        is_own: false,
        attachments: message.attachments,
      }),
      said(1, {
        message: "They sound angry.",
        is_admin: true,
        is_internal: true,
        is_own: false,
        author: { email: "kim@example.com", first_name: "Kim" },
      }),
      said(2, { message: first, is_admin: true, is_own: true }),
      said(3, { message: "x".repeat(300), is_admin: false, is_own: false, source: "mail" }),
    ],
  };
}

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("the queue, a ticket and their dialogs are sound at each width", async () => {
    const page = await fixture.page(look);
    await live.serve(page);
    const errors = watchForErrors(page);
    const named = (what: string) => `${what} ${look.theme} ${look.locale}`;
    await page.goto(queue);
    await settled(page);
    await page.keyboard.press("x");
    await expectSoundEverywhere(page, named("queue"));
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await expectSoundEverywhere(page, named("shortcuts"));
    await page.keyboard.press("Escape");
    await page.goto(one);
    await settled(page);
    await expectSoundEverywhere(page, named("ticket"));
    await page.keyboard.press("n");
    await expectSoundEverywhere(page, named("ticket note"));
    expect(errors).toEqual([]);
  });
});

test("the keyboard goes through the queue, assigns, and opens a ticket for a reply", async () => {
  const said = { en: "Ticket updated", ru: "Обращение изменено" };
  fixture.api.say(staffTickets.changeStaffTicket, said);
  const page = await open(queue);
  await settled(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("a");
  await page.getByText("Ticket updated").waitFor();
  const [assigned] = fixture.api.callsOf(staffTickets.changeStaffTicket);
  expect(assigned?.body).toEqual({ assignee_id: fixture.state.user.id });
  expect(assigned?.pathname).toContain(`${exampleIds.entry.slice(0, -2)}31`);
  await page.keyboard.press("r");
  await page.waitForURL(/31\?write=reply$/);
  await page.getByRole("textbox", { name: "Reply to the customer" }).waitFor();
  const focused = () => page.locator(":focus").getAttribute("aria-label");
  expect(await focused()).toBe("Reply to the customer");
  // Letters are written there, and are no commands.
  await page.keyboard.type("junk");
  expect(new URL(page.url()).pathname).toContain("31");
  await page.keyboard.press("Escape");
  await page.keyboard.press("u");
  await page.waitForURL(`**${queue}`);
});

test("several tickets are tagged at once", async () => {
  const page = await open(queue);
  await settled(page);
  await page.keyboard.press("x");
  await page.getByRole("checkbox", { name: "Choose #1044" }).check();
  const bar = page.getByRole("toolbar", { name: "Chosen tickets" });
  await bar.getByText("Chosen: 2").waitFor();
  await bar.getByRole("textbox").fill("Big Outage");
  await bar.getByRole("button", { name: "Add tag" }).click();
  await bar.waitFor({ state: "detached" });
  const [sent] = fixture.api.callsOf(staffTickets.changeStaffTickets);
  const ids = [30, 32].map((n) => `${exampleIds.entry.slice(0, -2)}${n}`);
  expect(sent?.body).toEqual({ ids, action: { kind: "tag", tag: "big-outage" } });
});

test("filters and the view are in the address; an empty view says so; a failure can be retried", async () => {
  const page = await open(queue);
  await settled(page);
  fixture.api.change(staffTickets.listStaffTickets, (usual) => ({ ...usual, data: [], total: 0 }));
  await page.getByRole("button", { name: /^Overdue/ }).click();
  await page.getByText("No ticket is in this view.").waitFor();
  expect(new URL(page.url()).searchParams.get("view")).toBe("overdue");
  await page.getByRole("combobox", { name: "Severity" }).selectOption("high");
  await page.getByText("No ticket of this view matches.").waitFor();
  fixture.api.refuse(staffTickets.listStaffTickets, "not_found");
  await page.reload();
  await page.getByText("Error fetching tickets").waitFor();
  fixture.api.restore(staffTickets.listStaffTickets);
  await page.getByRole("button", { name: /again/i }).click();
  await page.getByRole("list", { name: "Overdue" }).waitFor();
});

test("an answer keeps its text over a reload and through a collision, and goes anyway", async () => {
  const page = await open(one);
  const field = page.getByRole("textbox", { name: "Reply to the customer" });
  await field.fill("Try 1.21.8");
  await page.reload();
  await until(async () => (await field.inputValue()) === "Try 1.21.8");
  fixture.api.refuse(staffTickets.replyAsStaff, "ticket_changed");
  await page.keyboard.press("Escape");
  await field.press("Control+Enter");
  await page.getByText("Someone answered in the meantime. Read it").waitFor();
  expect(await field.inputValue()).toBe("Try 1.21.8");
  fixture.api.restore(staffTickets.replyAsStaff);
  await page.getByRole("button", { name: "Send anyway" }).click();
  await until(async () => (await field.inputValue()) === "");
  const sent = fixture.api.callsOf(staffTickets.replyAsStaff).map(({ body }) => body);
  const last_message_id = `${exampleIds.entry.slice(0, -2)}53`;
  const usual = { message: "Try 1.21.8", internal: false, resolve: false, last_message_id };
  expect(sent).toEqual([
    { ...usual, anyway: false },
    { ...usual, anyway: true },
  ]);
});

test("a note has another colour and name, and is sent as a note", async () => {
  const page = await open(one);
  await page.getByText("They sound angry.").waitFor();
  await page.getByText("Note, for staff only").waitFor();
  await page.getByRole("tab", { name: "Note for staff" }).click();
  await page.getByRole("textbox", { name: "Note for staff" }).fill("Ask Kim");
  await page.getByRole("button", { name: "Add note" }).click();
  await until(() => fixture.api.callsOf(staffTickets.replyAsStaff).length === 1);
  const [sent] = fixture.api.callsOf(staffTickets.replyAsStaff);
  expect(sent?.body).toEqual({ message: "Ask Kim", internal: true, resolve: false, anyway: false });
});

test("a canned reply is chosen by `/` and filled in the customer's language", async () => {
  fixture.api.handle(cannedReplies.listCannedReplies, () => {
    const { replies } = example(cannedReplies.listCannedReplies);
    const [reply] = replies;
    if (reply === undefined) throw new Error("There is no example of a canned reply");
    return {
      replies: [{ ...reply, title: "Version", body_en: "Hello {customer}, {ticket}: {nonsense}" }],
    };
  });
  const page = await open(one);
  const field = page.getByRole("textbox", { name: "Reply to the customer" });
  await field.press("/");
  const picker = page.getByRole("dialog", { name: "Insert a canned reply" });
  await picker.getByRole("textbox").fill("vers");
  // The replies are read when the list opens.
  await picker.getByText("Version").waitFor();
  await picker.getByRole("textbox").press("Enter");
  await picker.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("Hello Anna, #1042: {nonsense}");
});

test("colleagues who read or write the same ticket are named", async () => {
  const page = await open(one);
  await page.getByText("Kim is writing").waitFor();
  expect(fixture.api.callsOf(staffTickets.lookAtTicket).length).toBeGreaterThan(0);
});

test("a change by the customer is there at once", async () => {
  const page = await open(one);
  await page.getByText(first).waitFor();
  await until(() => live.received.some(({ event }) => event === "subscribe"));
  fixture.api.change(staffTickets.getStaffTicket, ({ ticket }) => ({
    ticket: { ...ticket, subject: "Solved by itself" },
  }));
  const updated_at = new Date().toISOString();
  const data = { ticket_id: exampleIds.entry, status: "closed", updated_at } as const;
  live.send({ event: "status-updated", data });
  await page.getByRole("heading", { name: "Solved by itself" }).waitFor();
});

test("a ticket is merged by its number, with a reason", async () => {
  const page = await open(one);
  await page.getByRole("button", { name: "Merge into another ticket…" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge #1042 into another ticket" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The same question");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await dialog.getByText("Enter the number of a ticket").waitFor();
  await dialog.getByRole("textbox", { name: "Number of the other ticket" }).fill("1036");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await dialog.waitFor({ state: "detached" });
  const [sent] = fixture.api.callsOf(staffTickets.mergeStaffTicket);
  expect(sent?.body).toEqual({ into: 1036, reason: "The same question" });
});

test("an unknown ticket leads back to the queue", async () => {
  fixture.api.refuse(staffTickets.getStaffTicket, "not_found");
  const page = await open(one);
  await page.getByText("Ticket not found").waitFor();
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await page.waitForURL(`**${queue}`);
  expect(await page.getByText("Ticket not found").count()).toBe(0);
});
