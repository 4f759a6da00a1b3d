import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { expectSound, settled } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { analyticsPath, chartOf, panelOf } from "./analytics-page.ts";

const fixture = useConsole();

const searchOf = (page: Page) => new URL(page.url()).searchParams;
const reading = async (page: Page, name: string) =>
  (await chartOf(page, name).getAttribute("aria-valuetext")) ?? "";

describe("a chart", () => {
  test("is read by keyboard, and all charts share the chosen time", async () => {
    const page = await fixture.open(analyticsPath);
    const players = chartOf(page, "Players online");
    await players.focus();
    await page.keyboard.press("Home");
    const first = await reading(page, "Players online");
    expect(first).toMatch(/: peak \d+; mean \d+/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("PageDown");
    expect(await players.getAttribute("aria-valuenow")).toBe("11");
    expect(await chartOf(page, "Traffic").getAttribute("aria-valuenow")).toBe("11");
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

  test("has the editions apart only where players of Bedrock have come", async () => {
    const page = await fixture.open(analyticsPath);
    await chartOf(page, "Players online").focus();
    await page.keyboard.press("Home");
    expect(await reading(page, "Players online")).toMatch(/Java \d+(\.\d+)?; Bedrock \d+/);
    await expectSound(page, "analytics of both editions");
    fixture.api.change(routes.analytics.getAnalytics, (answer) => ({
      ...answer,
      totals: { ...answer.totals, bedrock_players: 0, bedrock_joins: 0 },
    }));
    await page.reload();
    await chartOf(page, "Joins").focus();
    await page.keyboard.press("Home");
    expect(await reading(page, "Joins")).not.toContain("Bedrock");
  });

  test("says that nothing is known where no edge has reported", async () => {
    const page = await fixture.open(analyticsPath);
    await chartOf(page, "Joins").focus();
    await page.keyboard.press("Home");
    for (const key of ["PageDown", "PageDown"]) await page.keyboard.press(key);
    // A gap from 18 to 22 % of the period.
    for (let step = 0; step < 9; step += 1) await page.keyboard.press("ArrowRight");
    expect(await reading(page, "Joins")).toContain("joins no data");
  });

  test("is zoomed by keyboard and by dragging, and zooming out returns to the range", async () => {
    const page = await fixture.open(`${analyticsPath}?range=7d`);
    await chartOf(page, "Joins").focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Shift+PageDown");
    expect(await reading(page, "Joins")).toMatch(/^Selection, /);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("back") === "7d");
    await settled(page);
    const lengthMs = () =>
      Date.parse(searchOf(page).get("to") ?? "") - Date.parse(searchOf(page).get("from") ?? "");
    expect(lengthMs()).toBe(31 * 3_600_000);
    await chartOf(page, "Players online").scrollIntoViewIfNeeded();
    const box = await chartOf(page, "Players online").boundingBox();
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
    const page = await fixture.open(analyticsPath);
    const toggle = panelOf(page, "Players online").getByRole("button", { name: /^peak/ });
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
    const page = await fixture.open(analyticsPath);
    await page.getByRole("button", { name: "Show Joins as a table" }).press("Enter");
    const table = page.getByRole("table", { name: "Joins" });
    await table.waitFor();
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual([
      "Time",
      "joins",
      "Java",
      "Bedrock",
    ]);
    const answer = await table.locator("tbody tr").count();
    expect(answer).toBeGreaterThan(140);
    expect(await table.getByRole("cell", { name: "no data" }).count()).toBeGreaterThan(0);
    await expectSound(page, "a chart as a table");
    await page.reload();
    await table.waitFor();
    await page.getByRole("button", { name: "Show the chart Joins" }).click();
    await chartOf(page, "Joins").waitFor();
  });

  test("is saved as a picture", async () => {
    const page = await fixture.open(analyticsPath);
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
