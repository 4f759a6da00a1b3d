import { routes } from "@palisade/contract/http/routes";
import type { ServerListItem } from "@palisade/contract/http/servers";
import { hastenPolling } from "@palisade/system-tests/console/polling";
import {
  expectNoSidewaysScroll,
  expectSound,
  settled,
} from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { newId } from "../stub-api/account-state.ts";

/** The dashboard: cards, columns, pages, and its words where there is nothing or nothing can be read. */

const { profile, servers } = routes;
/** One more than a page holds. */
const collected = 13;
const fixture = useConsole();

/** As many shields as there are changes; each differs from the contract's example by its own. */
function own(changes: readonly Partial<ServerListItem>[]): void {
  const [one] = fixture.state.shields;
  if (one === undefined) throw new Error("The contract has no example of a shield");
  fixture.state.shields = changes.map((change) => ({
    ...one,
    id: newId(),
    role: "owner",
    status: "active",
    under_attack: false,
    ...change,
  }));
}

function ownCollection(): void {
  own(
    Array.from({ length: collected }, (_, index) => ({
      server_name: `Server ${String(index + 1).padStart(2, "0")}`,
    })),
  );
}

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

test("live figures stay on screen, and are said to be paused, while the server cannot be reached", async () => {
  own([{ server_name: "Skyline" }]);
  const page = await fixture.open("/dashboard", { prepare: (opened) => opened.clock.install() });
  const paused = page.getByText("Live figures are paused");
  await page.route("**/api/v1/**", (route) => route.abort());
  await hastenPolling(page, async () => (await paused.count()) === 1, "the note that they are");
  await page.getByRole("link", { name: "Skyline" }).waitFor();
  expect(await page.getByText("Error fetching servers").count()).toBe(0);
  await page.unroute("**/api/v1/**");
  await hastenPolling(page, async () => (await paused.count()) === 0, "live figures");
});

test("cards say what befalls a shield, whose it is, show its image, and lead to its overview", async () => {
  const img = "/favicon.svg";
  own([
    { server_name: "Attacked", under_attack: true },
    { server_name: "Let in", under_attack: true, antibot: "shadow" },
    { server_name: "Shared", img, role: "member", status: "expired" },
    { server_name: "Plain", id: fixture.state.shield.id },
  ]);
  const page = await fixture.open("/dashboard");
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
  await page.getByRole("heading", { name: fixture.state.shield.server_name }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/gameshield/${fixture.state.shield.id}`);
});

test("cards fall from five columns to one as the window gets narrower", async () => {
  ownCollection();
  const page = await fixture.open("/dashboard");
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

test("pages are in the address: reloaded, gone back to and shared", async () => {
  ownCollection();
  const page = await fixture.open("/dashboard");
  const names = () =>
    page
      .getByRole("region", { name: "Your servers" })
      .getByRole("listitem")
      .getByRole("link")
      .allInnerTexts();
  const first = await names();
  expect(first).toHaveLength(12);
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForURL("**/dashboard?page=2");
  await until(async () => (await names()).length === 1, { what: "the second page" });
  expect(first).not.toContain((await names())[0]);
  await page.reload();
  await settled(page);
  expect(await names()).toHaveLength(1);
  await page.goBack();
  await until(async () => (await names()).length === 12, { what: "the first page" });
  const number = page.getByRole("textbox", { name: "Page number" });
  await number.fill("77x");
  await number.press("Enter");
  await page.waitForURL("**/dashboard?page=2");

  // Beyond the last is the last; no page at all is the first.
  await page.goto("/dashboard?page=99");
  await page.waitForURL("**/dashboard?page=2");
  await until(async () => (await names()).length === 1, { what: "the last page" });
  await page.goto("/dashboard?page=-1");
  await settled(page);
  expect(await names()).toHaveLength(12);
});

test("an empty dashboard says what to do, in both languages", async () => {
  fixture.state.shields = [];
  const page = await fixture.open("/dashboard", { width: 800 });
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

test("a failed load is told in Russian too, and loads with a click", async () => {
  own([{ server_name: "Skyline" }]);
  const errors = ["Не удалось загрузить данные панели", "Не удалось загрузить серверы"];
  const calls = [profile.getDashboard, servers.listServers];
  for (const route of calls) {
    fixture.api.answerRaw(route, { status: 503, contentType: "text/plain", body: "" });
  }
  const page = await fixture.open("/dashboard", { locale: "ru" });
  for (const text of errors) await page.getByText(text, { exact: true }).waitFor();
  for (const route of calls) fixture.api.restore(route);
  for (const text of errors) {
    const alert = page.getByRole("alert").filter({ hasText: text });
    await tryAgain(alert, "Повторить");
    await alert.waitFor({ state: "detached" });
  }
  await page.getByRole("link", { name: "Skyline" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
