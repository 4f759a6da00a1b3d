import { readFile } from "node:fs/promises";
import { accountRoutes } from "@palisade/contract/http/account";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectSound, settled, watchForErrors } from "../screens/inspect.ts";
import { oppositeAppearances, type TestAccount } from "../screens/accounts.ts";
import { hasFocus } from "../wizard/keyboard.ts";
import { checkDialogs } from "./dialog-checks.ts";
import { startProfileFixture, type ProfileFixture } from "./fixture.ts";

/** The profile of an account, its notifications, and its audit log: calls with their caller and address. */

const invite = "https://discord.gg/palisade";
/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
let fixture: ProfileFixture;

beforeAll(async () => {
  fixture = await startProfileFixture({ PALISADE_DISCORD_INVITE: invite });
});

afterEach(async () => {
  await fixture.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: false }).first();
    if ((await field.evaluate((element) => element.tagName)) === "SELECT") {
      await field.selectOption({ label: value });
    } else await field.fill(value);
  }
}

const anna = {
  "First name": "Анна-Мария",
  "Last name": "O’Neill Smith",
  "Address line 1": "Hauptstr. 1",
  Country: "Germany",
  Postcode: "10115",
  City: "Berlin",
};

const bob = {
  first_name: "Bob",
  last_name: "Miller",
  address_line_1: "1 Main St",
  zip_code: "10115",
  city: "Berlin",
  country: "DE",
};

describe("General", () => {
  test("every field shows the text of its rule, and valid values are saved and kept", async () => {
    const taken = await fixture.customer();
    await taken.call(accountRoutes.updateProfile, { body: { ...bob, username: "skyline" } });
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const errors = watchForErrors(page, failedToLoad);
    const save = page.getByRole("button", { name: "Save", exact: true });
    expect(await save.isDisabled()).toBe(true);

    await fill(page, { "First name": "7", "Last name": "D4rk", Username: "a" });
    await save.click();
    await page.getByText("Please fix validation errors").waitFor();
    for (const text of ["Too short", "Only letters allowed"]) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    // Address line, city and country.
    expect(await page.getByText("Required", { exact: true }).count()).toBe(3);
    const focused = page.getByLabel("First name").and(page.locator(":focus"));
    expect(await focused.count()).toBe(1);
    await expectSound(page, "refused");

    await fill(page, { ...anna, Postcode: "SW1A 1AA", "VAT ID": "DE12", Username: "Anna" });
    await save.click();
    await page.getByText("Enter a valid postcode of this country").waitFor();
    await page.getByText("Enter a valid VAT ID of this country").waitFor();
    await fill(page, { Postcode: "10115", "VAT ID": "DE123456789", Username: "SkyLine" });
    await save.click();
    // Whatever its case.
    await page.getByText("This username is taken").waitFor();
    expect(await page.getByLabel("Username").getAttribute("aria-invalid")).toBe("true");
    await fill(page, { Username: "Anna_99" });
    await save.click();
    await page.getByText("Profile updated successfully").waitFor();
    await until(() => save.isDisabled(), { what: "nothing left to save" });
    await page.reload();
    await settled(page);
    expect(await page.getByLabel("First name").inputValue()).toBe("Анна-Мария");
    expect(await page.getByLabel("Country").inputValue()).toBe("DE");
    const { data } = await account.call(accountRoutes.getProfile, {});
    expect(data.profile).toMatchObject({ username: "Anna_99", city: "Berlin", company_name: null });
    expect(errors).toEqual([]);
  });

  test("in Russian, countries, refusals and the question before what was typed is left behind", async () => {
    const look = { locale: "ru", theme: "light", width: 390 } as const;
    const account = await fixture.customer();
    const page = await fixture.open(account, look);
    await page.getByRole("textbox", { name: /^Имя( \*)?$/ }).fill("1");
    await page.getByLabel("Страна").selectOption({ label: "Казахстан" });
    await page.getByRole("button", { name: "Сохранить" }).click();
    await page.getByText("Исправьте ошибки в форме").waitFor();
    await page.getByText("Слишком коротко", { exact: true }).waitFor();
    await expectSound(page, "refused, Russian");
    await page.getByRole("link", { name: "Безопасность" }).click();
    const question = page.getByRole("dialog", { name: "Несохранённые изменения" });
    await question.waitFor();
    await question.getByRole("button", { name: "Остаться" }).click();
    expect(await page.getByLabel("Страна").inputValue()).toBe("KZ");

    // To another place of the same page nothing is left behind.
    await page.getByRole("link", { name: "К содержимому" }).press("Enter");
    await until(() => page.locator("main:focus").count(), { what: "the focus in the content" });
    await page.evaluate("location.hash = 'somewhere'");
    await page.getByRole("button", { name: /^Меню аккаунта/ }).click();
    await page.getByRole("menuitem", { name: "Выйти" }).click();
    await question.getByRole("button", { name: "Остаться" }).click();

    // Read anew, what was changed elsewhere comes in, and what is typed here stays.
    await account.call(accountRoutes.updateProfile, { body: { ...bob, city: "Köln" } });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: /^RU,/ }).click();
    const city = page.getByLabel("City");
    await until(async () => (await city.inputValue()) === "Köln", { what: "the other city" });
    expect(await page.getByLabel("Country").inputValue()).toBe("KZ");
    expect(await page.getByLabel("First name").inputValue()).toBe("1");
    await page.getByRole("button", { name: /^EN,/ }).click();
    await page.getByRole("link", { name: "Безопасность" }).click();
    await question.getByRole("button", { name: "Не сохранять" }).click();
    await page.waitForURL("**/dashboard/profile?tab=security");
  });

  test("the data can be taken along, and the account deleted by its typed address", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await fixture.letTimePass(account);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    await stepUp(page, account.password);
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^palisade-\d{4}-\d\d-\d\d\.json$/);

    await page.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    const erase = dialog.getByRole("button", { name: "Delete for good" });
    await dialog.getByRole("textbox").fill("another@example.com");
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(account.email.toUpperCase());
    await erase.click();
    await page.waitForURL("**/login");
    await page.getByText("Your account has been deleted").waitFor();
    await expect(account.call(accountRoutes.getProfile, {})).rejects.toMatchObject({ status: 401 });
  });
});

