import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { roleRights } from "@palisade/contract/http/member-rights";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { expectSound, settled, watchForErrors } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { nothingReported } from "../stub-api/analytics-handlers.ts";

const fixture = useConsole();
const { getAnalytics, exportAnalytics } = routes.analytics;
const analytics = `/dashboard/gameshield/${exampleIds.shield}/analytics`;
/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;

const chart = (page: Page, name: string) => page.getByRole("slider", { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const searchOf = (page: Page) => new URL(page.url()).searchParams;
const queries = () => fixture.api.callsOf(getAnalytics).map(({ query }) => query);
const reading = async (page: Page, name: string) =>
  (await chart(page, name).getAttribute("aria-valuetext")) ?? "";

describe("the period", () => {
  test("is the last day at first, is chosen by one press, and stays in the address", async () => {
    const page = await fixture.open(analytics);
    expect(queries()).toEqual([{ range: "24h", compare: "false" }]);
    await page.getByRole("button", { name: "7 d" }).click();
    await page.waitForURL((url) => url.searchParams.get("range") === "7d");
    await page.getByRole("switch", { name: "Compare with the period before" }).click();
    await page.waitForURL((url) => url.searchParams.get("compare") === "true");
    await settled(page);
    await panel(page, "Joins").getByText("period before").waitFor();
    await page.reload();
    await settled(page);
    expect(queries().at(-1)).toEqual({ range: "7d", compare: "true" });
    const pressed = page.getByRole("group", { name: "Period" }).locator("[aria-pressed=true]");
    expect(await pressed.innerText()).toBe("7 d");
    await page.goBack();
    await page.goBack();
    await until(async () => (await pressed.innerText()) === "24 h", { what: "the first period" });
  });

  test("of the reader's choice starts with the one that is shown, and is checked before it is asked", async () => {
    const page = await fixture.open(analytics);
    await page.getByRole("button", { name: "Custom" }).click();
    await page.waitForURL((url) => url.searchParams.get("range") === "custom");
    const end = page.getByLabel("End", { exact: true });
    const show = page.getByRole("button", { name: "Show", exact: true });
    await end.fill("2020-01-01T00:00");
    await show.click();
    await page.getByText("The end must be after the start.").waitFor();
    await expectSound(page, "a period that ends too early");
    await page.getByLabel("Start", { exact: true }).fill("");
    await show.click();
    await page.getByText("Enter both times.").waitFor();
    await page.getByLabel("Start", { exact: true }).fill("2026-01-01T00:00");
    await end.fill("2026-01-03T00:00");
    await show.click();
    await until(() => queries().at(-1)?.["range"] === "custom", { what: "the chosen period" });
    const from = new Date(2026, 0, 1).toISOString();
    const to = new Date(2026, 0, 3).toISOString();
    await until(() => queries().at(-1)?.["from"] === from, { what: "its start" });
    expect(queries().at(-1)).toEqual({ range: "custom", from, to, compare: "false" });
  });

  test("an address that makes no sense shows the last day", async () => {
    await fixture.open(`${analytics}?range=custom&from=tomorrow&to=1&hidden=5&compare=yes`);
    expect(queries()).toEqual([{ range: "24h", compare: "false" }]);
  });

  test("of the last hour is live without a reload, and is not asked for while the page is hidden", async () => {
    const page = await fixture.page();
    await page.clock.install();
    await page.goto(`${analytics}?range=1h`);
    await page.getByText("Live", { exact: true }).waitFor();
    const asked = queries().length;
    await page.clock.fastForward(11_000);
    await until(() => queries().length > asked, { what: "the next figures" });
    await settled(page);
    await setVisibility(page, "hidden");
    const before = queries().length;
    await page.clock.fastForward(60_000);
    expect(queries().length).toBe(before);
    await setVisibility(page, "visible");
    await page.clock.fastForward(11_000);
    await until(() => queries().length > before, { what: "the figures of the visible page" });
  });
});

async function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  `);
}

describe("a chart", () => {
  test("is read by keyboard, and all charts share the chosen time", async () => {
    const page = await fixture.open(analytics);
    const players = chart(page, "Players online");
    await players.focus();
    await page.keyboard.press("Home");
    const first = await reading(page, "Players online");
    expect(first).toMatch(/: peak \d+; mean \d+/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("PageDown");
    expect(await players.getAttribute("aria-valuenow")).toBe("11");
    expect(await chart(page, "Traffic").getAttribute("aria-valuenow")).toBe("11");
    expect(await reading(page, "Players online")).not.toBe(first);
    // The attack of the stub begins at 62 % of the period.
    const times = Number(await players.getAttribute("aria-valuemax")) + 1;
    await page.keyboard.press("Home");
    for (let step = 0; step < Math.floor(times * 0.62 * 0.1); step += 1) {
      await page.keyboard.press("PageDown");
    }
    for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowRight");
    expect(await reading(page, "Refused by reason")).toContain("Attack, peak 4,812/s");
    await page.keyboard.press("Escape");
    expect(Number(await players.getAttribute("aria-valuenow"))).toBe(times - 1);
  });

  test("says that nothing is known where no edge has reported", async () => {
    const page = await fixture.open(analytics);
    await chart(page, "Joins").focus();
    await page.keyboard.press("Home");
    for (const key of ["PageDown", "PageDown"]) await page.keyboard.press(key);
    // A gap from 18 to 22 % of the period.
    for (let step = 0; step < 9; step += 1) await page.keyboard.press("ArrowRight");
    expect(await reading(page, "Joins")).toContain("joins no data");
  });

  test("is zoomed by keyboard and by dragging, and zooming out returns to the range", async () => {
    const page = await fixture.open(`${analytics}?range=7d`);
    await chart(page, "Joins").focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Shift+PageDown");
    expect(await reading(page, "Joins")).toMatch(/^Selection, /);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("back") === "7d");
    await settled(page);
    const lengthMs = () =>
      Date.parse(searchOf(page).get("to") ?? "") - Date.parse(searchOf(page).get("from") ?? "");
    expect(lengthMs()).toBe(31 * 3_600_000);
    await chart(page, "Players online").scrollIntoViewIfNeeded();
    const box = await chart(page, "Players online").boundingBox();
    if (box === null) throw new Error("The chart has no place");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 3 });
    await page.mouse.up();
    await until(() => lengthMs() < 10 * 3_600_000, { what: "the dragged period" });
    await page.getByRole("button", { name: "Zoom out" }).click();
    await page.waitForURL((url) => url.searchParams.get("range") === "7d");
    expect([...searchOf(page).keys()]).toEqual(["range"]);
  });

  test("leaves out a series that is switched off, and the address keeps it off", async () => {
    const page = await fixture.open(analytics);
    const toggle = panel(page, "Players online").getByRole("button", { name: /^peak/ });
    await toggle.click();
    await page.waitForURL((url) => url.searchParams.get("hidden") === "players_peak");
    expect(await toggle.getAttribute("aria-pressed")).toBe("false");
    expect(await reading(page, "Players online")).not.toContain("peak");
    await page.reload();
    await settled(page);
    expect(await toggle.getAttribute("aria-pressed")).toBe("false");
    await toggle.click();
    await page.waitForURL((url) => !url.searchParams.has("hidden"));
  });

  test("has a table of its values, with gaps, which the address keeps", async () => {
    const page = await fixture.open(analytics);
    await page.getByRole("button", { name: "Show Joins as a table" }).press("Enter");
    const table = page.getByRole("table", { name: "Joins" });
    await table.waitFor();
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["Time", "joins"]);
    const answer = await table.locator("tbody tr").count();
    expect(answer).toBeGreaterThan(140);
    expect(await table.getByRole("cell", { name: "no data" }).count()).toBeGreaterThan(0);
    await expectSound(page, "a chart as a table");
    await page.reload();
    await table.waitFor();
    await page.getByRole("button", { name: "Show the chart Joins" }).click();
    await chart(page, "Joins").waitFor();
  });

  test("is saved as a picture", async () => {
    const page = await fixture.open(analytics);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save Refused by reason as PNG" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("palisade-refused.png");
    const picture = await readFile(await download.path());
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([2_400, 1_040]);
    expect(picture.length).toBeGreaterThan(20_000);
  });
});

describe("the page", () => {
  test("exports the period that is shown as CSV, and says when that fails", async () => {
    const page = await fixture.open(`${analytics}?range=30d`);
    const save = page.getByRole("button", { name: "Export CSV" });
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
    expect(download.suggestedFilename()).toBe("palisade-analytics.csv");
    expect(await readFile(await download.path(), "utf8")).toMatch(/^time,joins\n/);
    expect(fixture.api.callsOf(exportAnalytics)[0]?.query).toEqual({ range: "30d" });
    fixture.api.refuse(exportAnalytics, "rate_limited");
    await save.click();
    await page.getByRole("alert").filter({ hasText: "Too many requests" }).waitFor();
  });

  test("shows joins by country on a map and in a table, and the map names what is pointed at", async () => {
    const page = await fixture.open(`${analytics}?range=7d`, { locale: "ru" });
    const map = page.getByRole("img", { name: /^Карта мира/ });
    await map.waitFor();
    expect(await map.locator("path").count()).toBeGreaterThan(170);
    const countries = page.getByRole("table", { name: "Страны" });
    expect(await countries.locator("tbody tr").first().innerText()).toContain("Германия");
    await page.getByRole("button", { name: "Показать все (11)" }).click();
    await countries.getByText("Сингапур").waitFor();
    await map.locator('path[data-country="DE"]').hover();
    await panel(page, "Страны")
      .getByText(/^Германия: \d/)
      .waitFor();
  });

  test("hides countries and networks where no edge knows them, and the week where it is too short", async () => {
    fixture.api.change(getAnalytics, (usual) => ({ ...usual, countries: null, networks: null }));
    const page = await fixture.open(analytics);
    await panel(page, "Versions").waitFor();
    for (const name of ["Countries", "Networks", "Hours of the week"]) {
      expect(await panel(page, name).count()).toBe(0);
    }
  });

  test("reads the hours of the week by keyboard, for players and for joins", async () => {
    const page = await fixture.open(`${analytics}?range=7d`);
    const grid = page.getByRole("grid", { name: "Mean players by hour" });
    await grid.locator('[tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    const focused = page.locator(":focus");
    expect(await focused.getAttribute("aria-label")).toMatch(/^Tuesday 01:00: \d/);
    await panel(page, "Hours of the week").getByRole("button", { name: "Joins" }).click();
    await page.waitForURL((url) => url.searchParams.get("hours") === "joins");
    await page.getByRole("grid", { name: "Mean joins by hour" }).waitFor();
  });

  test("lists attacks and changes that the charts mark", async () => {
    const page = await fixture.open(analytics);
    const marks = page.getByRole("list", { name: "Marks on the charts" }).getByRole("listitem");
    const texts = await marks.allInnerTexts();
    expect(texts.map((text) => text.split("\n")[0])).toEqual([
      "Mitigation: AntiBot level, Rejoin cooldown",
      expect.stringMatching(/^Attack, peak 4,812\/s/),
      "Firewall",
    ]);
  });

  test("says that the plan keeps less than what was asked for", async () => {
    fixture.api.change(getAnalytics, (usual) => ({ ...usual, kept_from: usual.to }));
    const page = await fixture.open(analytics);
    await page.getByText(/^The plan of this shield keeps figures from /).waitFor();
  });

  test("says that there is no data, while the period can still be changed", async () => {
    fixture.api.change(getAnalytics, nothingReported);
    const page = await fixture.open(analytics, { width: 320 });
    await page.getByText("No data found").waitFor();
    await expectSound(page, "no data");
    await page.getByRole("button", { name: "1 h" }).click();
    await until(() => queries().at(-1)?.["range"] === "1h", { what: "the other period" });
  });

  test("keeps its height while it loads, and explains a failure that can be repeated", async () => {
    const release = fixture.api.delay(getAnalytics);
    const page = await fixture.page({ width: 320 });
    const errors = watchForErrors(page, failedToLoad);
    await page.goto(analytics);
    await page.locator("main [aria-busy=true]").first().waitFor();
    fixture.api.refuse(getAnalytics, "not_found");
    release();
    await page.getByText("Failed to load the analytics").waitFor();
    await expectSound(page, "failed");
    fixture.api.restore(getAnalytics);
    await page.getByRole("button", { name: "Try again" }).click();
    await chart(page, "Players online").waitFor();
    expect(errors).toEqual([]);
  });

  test("keeps the last figures when the connection is lost, and says so", async () => {
    const page = await fixture.page();
    await page.clock.install();
    await page.goto(`${analytics}?range=1h`);
    await chart(page, "Players online").waitFor();
    fixture.api.refuse(getAnalytics, "not_found");
    await page.clock.fastForward(11_000);
    await page.getByText(/^Live figures are paused/).waitFor();
    expect(await chart(page, "Players online").count()).toBe(1);
  });

  test("is the same for a member who may only look", async () => {
    fixture.state.shield = {
      ...fixture.state.shield,
      role: "member",
      member_role: "viewer",
      rights: roleRights.viewer,
    };
    const page = await fixture.open(analytics, { width: 320 });
    await chart(page, "Players online").waitFor();
    await page.getByRole("button", { name: "Export CSV" }).waitFor();
    expect(await page.getByText("You may view this section.").count()).toBe(0);
  });
});
