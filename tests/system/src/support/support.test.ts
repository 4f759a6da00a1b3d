import { readFile } from "node:fs/promises";
import { ticketRoutes } from "@palisade/contract/http/tickets";
import { mountedPath } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Browser, Locator, Page } from "playwright-core";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { turnOnTwoFactor } from "../auth/fixture.ts";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import {
  databaseOf,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { icon } from "../routing/icon.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** Support while parts of the product are killed, restarted or frozen. */

let home: string;
let palisade: Palisade;
let browser: Browser;
let pages: ConsolePages;

beforeAll(async () => {
  home = await createPreparedHome();
  [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
  pages = createConsolePages(browser, palisade.consoleUrl);
});

afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

async function createSupporter(): Promise<TestAccount> {
  const account = await createAccount(palisade.consoleUrl, "kim@example.com");
  await turnOnTwoFactor(account);
  await runCommand(home, ["staff", "add", account.email, "support"]);
  return account;
}

/** @returns the process that was ended; another is started */
async function endApi(signal: "SIGKILL" | "SIGTERM"): Promise<number> {
  const pid = await palisade.pidOf("api");
  process.kill(pid, signal);
  return pid;
}

function otherApi(pid: number): Promise<unknown> {
  return until(async () => (await palisade.pidOf("api")) !== pid, { what: "another api" });
}

const png = Buffer.from(icon().replace(/^.*,/, ""), "base64");
const thread = (page: Page) => page.getByRole("list", { name: "Messages" });
const texts = (page: Page) => thread(page).locator("article p").allInnerTexts();
const reply = (page: Page) => page.getByRole("textbox", { name: "Your reply" });
const answer = (desk: Page) => desk.getByRole("textbox", { name: "Reply to the customer" });

async function openTicket(page: Page): Promise<string> {
  await page.getByLabel("Category").selectOption("technical");
  await page.getByLabel("Severity").selectOption("high");
  await page.getByLabel("Subject").fill("Players time out");
  await page.getByLabel("Message").fill("Since noon, at the login.");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "latest.log", mimeType: "text/plain", buffer: Buffer.from("[12:00:00] Done\n") },
    { name: "timeout.png", mimeType: "image/png", buffer: png },
  ]);
  await page.getByRole("button", { name: "Create ticket" }).click();
  await page.getByText("Ticket created successfully").waitFor();
  await page.waitForURL("**/dashboard/support/ticket/*");
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

async function isDrawn(page: Page, name: string): Promise<unknown> {
  const picture = page.getByRole("img", { name });
  const width = () => picture.evaluate((shown) => Number(Reflect.get(shown, "naturalWidth")));
  return until(async () => (await width()) > 0, { what: `the picture ${name}` });
}

/** Presses until the api is there again: the text stays, and is added once. */
async function sendThroughOutage(box: Locator, sent: string): Promise<void> {
  await until(
    async () => {
      await box.press("Control+Enter");
      return (await box.inputValue()) === "";
    },
    { everyMs: 500, capMs: 60_000, what: `'${sent}' is sent` },
  );
}

async function messagesOf({ call }: TestAccount, id: string): Promise<string[]> {
  const { data } = await call(ticketRoutes.getTicket, { params: { id } });
  return data.ticket.messages.map(({ message }) => message);
}

const mailbox = z.array(z.object({ id: z.string(), to: z.string(), text: z.string() }));

/** The receiver answers the mail in which this was quoted. */
async function answerByMail(quoted: string, text: string): Promise<void> {
  const { consoleUrl } = palisade;
  const mail = await until(
    async () =>
      mailbox
        .parse(await (await fetch(`${consoleUrl}/dev/mail.json`)).json())
        .find((each) => each.to.includes("anna@example.com") && each.text.includes(quoted)),
    { what: "the mail about the answer" },
  );
  const { status } = await fetch(`${consoleUrl}/dev/mail/answer`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ id: mail.id, text }),
    redirect: "manual",
  });
  expect(status).toBe(303);
}

/**
 * Loads the page anew with a token for the channel that has expired by the time it is used.
 *
 * @returns what the page sent over its first two connections
 */
async function reloadWithExpiredToken(page: Page): Promise<string[][]> {
  const { ownerUrl } = await databaseOf(home);
  await page.route(
    `**${mountedPath(routes.liveChannel.createLiveToken)}`,
    async (route) => {
      const given = await route.fetch();
      const database = new pg.Client(ownerUrl);
      await database.connect();
      await database.query("update live_tokens set expires_at = now() - interval '1 second'");
      await database.end();
      await route.fulfill({ response: given });
    },
    { times: 1 },
  );
  const connections: string[][] = [];
  page.on("websocket", (socket) => {
    const frames: string[] = [];
    connections.push(frames);
    socket.on("framesent", ({ payload }) => {
      frames.push(z.object({ event: z.string() }).parse(JSON.parse(String(payload))).event);
    });
  });
  await page.reload();
  await until(() => connections[1]?.includes("subscribe") === true, {
    what: "a second connection",
  });
  return connections.slice(0, 2);
}