/** Answers the question who is there; a wrong password is told first, and asks again. */
async function stepUp(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  const field = dialog.getByLabel("Current password");
  await until(() => field.and(page.locator(":focus")).count(), { what: "the focus in the field" });
  await page.keyboard.type("not this one");
  await page.keyboard.press("Enter");
  await dialog.getByText("The current password is wrong").waitFor();
  await field.fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

test.each(oppositeAppearances)(
  "every dialog is sound, and Discord is: $theme theme, language $locale",
  async (look) => {
    const account = await fixture.customer();
    await account.call(accountRoutes.regenerateApiKey, {});
    await fixture.letTimePass(account);
    const path = "/dashboard/profile?tab=security";
    const width = look.theme === "dark" ? 1440 : 390;
    const page = await fixture.open(account, { ...look, path, width });
    const errors = watchForErrors(page, failedToLoad);
    await checkDialogs(page, look.locale, account.password);
    expect(errors).toEqual([]);
  },
);

describe("Discord and Notifications", () => {
  test("the invitation is a link; the e-mail switch holds, and goes back where it is refused; a webhook is kept masked", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { path: "/dashboard/profile?tab=discord" });
    expect(await page.getByRole("link", { name: "Join discord" }).getAttribute("href")).toBe(
      invite,
    );

    await page.getByRole("link", { name: "Notifications" }).click();
    const toggle = page.getByRole("switch", { name: "Email notifications" });
    const before = await toggle.isChecked();
    await toggle.click();
    await page.getByText("Email notifications updated successfully").waitFor();
    await hasFocus(page, toggle);
    await page.reload();
    await settled(page);
    expect(await toggle.isChecked()).toBe(!before);
    await page.route("**/api/v1/profile/notifications", (route) => route.abort());
    await toggle.click();
    await page.getByText("Failed to update notifications").waitFor();
    expect(await toggle.isChecked()).toBe(!before);
    await page.unrouteAll();

    const field = page.getByLabel("Webhook URL");
    await field.fill("https://example.com/hook");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Enter the address of a Discord webhook").waitFor();
    await field.fill("https://discord.com/api/webhooks/123/abc-secret-token");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Notices go to").waitFor();
    expect(await page.getByText("abc-secret-token").count()).toBe(0);
    await expectSound(page, "webhook");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Notices go to").waitFor({ state: "detached" });
  });
});

