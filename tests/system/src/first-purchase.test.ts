import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import type { PeerProcess } from "@palisade/testing/peer-process";
import { until } from "@palisade/testing/until";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, newDesktopContext } from "./console/browser.ts";
import { confirm, figure, logIn, openShield, register } from "./console/owner.ts";
import { startGameServer, startPlayer, type GameServer } from "./minecraft/peers.ts";
import { clientOf, logInAs, password } from "./product/account.ts";
import { removeHome, runCommand, startPalisade, type Palisade } from "./product/palisade.ts";
import { createPreparedHome } from "./product/prepared-home.ts";

/**
 * The first experience of a paying owner: top up, choose, prove the domain, be live. Browser,
 * payment page, DNS, ledger, edge and Minecraft programs are real.
 */

const email = "owner@example.com";
const domain = "play.skyline.test";

let home: string;
let palisade: Palisade;
let game: GameServer;
let zone: FakeZone;
let browser: Browser;
let page: Page;
const peers: PeerProcess[] = [];

beforeAll(async () => {
  [home, zone] = await Promise.all([createPreparedHome(), startFakeZone()]);
  [palisade, game, browser] = await Promise.all([
    startPalisade(home, { PALISADE_DNS_RESOLVERS: zone.address }),
    startGameServer("Skyline up and running"),
    launchBrowser(),
  ]);
  peers.push(game);
  page = await (await newDesktopContext(browser, palisade.consoleUrl)).newPage();
  await runCommand(home, ["promo", "add", "WELCOME10", "--percent", "10"]);
  await register(page, email, password);
  await confirm(page, palisade.consoleUrl, email);
  await logIn(page, email, password);
});

afterAll(async () => {
  await browser?.close();
  for (const peer of peers) await peer.kill();
  await palisade?.stop();
  await zone?.close();
  if (home !== undefined) await removeHome(home);
});

async function joins(username: string, hostname: string): Promise<void> {
  const player = startPlayer({ edge: palisade.java, hostname, username, from: "127.0.0.11" });
  peers.push(player);
  await player.event("spawned");
  player.send({ chat: `${username} is here` });
  await game.event("chat", (event) => event["message"] === `${username} is here`);
  expect(player.hasEnded()).toBe(false);
}

async function next(): Promise<void> {
  await page.getByRole("button", { name: "Next", exact: true }).click();
}

const heading = (name: string) => page.getByRole("heading", { name, exact: true });

/** 20 euros and a promo code become 22 euros of balance. */
async function topUp(): Promise<void> {
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Billing" })
    .click();
  await page.getByRole("button", { name: "Recharge balance" }).first().click();
  const modal = page.getByRole("dialog", { name: "Recharge balance" });
  await modal.getByLabel("Amount").fill("20");
  await modal.getByLabel("Promo code (optional)").fill("welcome10");
  await modal.getByRole("button", { name: "Apply" }).click();
  await modal.getByText("Promo code applied!").waitFor();
  expect(await modal.getByText("€22.00").count()).toBe(1);
  await modal.getByRole("button", { name: /^Pay/ }).click();

  await page.waitForURL("**/sandbox/checkout/**");
  expect(await page.getByText("No money moves").count()).toBe(1);
  await page.getByRole("button", { name: /Pay.*20/ }).click();
  await page.waitForURL("**/dashboard/billing**");
  await page.getByText("€22.00 credited to your balance").waitFor();
}

/** The wizard looks at the real server and at DNS. @returns the label */
async function buyPlan(): Promise<string> {
  await page.goto("/dashboard/setup");
  await page.getByRole("radio", { name: /Plus/ }).check();
  await next();
  await page.getByRole("textbox", { name: "Server name" }).fill("Skyline");
  await next();
  await page.getByRole("textbox", { name: "Real IP" }).fill("127.0.0.1");
  await page.getByRole("textbox", { name: "Real port" }).fill(String(game.port));
  const live = page.getByRole("region", { name: "Live check" });
  await live.getByText("Skyline up and running").waitFor();
  await next();
  await page.getByRole("radio", { name: /This machine/ }).check();
  await next();
  await page.getByRole("textbox", { name: "Domain" }).fill(domain);
  await next();

  await heading("Create the DNS record").waitFor();
  const target = page.getByText(/^[a-z0-9]{12}\.gs\.localhost$/).first();
  const label = (await target.textContent()) ?? "";
  zone.records = [{ type: "CNAME", name: domain, value: "old-host.example.net" }];
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("old-host.example.net").first().waitFor();
  zone.records = [{ type: "CNAME", name: domain, value: label }];
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("CNAME record is correctly set up!").waitFor();

  await heading("Confirmation").waitFor();
  const main = page.getByRole("main");
  for (const sum of ["€9.00", "€22.00", "€13.00"]) {
    expect(await main.getByText(sum, { exact: true }).count(), sum).toBeGreaterThan(0);
  }
  await page.getByRole("button", { name: "Create GameShield" }).click();
  await page.getByText("GameShield created!").waitFor();
  await page.waitForURL("**/dashboard");
  await page.getByText("€13.00").first().waitFor();
  return label;
}

async function expectPlayersJoin(label: string): Promise<void> {
  await joins("ann", domain);
  await joins("bob", label);
  await openShield(page, "Skyline");
  await until(async () => (await figure(page, "Players online")) === "2", {
    what: "two players in the overview",
  });
  expect(zone.asked.map(({ name }) => name)).toContain(domain);
}

async function expectMoneyAgrees(): Promise<void> {
  const call = clientOf(palisade.consoleUrl, await logInAs(palisade.consoleUrl, email));
  const { user } = (await call(routes.auth.user, {})).data;
  expect(user.balance_cents).toBe(1_300);
  const { data } = (await call(routes.billing.listTransactions, { query: {} })).data;
  expect(data.map(({ type, amount_cents, status }) => [type, amount_cents, status])).toEqual([
    ["purchase", -900, "completed"],
    ["promo_bonus", 200, "completed"],
    ["top_up", 2_000, "completed"],
  ]);
  await page.goto("/dashboard/billing");
  const table = page.getByRole("table");
  await until(async () => (await table.getByRole("row").count()) === 4, {
    what: "a heading and three transactions",
  });
  expect(await runCommand(home, ["ledger", "verify"])).toContain(
    "3 txns on 9 accounts: every txn sums to 0",
  );

  const shields = (await call(routes.servers.listServers, { query: {} })).data.data;
  const id = shields[0]?.id ?? "";
  const overview = (await call(routes.servers.getOverview, { params: { id } })).data;
  expect(overview.renewal).toMatchObject({ price_cents: 900, outcome: "covered" });
}

test("an owner tops up with a promo code and buys a paid plan after a look at server and DNS; players join by domain and label, and balance, transactions and ledger agree to the cent", async () => {
  await topUp();
  const label = await buyPlan();
  await expectPlayersJoin(label);
  await expectMoneyAgrees();
});
