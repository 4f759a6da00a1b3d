import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectSound, settled } from "../screens/inspect.ts";
import type { Person } from "../screens/people.ts";
import { setProfileStage, type ProfileStage } from "./stage.ts";

/** The account's own record: what was called, by whom, from where, and what came of it. */

const path = "/dashboard/audit-logs";
let stage: ProfileStage;
let person: Person;

beforeAll(async () => {
  stage = await setProfileStage({});
  person = await stage.customer();
  for (let calls = 0; calls < 9; calls += 1) {
    await person.call(routes.account.updateNotifications, {
      body: { email_notifications: calls % 2 === 0 },
    });
  }
  await person.call(routes.account.regenerateApiKey, {});
});

afterEach(async () => {
  await stage.closePages();
});

afterAll(async () => {
  await stage?.end();
});

const rows = (page: Page) =>
  page.getByRole("list", { name: /^(Audit Logs|Журнал аудита)$/ }).locator("> li");

describe("the audit log", () => {
  test("opens a row to who, where, when and how long, and pages by ten", async () => {
    const page = await stage.open(person, { path });
    expect(await rows(page).count()).toBe(10);
    const first = rows(page).first();
    await first.getByText("POST", { exact: true }).waitFor();
    await first.getByText("/api/v1/profile/regenerate-api-key").first().waitFor();
    await first.getByText("200", { exact: true }).waitFor();
    await first.locator("summary").focus();
    await page.keyboard.press("Enter");
    await first.getByText(person.email).waitFor();
    await first.getByText(/^\d+ ms$/).waitFor();
    await first.getByText("127.0.0.1").waitFor();
    expect(await first.locator("dl time").getAttribute("datetime")).toMatch(/^\d{4}-/);
    await expectSound(page, "open row");
    await page.getByRole("button", { name: "Last page" }).click();
    await page.waitForURL((url) => url.search === "?page=2");
    await rows(page).filter({ hasText: "/auth/login" }).waitFor();
    await page.goto(`${path}?page=77`);
    await page.waitForURL((url) => url.search === "?page=2");
  });

  test("filters stand in the address, survive a reload, and can be taken back", async () => {
    const page = await stage.open(person, { path: `${path}?page=2` });
    await page.getByRole("combobox", { name: "Method" }).selectOption("PUT");
    await page.waitForURL((url) => url.search === "?method=PUT");
    await page.getByRole("searchbox", { name: "Endpoint" }).fill("notifications");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("endpoint") === "notifications");
    await page.reload();
    await settled(page);
    expect(await rows(page).count()).toBe(9);
    await page.getByRole("combobox", { name: "Status" }).selectOption("500");
    await page.getByText("No data to display").waitFor();
    await page.getByRole("combobox", { name: "Days" }).selectOption("Last 7 days");
    await page.waitForURL((url) => url.searchParams.get("days") === "7");
    await expectSound(page, "nothing matches");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL((url) => url.search === "");
    expect(await page.getByRole("searchbox", { name: "Endpoint" }).inputValue()).toBe("");
  });

  test("an address that makes no sense shows the page all the same", async () => {
    const page = await stage.open(person, { path: `${path}?page=-1` });
    for (const search of ["?page=1e309", "?status=abc", "?days=0", "?method=PATCH"]) {
      await page.goto(path + search);
      await settled(page);
      expect(await rows(page).count(), search).toBe(10);
    }
  });

  test("the same rows come as CSV, as filtered", async () => {
    const page = await stage.open(person, { path: `${path}?method=PUT` });
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe("palisade-audit-log.csv");
    const lines = (await readFile(await download.path(), "utf8")).trim().split(/\r?\n/);
    expect(lines).toHaveLength(10);
    expect(lines[1]).toContain("/api/v1/profile/notifications");
  });

  test("on the narrowest phone and in Russian", async () => {
    const page = await stage.open(person, { path, locale: "ru", theme: "light", width: 320 });
    await rows(page).first().locator("summary").click();
    await rows(page)
      .first()
      .getByText(/^\d+ мс$/)
      .waitFor();
    await expectSound(page, "open row, 320 px, Russian");
  });
});