const rows = (page: Page) =>
  page.getByRole("list", { name: /^(Audit Logs|Журнал аудита)$/ }).locator("> li");

describe("the audit log", () => {
  const path = "/dashboard/audit-logs";
  let account: TestAccount;

  beforeAll(async () => {
    account = await fixture.customer();
    for (let calls = 0; calls < 9; calls += 1) {
      await account.call(accountRoutes.updateNotifications, {
        body: { email_notifications: calls % 2 === 0 },
      });
    }
    await account.call(accountRoutes.regenerateApiKey, {});
  });

  test("opens a row to who, where, when and how long, and pages by ten", async () => {
    const page = await fixture.open(account, { path });
    expect(await rows(page).count()).toBe(10);
    const first = rows(page).first();
    await first.getByText("POST", { exact: true }).waitFor();
    await first.getByText("/api/v1/profile/regenerate-api-key").first().waitFor();
    await first.getByText("200", { exact: true }).waitFor();
    await first.locator("summary").focus();
    await page.keyboard.press("Enter");
    await first.getByText(account.email).waitFor();
    await first.getByText(/^\d+ ms$/).waitFor();
    await first.getByText("127.0.0.1").waitFor();
    expect(await first.locator("dl time").getAttribute("datetime")).toMatch(/^\d{4}-/);
    await expectSound(page, "open row");
    const last = page.getByRole("button", { name: "Last page" });
    await last.press("Enter");
    await page.waitForURL((url) => url.search === "?page=2");
    await rows(page).filter({ hasText: "/auth/login" }).waitFor();
    expect(await last.isDisabled()).toBe(true);
    await hasFocus(page, last);
    const number = page.getByRole("textbox", { name: "Page number" });
    await number.fill("1");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.search === "");
    await first.getByText("POST", { exact: true }).waitFor();
    await hasFocus(page, number);
    await page.goto(`${path}?page=77`);
    await page.waitForURL((url) => url.search === "?page=2");
  });

  test("filters stand in the address, survive a reload, hold for the CSV, and can be taken back", async () => {
    const page = await fixture.open(account, { path: `${path}?page=2` });
    await page.getByRole("combobox", { name: "Method" }).selectOption("PUT");
    await page.waitForURL((url) => url.search === "?method=PUT");
    await page.getByRole("searchbox", { name: "Endpoint" }).fill("notifications");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("endpoint") === "notifications");
    await until(async () => (await rows(page).count()) === 9, { what: "nine calls" });
    await hasFocus(page, page.getByRole("searchbox", { name: "Endpoint" }));
    await page.reload();
    await settled(page);
    expect(await rows(page).count()).toBe(9);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe("palisade-audit-log.csv");
    const lines = (await readFile(await download.path(), "utf8")).trim().split(/\r?\n/);
    expect(lines).toHaveLength(10);
    expect(lines[1]).toContain("/api/v1/profile/notifications");
    await page.getByRole("combobox", { name: "Status" }).selectOption("500");
    await page.getByText("No data to display").waitFor();
    await page.getByRole("combobox", { name: "Days" }).selectOption("Last 7 days");
    await page.waitForURL((url) => url.searchParams.get("days") === "7");
    await expectSound(page, "nothing matches");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL((url) => url.search === "");
    expect(await page.getByRole("searchbox", { name: "Endpoint" }).inputValue()).toBe("");
  });

  test("an address that makes no sense shows the page all the same, in Russian on the narrowest phone", async () => {
    const nonsense = `${path}?page=1e309&status=abc&days=0&method=PATCH`;
    const look = { locale: "ru", theme: "light", width: 320 } as const;
    const page = await fixture.open(account, { ...look, path: nonsense });
    expect(await rows(page).count()).toBe(10);
    await page.goto(`${path}?page=-1`);
    await settled(page);
    expect(await rows(page).count()).toBe(10);
    await rows(page).first().locator("summary").click();
    await rows(page)
      .first()
      .getByText(/^\d+ мс$/)
      .waitFor();
    await expectSound(page, "open row, 320 px, Russian");
  });
});
