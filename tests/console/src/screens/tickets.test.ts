import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { ticketStatuses } from "@palisade/contract/http/tickets";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { createTicket, numberedId } from "../stub-api/ticket-examples.ts";
import {
  bringFile,
  chooseFiles,
  expectSoundEverywhere,
  support,
  textFile,
} from "./ticket-pages.ts";

/** The list of tickets, and the form of a new one. */

const { tickets } = routes;
const fixture = useConsole();

const form = (page: Page) => page.getByRole("form", { name: "New ticket" });
const field = (page: Page, name: string) => form(page).locator(`[name="${name}"]`);
const create = (page: Page) => form(page).getByRole("button", { name: "Create ticket" });
const sentTickets = () => fixture.api.callsOf(tickets.createTicket);
const files = (page: Page) => page.getByRole("list", { name: "Attached files" });

async function fillIn(page: Page): Promise<void> {
  await field(page, "category").selectOption("technical");
  await field(page, "severity").selectOption("high");
  await field(page, "subject").fill("Players time out");
  await field(page, "message").fill("Since noon, at the login.");
}

function makeMany(): void {
  fixture.state.tickets = Array.from({ length: 12 }, (_, n) =>
    createTicket({
      id: numberedId(100 + n),
      ticket_number: 1100 - n,
      subject: `Question ${n + 1}`,
      status: ticketStatuses[n % ticketStatuses.length] ?? "open",
      category: n % 2 === 0 ? "billing" : "sales",
    }),
  );
}

