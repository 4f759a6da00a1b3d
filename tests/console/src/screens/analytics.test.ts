import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { roleRights } from "@palisade/contract/http/member-rights";
import { expectSound, settled, watchForErrors } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { analyticsPath, chartOf, panelOf } from "./analytics-page.ts";
import { nothingReported } from "../stub-api/analytics-handlers.ts";

const fixture = useConsole();
const { getAnalytics, exportAnalytics } = routes.analytics;
/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;

const queries = () => fixture.api.callsOf(getAnalytics).map(({ query }) => query);

describe("the period", () => {
  test("is the last day at first, is chosen by one press, and stays in the address", async () => {
    const page = await fixture.open(analyticsPath);
    expect(queries()).toEqual([{ range: "24h", compare: "false" }]);
    await page.getByRole("button", { name: "7 d" }).click();
    await page.waitForURL((url) => url.searchParams.get("range") === "7d");
    await page.getByRole("switch", { name: "Compare with the period before" }).click();
    await page.waitForURL((url) => url.searchParams.get("compare") === "true");
    await settled(page);
    await panelOf(page, "Joins").getByText("period before").waitFor();
    await page.reload();
    await settled(page);
    expect(queries().at(-1)).toEqual({ range: "7d", compare: "true" });
    const pressed = page.getByRole("group", { name: "Period" }).locator("[aria-pressed=true]");
    expect(await pressed.innerText()).toBe("7 d");
    await page.goBack();
    await page.goBack();
    await until(async () => (await pressed.innerText()) === "24 h", { what: "the first period" });
  });

  test("that the reader chooses starts with the one that is shown, and is checked before it is asked", async () => {
    const page = await fixture.open(analyticsPath);
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
    await fixture.open(`${analyticsPath}?range=custom&from=tomorrow&to=1&hidden=5&compare=yes`);
    expect(queries()).toEqual([{ range: "24h", compare: "false" }]);
  });

  test("that ends now is live without a reload, and is not asked for while the page is hidden", async () => {
    const page = await fixture.page();
    await page.clock.install();
    await page.goto(`${analyticsPath}?range=1h`);
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

describe("the page", () => {
  test("exports the period that is shown as CSV, and says when that fails", async () => {
    const page = await fixture.open(`${analyticsPath}?range=30d`);
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
    const page = await fixture.open(`${analyticsPath}?range=7d`, { locale: "ru" });
    const map = page.getByRole("img", { name: /^Карта мира/ });
    await map.waitFor();
    expect(await map.locator("path").count()).toBeGreaterThan(170);
    const countries = page.getByRole("table", { name: "Страны" });
    expect(await countries.locator("tbody tr").first().innerText()).toContain("Германия");
    await page.getByRole("button", { name: "Показать все (11)" }).click();
    await countries.getByText("Сингапур").waitFor();
    await map.locator('path[data-country="DE"]').hover();
    await panelOf(page, "Страны")
      .getByText(/^Германия: \d/)
      .waitFor();
  });

  test("hides countries and networks where no edge knows them, and the week where it is too short", async () => {
    fixture.api.change(getAnalytics, (usual) => ({ ...usual, countries: null, networks: null }));
    const page = await fixture.open(analyticsPath);
    await panelOf(page, "Versions").waitFor();
    for (const name of ["Countries", "Networks", "Hours of the week"]) {
      expect(await panelOf(page, name).count()).toBe(0);
    }
  });

  test("reads the hours of the week by keyboard, for players and for joins", async () => {
    const page = await fixture.open(`${analyticsPath}?range=7d`);
    const grid = page.getByRole("grid", { name: "Mean players by hour" });
    await grid.locator('[tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    const focused = page.locator(":focus");
    expect(await focused.getAttribute("aria-label")).toMatch(/^Tuesday 01:00: \d/);
    await panelOf(page, "Hours of the week").getByRole("button", { name: "Joins" }).click();
    await page.waitForURL((url) => url.searchParams.get("heat") === "joins");
    await page.getByRole("grid", { name: "Mean joins by hour" }).waitFor();
  });

  test("lists attacks and changes that the charts mark", async () => {
    const page = await fixture.open(analyticsPath);
    const marks = page.getByRole("list", { name: "Marks on the charts" }).getByRole("listitem");
    const texts = await marks.allInnerTexts();
    expect(texts.map((text) => text.split("\n")[0])).toEqual([
      "Mitigation: AntiBot level, Rejoin cooldown",
      expect.stringMatching(/^Attack, peak 4,812\/s/),
      "Firewall",
    ]);
    await marks.getByRole("link", { name: /^Attack, peak/ }).waitFor();
  });

  test("leads to an attack only members who may see it", async () => {
    fixture.state.shield = {
      ...fixture.state.shield,
      role: "member",
      member_role: "custom",
      rights: { ...roleRights.viewer, logs: "none" },
    };
    const page = await fixture.open(analyticsPath);
    const marks = page.getByRole("list", { name: "Marks on the charts" });
    await marks.getByText(/^Attack, peak/).waitFor();
    expect(await marks.getByRole("link").count()).toBe(0);
  });

  test("says that the plan keeps less than what was asked for", async () => {
    fixture.api.change(getAnalytics, (usual) => ({ ...usual, kept_from: usual.to }));
    const page = await fixture.open(analyticsPath);
    const note = page.getByText(/^The plan of this shield keeps figures from /);
    await note.waitFor();
    expect(await note.innerText()).toMatch(/\d{4} on\.$/);
  });

  test("says that there is no data, while the period can still be changed", async () => {
    fixture.api.change(getAnalytics, nothingReported);
    const page = await fixture.open(analyticsPath, { width: 320 });
    await page.getByText("No data found").waitFor();
    await expectSound(page, "no data");
    await page.getByRole("button", { name: "1 h" }).click();
    await until(() => queries().at(-1)?.["range"] === "1h", { what: "the other period" });
  });

  test("keeps its height while it loads, and explains a failure that can be repeated", async () => {
    const release = fixture.api.delay(getAnalytics);
    const page = await fixture.page({ width: 320 });
    const errors = watchForErrors(page, failedToLoad);
    await page.goto(analyticsPath);
    await page.locator("main [aria-busy=true]").first().waitFor();
    fixture.api.refuse(getAnalytics, "not_found");
    release();
    await page.getByText("Failed to load the analytics").waitFor();
    await expectSound(page, "failed");
    fixture.api.restore(getAnalytics);
    await page.getByRole("button", { name: "Try again" }).click();
    await chartOf(page, "Players online").waitFor();
    expect(errors).toEqual([]);
  });

  test("keeps the last figures when the connection is lost, and says so", async () => {
    const page = await fixture.page();
    await page.clock.install();
    await page.goto(`${analyticsPath}?range=1h`);
    await chartOf(page, "Players online").waitFor();
    fixture.api.refuse(getAnalytics, "not_found");
    await page.clock.fastForward(11_000);
    await page.getByText(/^Live figures are paused/).waitFor();
    expect(await chartOf(page, "Players online").count()).toBe(1);
  });

  test("is the same for a member who may only look", async () => {
    fixture.state.shield = {
      ...fixture.state.shield,
      role: "member",
      member_role: "viewer",
      rights: roleRights.viewer,
    };
    const page = await fixture.open(analyticsPath, { width: 320 });
    await chartOf(page, "Players online").waitFor();
    await page.getByRole("button", { name: "Export CSV" }).waitFor();
    expect(await page.getByText("You may view this section.").count()).toBe(0);
  });
});
