import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startGameServer, startPlayer, type GameServer } from "../minecraft/peers.ts";
import type { PeerProcess } from "../minecraft/peer-process.ts";
import { tryLogin } from "../minecraft/java-client.ts";
import { expectSound, settled } from "../screens/inspect.ts";
import { newPerson, type Person } from "../screens/people.ts";
import { buyShield, setOverviewStage, shieldPath, type OverviewStage } from "./stage.ts";

/** The dashboard over real shields: figures, columns, pages, and what is said where there is nothing. */

const domain = "play.example.com";
/** One more than a page holds. */
const collected = 13;
let stage: OverviewStage;
let owner: Person;
let collector: Person;
let shieldId: string;
let game: GameServer;
let player: PeerProcess;

beforeAll(async () => {
  [stage, game] = await Promise.all([setOverviewStage(), startGameServer("Skyline")]);
  owner = await newPerson(stage.palisade.consoleUrl, "owner@example.com");
  collector = await newPerson(stage.palisade.consoleUrl, "collector@example.com");
  shieldId = await buyShield(owner, { plan: "Free", name: "Skyline", domain, port: game.port });
  for (let index = 1; index <= collected; index += 1) {
    const name = `Server ${String(index).padStart(2, "0")}`;
    await buyShield(collector, { plan: "Free", name, domain: `s${index}.example.com` });
  }
});

afterEach(() => stage.closePages());