describe("the list", () => {
  test("keeps its filters and its page in the address, through a reload", async () => {
    makeMany();
    const page = await fixture.open(support);
    await page.getByRole("link", { name: /^Question 1 / }).waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("link", { name: /^Question 12 / }).waitFor();
    expect(page.url()).toMatch(/\?page=2$/);
    await page.reload();
    await page.getByRole("link", { name: /^Question 12 / }).waitFor();
    await page.getByRole("combobox", { name: "Category" }).selectOption("billing");
    await page.getByRole("combobox", { name: "Status" }).selectOption("closed");
    await page.getByRole("link", { name: /^Question 5 / }).waitFor();
    const rows = page.getByRole("list", { name: "My tickets" }).getByRole("link");
    await until(async () => (await rows.count()) === 1);
    expect(new URL(page.url()).search).toBe("?category=billing&status=closed");
    await expectSoundEverywhere(page, "tickets");
  });

  test("leads to the ticket, and the ticket back", async () => {
    const page = await fixture.open(support);
    await page.getByRole("link", { name: /Players time out at the login/ }).click();
    await page.getByRole("heading", { name: "Players time out at the login" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Support" }).click();
    await page.getByRole("heading", { name: "My tickets" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(support);
  });

  test.each(["Billing", "Technical", "Sales"])(
    "%s of the Support Center is chosen in the form",
    async (name) => {
      const page = await fixture.open(support);
      const center = page.getByRole("region", { name: "Support Center" });
      await center.getByRole("link", { name: `${name} Available` }).click();
      expect(await field(page, "category").inputValue()).toBe(name.toLowerCase());
      await form(page).getByRole("link", { name: "Cancel" }).click();
      await center.waitFor();
    },
  );
});

describe("a new ticket", () => {
  test("is sent once with its files, and leads to its page", async () => {
    const page = await fixture.open(`${support}?new=any`);
    await fillIn(page);
    await chooseFiles(page, [textFile("latest.log")]);
    await bringFile(page, "drop", "dropped.txt");
    await bringFile(page, "paste", "pasted.txt");
    await expectSoundEverywhere(page, "a filled in ticket");
    await files(page).getByRole("button", { name: "Remove dropped.txt" }).click();
    const release = fixture.api.delay(tickets.createTicket);
    await create(page).click();
    const bars = files(page).getByRole("progressbar");
    await until(async () => (await bars.first().getAttribute("aria-valuenow")) === "100", {
      what: "the files are sent",
    });
    expect(await bars.count()).toBe(2);
    await create(page).press("Enter");
    release();
    await page.getByText("Ticket created successfully").waitFor();
    await page.getByRole("heading", { name: "Players time out" }).waitFor();
    const [sent, ...others] = sentTickets();
    expect(others).toEqual([]);
    expect(sent?.body).toEqual({
      category: "technical",
      severity: "high",
      subject: "Players time out",
      message: "Since noon, at the login.",
    });
    expect(sent?.files?.map(({ name }) => name)).toEqual(["latest.log", "pasted.txt"]);
    expect(sent?.headers["idempotency-key"]).toMatch(/^[\w-]{36}$/);
  });

  test("keeps the keyboard's focus when its files are removed", async () => {
    const page = await fixture.open(`${support}?new=any`);
    await chooseFiles(page, [textFile("a.txt"), textFile("b.txt")]);
    await files(page).getByRole("button", { name: "Remove a.txt" }).press("Enter");
    const other = files(page).getByRole("button", { name: "Remove b.txt" });
    await other.and(page.locator(":focus")).waitFor();
    await other.press("Enter");
    const attach = page.getByRole("button", { name: "Attach files" });
    await attach.and(page.locator(":focus")).waitFor();
    expect(
      await files(page)
        .getByRole("button", { name: /^Remove/ })
        .count(),
    ).toBe(0);
  });

  test("keeps texts and files when the connection is cut, and is sent under the same key again", async () => {
    const page = await fixture.open(`${support}?new=any`);
    await fillIn(page);
    await chooseFiles(page, [textFile("latest.log")]);
    fixture.api.cut(tickets.createTicket);
    await create(page).click();
    await page.getByText("Error creating ticket").waitFor();
    await files(page).getByText("latest.log").waitFor();
    fixture.api.restore(tickets.createTicket);
    await create(page).click();
    await page.getByText("Ticket created successfully").waitFor();
    const keys = sentTickets().map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
    // The browser itself tries again, too.
    expect(keys.length).toBeGreaterThan(1);
  });

  test("shows what the api refuses beside the field and beside the files", async () => {
    const page = await fixture.open(`${support}?new=any`);
    await fillIn(page);
    await chooseFiles(page, [textFile("latest.log")]);
    const message = "Invalid file type: latest.log";
    fixture.api.refuse(tickets.createTicket, "attachment_refused", [
      { path: "attachments.0", code: "attachment.type", message },
    ]);
    await create(page).click();
    await page.getByRole("alert").getByText(message).waitFor();
    expect(await field(page, "subject").inputValue()).toBe("Players time out");
    await expectSoundEverywhere(page, "a refused file");
  });

  test("survives a reload before it is sent, and is gone afterwards", async () => {
    const page = await fixture.open(`${support}?new=sales`);
    await fillIn(page);
    await page.reload();
    expect(await field(page, "category").inputValue()).toBe("technical");
    expect(await field(page, "subject").inputValue()).toBe("Players time out");
    expect(await field(page, "severity").inputValue()).toBe("high");
    await create(page).click();
    await page.getByText("Ticket created successfully").waitFor();
    await page.goto(`${support}?new=any`);
    expect(await field(page, "subject").inputValue()).toBe("");
  });

  test("names a shield and carries its settings, as a link that knows it says", async () => {
    const { shield } = fixture.state;
    fixture.state.shield = { ...shield, status: "blocked" };
    fixture.state.overview = { ...fixture.state.overview, status: "blocked" };
    const page = await fixture.open(`/dashboard/gameshield/${shield.id}`);
    await page.getByRole("link", { name: "Contact support" }).click();
    const subject = `The Game Shield ${shield.server_name} is blocked`;
    await until(async () => (await field(page, "subject").inputValue()) === subject, {
      what: "the subject is filled in",
    });
    const snapshot = form(page).getByRole("checkbox", { name: /^Send settings and doctor/ });
    expect(await snapshot.isChecked()).toBe(true);
    await field(page, "severity").selectOption("low");
    await field(page, "message").fill("What is the reason?");
    await create(page).click();
    await page.getByText("Settings and doctor report were sent along.").waitFor();
    expect(sentTickets()[0]?.body).toMatchObject({
      category: "technical",
      server_id: exampleIds.shield,
      with_snapshot: true,
    });
  });

  test("suggests articles for the words of the subject", async () => {
    const page = await fixture.open(`${support}?new=any&server=${exampleIds.shield}`);
    const help = page.getByRole("region", { name: "This may help" });
    await field(page, "subject").fill("joining players get kicked");
    const article = help.getByText("Players cannot join");
    await article.click();
    await help.getByText(/The doctor checks DNS/).waitFor();
    const link = help.getByRole("link", { name: "Open the doctor" });
    expect(await link.getAttribute("href")).toBe(
      `/dashboard/gameshield/${exampleIds.shield}/doctor`,
    );
    await expectSoundEverywhere(page, "suggested articles");
    await field(page, "subject").fill("xylophone");
    await help.waitFor({ state: "detached" });
  });
});
