import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startGameServer, startPlayer, type GameServer } from "../minecraft/peers.ts";
import type { PeerProcess } from "../minecraft/peer-process.ts";
import { tryLogin } from "../minecraft/java-client.ts";
import { expectNoSidewaysScroll, expectSound, settled } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { buyShield, startOverviewFixture, shieldPath, type OverviewFixture } from "./fixture.ts";

/** The dashboard over real shields: figures, columns, pages, and what is said where there is nothing. */

const domain = "play.example.com";
/** One more than a page holds. */
const collected = 13;
let fixture: OverviewFixture;
let owner: TestAccount;
let collector: TestAccount;
let shieldId: string;
let game: GameServer;
let ann: PeerProcess;

beforeAll(async () => {
  [fixture, game] = await Promise.all([startOverviewFixture(), startGameServer("Skyline")]);
  [owner, collector] = await Promise.all([
    createAccount(fixture.palisade.consoleUrl, "owner@example.com"),
    createAccount(fixture.palisade.consoleUrl, "collector@example.com"),
  ]);
  shieldId = await buyShield(owner, { plan: "Free", name: "Skyline", domain, port: game.port });
  const joins = Array.from({ length: collected }, (_, index) => ({
    plan: "Free",
    name: `Server ${String(index + 1).padStart(2, "0")}`,
    domain: `s${index + 1}.example.com`,
  }));
  const buyAll = async () => {
    for (const options of joins) await buyShield(collector, options);
  };
  await Promise.all([buyAll(), fixture.credit(owner, "12.34")]);
});

afterEach(() => fixture.closePages());

afterAll(async () => {
  await ann?.kill();
  await game?.kill();
  await fixture?.end();
});

/** The colour of a text as the browser computes it. */
function colourOf(element: Locator): Promise<string | undefined> {
  return element.evaluate((shown) => {
    // This runs in the browser, whose types are not known here.
    const compute = Reflect.get(globalThis, "getComputedStyle") as (of: unknown) => {
      color: string;
    };
    return compute(shown).color;
  });
}

/** How many cards stand in the first row. */
function columnsOf(page: Page): Promise<number> {
  const cards = page.getByRole("region", { name: "Your servers" }).getByRole("listitem");
  return cards.evaluateAll((shown) => {
    const tops = shown.map((card) => card.getBoundingClientRect().top);
    return tops.filter((top) => top === tops[0]).length;
  });
}

const list = z.object({ data: z.array(z.looseObject({})) });

/** Alters the shields of the list on their way into the page, each by its place. */
async function withShields(page: Page, changes: readonly object[]): Promise<void> {
  await page.route("**/api/v1/servers?*", async (route) => {
    const answer = await route.fetch();
    const body: unknown = await answer.json();
    const { data } = list.parse(body);
    const altered = data.map((item, index) => ({ ...item, ...changes[index] }));
    await route.fulfill({ response: answer, json: Object.assign({}, body, { data: altered }) });
  });
}

/** Waits for what the page's own polling brings, without its pauses. */
async function hastened(page: Page, seen: () => Promise<boolean>, what: string): Promise<void> {
  const look = async () => {
    await page.clock.fastForward(15_000);
    return seen();
  };
  await until(look, { what, everyMs: 400, capMs: 60_000 });
}

