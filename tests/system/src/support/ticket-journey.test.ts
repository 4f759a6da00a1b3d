import { randomUUID } from "node:crypto";
import { ticketRoutes } from "@palisade/contract/http/tickets";
import { until } from "@palisade/testing/until";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import { databaseOf, removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { icon } from "../routing/icon.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** A customer in the browser and support talk in a ticket, while the api is killed in between. */

let home: string;
let palisade: Palisade;
let browser: Browser;
let pages: ConsolePages;
let database: pg.Client;

beforeAll(async () => {
  home = await createPreparedHome();
  [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
  pages = createConsolePages(browser, palisade.consoleUrl);
  database = new pg.Client((await databaseOf(home)).ownerUrl);
  await database.connect();
});

afterAll(async () => {
  await database?.end();
  await browser?.close();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

/** As the api writes an answer: message, status and event are in one transaction. */
async function answer(ticketId: string, body: string): Promise<void> {
  const id = randomUUID();
  const event = JSON.stringify({ ticket_id: ticketId, kind: "message", message_id: id });
  await database.query("begin");
  await database.query(
    `update tickets set status = 'waiting_customer', updated_at = clock_timestamp() where id = $1`,
    [ticketId],
  );
  await database.query(
    `insert into ticket_messages (id, ticket_id, position, is_admin, body, source, created_at)
     select $1, $2, max(position) + 1, true, $3, 'console', clock_timestamp()
       from ticket_messages where ticket_id = $2`,
    [id, ticketId, body],
  );
  await database.query("select pg_notify('palisade_ticket_event', $1)", [event]);
  await database.query("commit");
}

async function killApi(): Promise<void> {
  const pid = await palisade.pidOf("api");
  process.kill(pid, "SIGKILL");
  await until(async () => (await palisade.pidOf("api")) !== pid, { what: "another api" });
}

const thread = (page: Page) => page.getByRole("list", { name: "Messages" });
const texts = (page: Page) => thread(page).locator("article p").allInnerTexts();
const reply = (page: Page) => page.getByRole("textbox", { name: "Your reply" });

async function openTicket(page: Page): Promise<string> {
  await page.getByLabel("Category").selectOption("technical");
  await page.getByLabel("Severity").selectOption("high");
  await page.getByLabel("Subject").fill("Players time out");
  await page.getByLabel("Message").fill("Since noon, at the login.");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "latest.log", mimeType: "text/plain", buffer: Buffer.from("[12:00:00] Done\n") },
    {
      name: "timeout.png",
      mimeType: "image/png",
      buffer: Buffer.from(icon().replace(/^.*,/, ""), "base64"),
    },
  ]);
  await page.getByRole("button", { name: "Create ticket" }).click();
  await page.getByText("Ticket created successfully").waitFor();
  await page.waitForURL("**/dashboard/support/ticket/*");
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

async function messagesOf({ call }: TestAccount, id: string): Promise<string[]> {
  const { data } = await call(ticketRoutes.getTicket, { params: { id } });
  return data.ticket.messages.map(({ message }) => message);
}

test("a conversation with files goes on live while the api is killed, and is closed and reopened", async () => {
  const account = await createAccount(palisade.consoleUrl, "anna@example.com");
  const { token } = account;
  const page = await pages.open("/dashboard/support?new=any", { token });
  const id = await openTicket(page);

  const picture = page.getByRole("img", { name: "timeout.png" });
  await until(() => picture.evaluate((shown) => Number(Reflect.get(shown, "naturalWidth")) > 0), {
    what: "the picture",
  });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download latest.log" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("latest.log");

  const other = await pages.open(`/dashboard/support/ticket/${id}`, { token });
  await answer(id, "Which version?");
  await thread(page).getByText("Which version?").waitFor();
  await page.getByText("New message from support").waitFor();
  await reply(page).fill("1.21.4");
  await reply(page).press("Control+Enter");
  await thread(other).getByText("1.21.4").waitFor();

  await reply(page).fill("All of them");
  await killApi();
  await answer(id, "Written while the api was down");
  await thread(page).getByText("Written while the api was down").waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await thread(other).getByText("All of them").waitFor();

  const all = [
    "All of them",
    "Written while the api was down",
    "1.21.4",
    "Which version?",
    "Since noon, at the login.",
  ];
  await until(async () => (await texts(page)).length === all.length, { what: "all messages" });
  expect(await texts(page)).toEqual(all);
  expect(await texts(other)).toEqual(all);
  expect(await messagesOf(account, id)).toEqual(all);

  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Close ticket" }).click();
  await page.getByRole("link", { name: /Players time out Closed/ }).waitFor();
  await other.getByText("Ticket closed!").waitFor();
  await other.getByRole("button", { name: "Reopen" }).click();
  await other.getByText("Ticket reopened").waitFor();
  await reply(other).waitFor();
});