test("a customer and staff talk live with files while the api is killed and restarted: nothing is lost or doubled", async () => {
  const account = await createAccount(palisade.consoleUrl, "anna@example.com");
  const staff = await createSupporter();
  const page = await pages.open("/dashboard/support?new=any", { token: account.token });
  const id = await openTicket(page);
  await isDrawn(page, "timeout.png");

  const desk = await pages.open("/staff/tickets", { token: staff.token });
  await desk.getByRole("link", { name: /Players time out/ }).click();
  await desk.getByText("Since noon, at the login.").waitFor();
  await isDrawn(desk, "timeout.png");
  const [download] = await Promise.all([
    desk.waitForEvent("download"),
    desk.getByRole("button", { name: /latest\.log/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("latest.log");

  await answer(desk).fill("Which version?");
  await desk
    .locator('input[type="file"]')
    .setInputFiles([{ name: "where.png", mimeType: "image/png", buffer: png }]);
  await answer(desk).press("Control+Enter");
  await thread(page).getByText("Which version?").waitFor();
  await page.getByText("New message from support").waitFor();
  await isDrawn(page, "where.png");
  await reply(page).fill("1.21.4");
  await reply(page).press("Control+Enter");
  await desk.getByText("1.21.4", { exact: true }).waitFor();

  expect(await reloadWithExpiredToken(page)).toEqual([
    ["authenticate"],
    expect.arrayContaining(["authenticate", "subscribe"]),
  ]);
  await answer(desk).fill("With which mods?");
  await answer(desk).press("Control+Enter");
  await thread(page).getByText("With which mods?").waitFor();

  const killed = await endApi("SIGKILL");
  await reply(page).fill("All of them");
  await sendThroughOutage(reply(page), "All of them");
  await otherApi(killed);
  await desk.getByText("All of them", { exact: true }).waitFor();

  await answer(desk).fill("Update Geyser.");
  const stopped = await endApi("SIGTERM");
  await sendThroughOutage(answer(desk), "Update Geyser.");
  await otherApi(stopped);
  await thread(page).getByText("Update Geyser.").waitFor();

  await answerByMail("Update Geyser.", "That was it, спасибо!");
  await thread(page).getByText("That was it, спасибо!").waitFor();
  await desk.getByText("That was it, спасибо!").waitFor();
  await desk.getByText("By mail", { exact: true }).waitFor();

  const all = [
    "That was it, спасибо!",
    "Update Geyser.",
    "All of them",
    "With which mods?",
    "1.21.4",
    "Which version?",
    "Since noon, at the login.",
  ];
  await until(async () => (await texts(page)).length === all.length, { what: "all messages" });
  expect(await texts(page)).toEqual(all);
  expect(await messagesOf(account, id)).toEqual(all);

  const other = await pages.open(`/dashboard/support/ticket/${id}`, { token: account.token });
  expect(await texts(other)).toEqual(all);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Close ticket" }).click();
  await page.getByRole("link", { name: /Players time out Closed/ }).waitFor();
  await other.getByText("Ticket closed!").waitFor();
  await other.getByRole("button", { name: "Reopen" }).click();
  await other.getByText("Ticket reopened").waitFor();
  await reply(other).waitFor();

  // Logged out elsewhere: the channel ends, and the page asks for a new login.
  await account.call(routes.auth.logout, {});
  await other.waitForURL("**/login?**");
});

/** Stops every process of the embedded PostgreSQL, so that it hears and answers nothing. */
async function freezeDatabase(): Promise<{ thaw(): void }> {
  const { pid } = await databaseOf(home);
  process.kill(pid, "SIGSTOP");
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const all = [pid, ...children.trim().split(" ").map(Number)];
  for (const each of all) process.kill(each, "SIGSTOP");
  return {
    thaw() {
      for (const each of all) process.kill(each, "SIGCONT");
    },
  };
}

test("the status page, its figures and its feed are served while PostgreSQL answers nothing", async () => {
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(palisade.consoleUrl + path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  await until(async () => (await fetch(`${palisade.consoleUrl}/status`)).status === 200);
  const { thaw } = await freezeDatabase();
  try {
    expect(await get("/status")).toContain("<h1");
    expect(JSON.parse(await get("/status.json"))).toMatchObject({ components: expect.any(Array) });
    expect(await get("/status/feed.xml")).toContain("<feed");
  } finally {
    thaw();
  }
  await until(async () => (await fetch(`${palisade.consoleUrl}/api/v1/locations`)).status < 500);
});