describe("live figures", () => {
  test("a player through the edge is on the card, the overview and in the mean; refusals are counted", async () => {
    await owner.call(routes.firewall.addFirewallEntry, {
      params: { id: shieldId },
      body: { type: "blacklist", ip: "127.0.0.66" },
    });
    const page = await fixture.open(owner, "/dashboard", {
      prepare: (opened) => opened.clock.install(),
    });
    const card = page.getByRole("listitem").filter({ hasText: "Skyline" });
    await card.getByText("0 players").waitFor();
    await card.getByText("owned", { exact: true }).waitFor();
    await card.getByText("Active", { exact: true }).waitFor();
    const edge = fixture.palisade.java;
    ann = startPlayer({ edge, hostname: domain, username: "Ann", from: "127.0.0.61" });
    await ann.event("spawned");
    await until(
      async () =>
        (await tryLogin({ edge, host: domain, from: "127.0.0.66" }, "Bob")).kind === "kicked",
      { what: "the blacklist at the edge" },
    );
    const player = card.getByText("1 player", { exact: true });
    await hastened(page, async () => (await player.count()) === 1, "the player on the card");
    const blocked = page.getByRole("region", { name: "Blocked packets" }).locator("div").first();
    const isCounted = async () => /^[1-9]/.test(await blocked.innerText());
    await hastened(page, isCounted, "the refused join among the blocked");
    const overview = await fixture.open(owner, shieldPath(shieldId));
    const figure = (name: string) =>
      overview.getByRole("region", { name }).locator("p").first().innerText();
    await until(async () => (await figure("Players online")) === "1", { what: "the player" });
    await until(async () => /^[1-9]/.test(await figure("Blocked in 24 hours")), {
      what: "the refused join",
    });
    await until(async () => (await figure("Bandwidth")) !== "0 bit/s", { what: "bandwidth" });
    await overview.getByText("of 1 TB").waitFor();
    await overview.getByText("Resets on the 1st of every month.").waitFor();
  });

  test("stay on screen, and are said to be paused, while the server cannot be reached", async () => {
    const page = await fixture.open(owner, "/dashboard", {
      prepare: (opened) => opened.clock.install(),
    });
    const paused = page.getByText("Live figures are paused");
    await page.route("**/api/v1/**", (route) => route.abort());
    await hastened(page, async () => (await paused.count()) === 1, "the word that they are paused");
    await page.getByRole("link", { name: "Skyline" }).waitFor();
    expect(await page.getByText("Error fetching servers").count()).toBe(0);
    await page.unroute("**/api/v1/**");
    await hastened(page, async () => (await paused.count()) === 0, "live figures");
  });
});

describe("cards", () => {
  test("say what befalls a shield, whose it is, show its image, and lead to its overview", async () => {
    const img = "/favicon.svg";
    const page = await fixture.open(collector, "/dashboard", {
      prepare: (opened) =>
        withShields(opened, [
          { server_name: "Attacked", under_attack: true },
          { server_name: "Let in", under_attack: true, antibot: "shadow" },
          { server_name: "Shared", img, role: "member", status: "expired" },
          { server_name: "Plain" },
        ]),
    });
    const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    await card("Attacked").getByText("Under attack", { exact: true }).waitFor();
    const banner = (name: string) =>
      page.getByRole("status").filter({ hasText: `${name} is under attack.` });
    await banner("Attacked").getByText("Attackers are blocked at the edge").waitFor();
    await banner("Let in").getByText("Shadow mode is on").waitFor();

    expect(await card("Shared").locator("img").getAttribute("src")).toBe(img);
    await card("Shared").getByText("shared", { exact: true }).waitFor();
    const expired = card("Shared").getByText("Expired", { exact: true });
    expect(await colourOf(expired)).toBe("rgb(240, 97, 109)");

    expect(await card("Plain").locator("img").count()).toBe(0);
    await card("Plain").getByText("owned", { exact: true }).waitFor();
    const active = card("Plain").getByText("Active", { exact: true });
    expect(await colourOf(active)).toBe("rgb(62, 207, 142)");
    await expectSound(page, "cards in every state");

    await page.getByRole("link", { name: "Plain" }).press("Enter");
    await page.getByRole("heading", { name: /^Server \d+/ }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/gameshield\/[0-9a-f-]{36}$/);
  });
});

describe("columns", () => {
  test("fall from five columns to one as the window gets narrower", async () => {
    const page = await fixture.open(collector, "/dashboard");
    const measured: Record<number, number> = {};
    for (const width of [1900, 1600, 1300, 1000, 850, 650, 450]) {
      for (const side of [width + 1, width]) {
        await page.setViewportSize({ width: side, height: 900 });
        measured[side] = await columnsOf(page);
      }
      await expectNoSidewaysScroll(page, `dashboard at ${width} px`);
    }
    expect(measured).toEqual({
      1901: 5,
      1900: 4,
      1601: 4,
      1600: 4,
      1301: 4,
      1300: 3,
      1001: 3,
      1000: 2,
      851: 2,
      850: 2,
      651: 2,
      650: 2,
      451: 2,
      450: 1,
    });
  });
});