afterAll(async () => {
  await player?.kill();
  await game?.kill();
  await stage?.end();
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
async function columnsOf(page: Page): Promise<number> {
  const cards = await page
    .getByRole("region", { name: "Your servers" })
    .getByRole("listitem")
    .all();
  const tops = await Promise.all(cards.map(async (card) => (await card.boundingBox())?.y));
  return tops.filter((top) => top === tops[0]).length;
}

const list = z.object({ data: z.array(z.looseObject({})) });

/** Alters the shields of the list on their way into the page. */
async function withShields(page: Page, changes: object): Promise<void> {
  await page.route("**/api/v1/servers?*", async (route) => {
    const answer = await route.fetch();
    const body: unknown = await answer.json();
    const { data } = list.parse(body);
    const altered = data.map((item) => ({ ...item, ...changes }));
    await route.fulfill({ response: answer, json: Object.assign({}, body, { data: altered }) });
  });
}

describe("live figures", () => {
  test("a player through the edge is on the card, the overview and in the mean; refusals are counted", async () => {
    await owner.call(routes.firewall.addFirewallEntry, {
      params: { id: shieldId },
      body: { type: "blacklist", ip: "127.0.0.66" },
    });
    const page = await stage.open(owner, "/dashboard");
    const card = page.getByRole("listitem").filter({ hasText: "Skyline" });
    await card.getByText("0 players").waitFor();
    await card.getByText("owned", { exact: true }).waitFor();
    await card.getByText("Active", { exact: true }).waitFor();
    const edge = stage.palisade.java;
    player = startPlayer({ edge, hostname: domain, username: "Ann", from: "127.0.0.61" });
    await player.event("spawned");
    await until(
      async () =>
        (await tryLogin({ edge, host: domain, from: "127.0.0.66" }, "Bob")).kind === "kicked",
      { what: "the blacklist at the edge" },
    );
    await card.getByText("1 player", { exact: true }).waitFor();
    const blocked = page.getByRole("region", { name: "Blocked packets" });
    await until(async () => /^[1-9]/.test(await blocked.locator("div").first().innerText()), {
      what: "the refused join among the blocked",
      capMs: 60_000,
    });
    const overview = await stage.open(owner, shieldPath(shieldId));
    const figure = (name: string) =>
      overview.getByRole("region", { name }).locator("p").first().innerText();
    await until(async () => (await figure("Players online")) === "1", { what: "the player" });
    await until(async () => /^[1-9]/.test(await figure("Blocked in 24 hours")), {
      what: "the refused join",
    });
    await until(async () => (await figure("Bandwidth")) !== "0 bit/s", { what: "bandwidth" });
    await overview.getByText("of 1 TB").waitFor();
    await overview.getByText("Resets on the 1st of every month.").waitFor();
    await expectSound(overview, "overview with a player");
  });

  test("stay on screen, and are said to be paused, while the server cannot be reached", async () => {
    const page = await stage.open(owner, "/dashboard");
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByText("Live figures are paused").waitFor();
    await page.getByRole("link", { name: "Skyline" }).waitFor();
    expect(await page.getByText("Error fetching servers").count()).toBe(0);
    await page.unroute("**/api/v1/**");
    await page.getByText("Live figures are paused").waitFor({ state: "detached" });
  });
});

describe("cards", () => {
  test("of attacked shields say so, and the page above them too", async () => {
    const page = await stage.open(owner, "/dashboard", {
      prepare: (opened) => withShields(opened, { under_attack: true }),
    });
    await page.getByRole("listitem").getByText("Under attack", { exact: true }).waitFor();
    await page.getByRole("status").filter({ hasText: "Skyline is under attack." }).waitFor();
    await expectSound(page, "under attack");
  });

  test("show the shield's image, else a tile of its own, and whose it is", async () => {
    const img = "/favicon.svg";
    const page = await stage.open(owner, "/dashboard", {
      prepare: (opened) => withShields(opened, { img, role: "member", status: "expired" }),
    });
    const card = page.getByRole("listitem").filter({ hasText: "Skyline" });
    expect(await card.locator("img").getAttribute("src")).toBe(img);
    await card.getByText("shared", { exact: true }).waitFor();
    const word = card.getByText("Expired", { exact: true });
    expect(await colourOf(word)).toBe("rgb(240, 97, 109)");
    const plain = await stage.open(owner, "/dashboard");
    const tile = plain.getByRole("listitem").filter({ hasText: "Skyline" });
    expect(await tile.locator("img").count()).toBe(0);
    const active = tile.getByText("Active", { exact: true });
    expect(await colourOf(active)).toBe("rgb(62, 207, 142)");
  });

  test("lead to the overview, by keyboard too", async () => {
    const page = await stage.open(owner, "/dashboard");
    await page.getByRole("link", { name: "Skyline" }).press("Enter");
    await page.getByRole("heading", { name: "Skyline" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(shieldPath(shieldId));
  });
});

describe("columns", () => {
  test("fall from five to one at the widths of the specification", async () => {
    const page = await stage.open(collector, "/dashboard");
    const measured: Record<number, number> = {};
    for (const width of [1900, 1600, 1300, 1000, 850, 650, 450]) {
      for (const side of [width + 1, width]) {
        await page.setViewportSize({ width: side, height: 900 });
        measured[side] = await columnsOf(page);
      }
      await expectSound(page, `dashboard at ${width} px`);
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
    page.getByRole("region", { name: "Your servers" }).getByRole("link").allInnerTexts();

  test("are in the address: reloaded, gone back to and shared", async () => {
    const page = await stage.open(collector, "/dashboard");
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
    await expectSound(page, "second page");
  });

  test("beyond the last lead to the last; no page at all is the first", async () => {
    const page = await stage.open(collector, "/dashboard?page=99", { unsettled: true });
    await page.waitForURL("**/dashboard?page=2");
    await until(async () => (await names(page)).length === 1, { what: "the last page" });
    const odd = await stage.open(collector, "/dashboard?page=-1");
    expect(await names(odd)).toHaveLength(12);
  });
});

describe("nothing yet", () => {
  test.each([
    ["en", ["Nothing to display", "You have not created any Game Shields yet."], "Create one"],
    ["ru", ["Здесь пока пусто", "Вы ещё не создали ни одного Game Shield."], "Создать"],
  ] as const)("says what to do in %s", async (locale, texts, action) => {
    const email = `nobody-${locale}@example.com`;
    const nobody = await newPerson(stage.palisade.consoleUrl, email);
    const page = await stage.open(nobody, "/dashboard", { locale, width: 320 });
    for (const text of texts) await page.getByText(text, { exact: true }).waitFor();
    await expectSound(page, `empty in ${locale}`);
    await page.getByRole("link", { name: action }).click();
    await page.waitForURL("**/dashboard/setup");
  });
});

describe("the balance", () => {
  test("is on its card, which opens the top-up", async () => {
    await stage.credit(owner, "12.34");
    const page = await stage.open(owner, "/dashboard");
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

describe("what cannot be loaded", () => {
  test.each([
    ["en", "Error fetching dashboard info", "Error fetching servers", "Try again"],
    ["ru", "Не удалось загрузить данные панели", "Не удалось загрузить серверы", "Повторить"],
  ] as const)("is told in %s and loads with a click", async (locale, info, servers, retry) => {
    const page = await stage.open(owner, "/dashboard", {
      locale,
      width: 390,
      prepare: async (opened) => {
        await opened.clock.install();
        for (const call of ["**/api/v1/profile/dashboard", "**/api/v1/servers?*"]) {
          await opened.route(call, (route) =>
            route.fulfill({ status: 503, contentType: "text/plain", body: "" }),
          );
        }
      },
    });
    for (const text of [info, servers]) await page.getByText(text, { exact: true }).waitFor();
    await expectSound(page, `failed in ${locale}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    for (const text of [info, servers]) {
      const alert = page.getByRole("alert").filter({ hasText: text });
      await Promise.race([
        alert
          .getByRole("button", { name: retry })
          .click()
          .catch(() => undefined),
        alert.waitFor({ state: "detached" }),
      ]);
      await alert.waitFor({ state: "detached" });
    }
    await page.getByRole("link", { name: "Skyline" }).waitFor();
  });
});