describe("pages", () => {
  const names = (page: Page) =>
    page
      .getByRole("region", { name: "Your servers" })
      .getByRole("listitem")
      .getByRole("link")
      .allInnerTexts();

  test("are in the address: reloaded, gone back to and shared", async () => {
    const page = await fixture.open(collector, "/dashboard");
    const first = await names(page);
    expect(first).toHaveLength(12);
    await page.getByRole("button", { name: "Next page" }).click();
    await page.waitForURL("**/dashboard?page=2");
    await until(async () => (await names(page)).length === 1, { what: "the second page" });
    expect(first).not.toContain((await names(page))[0]);
    await page.reload();
    await settled(page);
    expect(await names(page)).toHaveLength(1);
    await page.goBack();
    await until(async () => (await names(page)).length === 12, { what: "the first page" });
    const number = page.getByRole("textbox", { name: "Page number" });
    await number.fill("77x");
    await number.press("Enter");
    await page.waitForURL("**/dashboard?page=2");

    // Beyond the last is the last; no page at all is the first.
    await page.goto("/dashboard?page=99");
    await page.waitForURL("**/dashboard?page=2");
    await until(async () => (await names(page)).length === 1, { what: "the last page" });
    await page.goto("/dashboard?page=-1");
    await settled(page);
    expect(await names(page)).toHaveLength(12);
  });
});

describe("nothing yet", () => {
  test("says what to do, in both languages", async () => {
    const newcomer = await createAccount(fixture.palisade.consoleUrl, "newcomer@example.com");
    const page = await fixture.open(newcomer, "/dashboard", { width: 800 });
    const say = async (...texts: string[]) => {
      for (const text of texts) await page.getByText(text, { exact: true }).waitFor();
    };
    await say("Nothing to display", "You have not created any Game Shields yet.");
    await page.getByRole("button", { name: /^EN,/ }).click();
    await say("Здесь пока пусто", "Вы ещё не создали ни одного Game Shield.");
    await page.getByRole("link", { name: "Создать", exact: true }).click();
    await page.waitForURL("**/dashboard/setup");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByText("Здесь пока пусто").count()).toBe(0);
  });
});

describe("the balance", () => {
  test("is on its card, which opens the top-up", async () => {
    const page = await fixture.open(owner, "/dashboard");
    const card = page.getByRole("region", { name: "Account balance" });
    await card.getByText("€12.34").waitFor();
    // Anywhere on the card.
    await card.click({ position: { x: 12, y: 12 } });
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Recharge balance" }).press("Enter");
    await modal.waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard");
  });
});

test("what cannot be loaded is told in Russian too, and loads with a click", async () => {
  const errors = ["Не удалось загрузить данные панели", "Не удалось загрузить серверы"];
  const page = await fixture.open(owner, "/dashboard", {
    locale: "ru",
    prepare: async (opened) => {
      for (const call of ["**/api/v1/profile/dashboard", "**/api/v1/servers?*"]) {
        await opened.route(call, (route) =>
          route.fulfill({ status: 503, contentType: "text/plain", body: "" }),
        );
      }
    },
  });
  for (const text of errors) await page.getByText(text, { exact: true }).waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const text of errors) {
    const alert = page.getByRole("alert").filter({ hasText: text });
    // Live figures try again by themselves, and may be quicker than the click.
    const retry = alert.getByRole("button", { name: "Повторить" });
    await Promise.race([
      retry.click().catch(() => undefined),
      alert.waitFor({ state: "detached" }),
    ]);
    await alert.waitFor({ state: "detached" });
  }
  await page.getByRole("link", { name: "Skyline" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
