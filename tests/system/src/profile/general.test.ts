import { accountRoutes } from "@palisade/contract/http/account";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectSound, settled, watchForErrors } from "../screens/inspect.ts";
import { setProfileStage, type ProfileStage } from "./stage.ts";

/** General, Discord and Notifications: what is kept about a person, and what they are told. */

const invite = "https://discord.gg/palisade";
/** What the browser itself logs about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
let stage: ProfileStage;

beforeAll(async () => {
  stage = await setProfileStage({ PALISADE_DISCORD_INVITE: invite });
});

afterEach(async () => {
  await stage.closePages();
});

afterAll(async () => {
  await stage?.end();
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

describe("General", () => {
  test("every field is checked with the words of the specification, then saved and kept", async () => {
    const person = await stage.customer();
    const page = await stage.open(person);
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

    await fill(page, { ...anna, Postcode: "SW1A 1AA", "VAT ID": "DE12", Username: "Anna_99" });
    await save.click();
    await page.getByText("Enter a valid postcode of this country").waitFor();
    await page.getByText("Enter a valid VAT ID of this country").waitFor();
    await fill(page, { Postcode: "10115", "VAT ID": "DE123456789" });
    await save.click();
    await page.getByText("Profile updated successfully").waitFor();
    await until(() => save.isDisabled(), { what: "nothing left to save" });
    await page.reload();
    await settled(page);
    expect(await page.getByLabel("First name").inputValue()).toBe("Анна-Мария");
    expect(await page.getByLabel("Country").inputValue()).toBe("DE");
    const { data } = await person.call(accountRoutes.getProfile, {});
    expect(data.profile).toMatchObject({ username: "Anna_99", city: "Berlin", company_name: null });
    expect(errors).toEqual([]);
  });

  test("a username somebody has is refused beside its field, whatever its case", async () => {
    const taken = await stage.customer();
    const body = {
      first_name: "Bob",
      last_name: "Miller",
      address_line_1: "1 Main St",
      zip_code: "10115",
      city: "Berlin",
      country: "DE",
    };
    await taken.call(accountRoutes.updateProfile, { body: { ...body, username: "skyline" } });
    const person = await stage.customer();
    await person.call(accountRoutes.updateProfile, { body });
    const page = await stage.open(person);
    await page.getByLabel("Username").fill("SkyLine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("This username is taken").waitFor();
    expect(await page.getByLabel("Username").getAttribute("aria-invalid")).toBe("true");
  });

  test("what was typed is not left behind without a question", async () => {
    const page = await stage.open(await stage.customer(), { width: 390, theme: "light" });
    await page.getByLabel("City").fill("Bonn");
    await page.getByRole("link", { name: "Security" }).click();
    const question = page.getByRole("dialog", { name: "Unsaved changes" });
    await question.waitFor();
    await expectSound(page, "unsaved changes");
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("City").inputValue()).toBe("Bonn");
    await page.getByRole("link", { name: "Security" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL("**/dashboard/profile?tab=security");
  });

  test("in Russian, countries and refusals included", async () => {
    const page = await stage.open(await stage.customer(), { locale: "ru" });
    await page.getByRole("textbox", { name: /^Имя( \*)?$/ }).fill("1");
    await page.getByLabel("Страна").selectOption({ label: "Казахстан" });
    await page.getByRole("button", { name: "Сохранить" }).click();
    await page.getByText("Исправьте ошибки в форме").waitFor();
    await page.getByText("Слишком коротко", { exact: true }).waitFor();
    await expectSound(page, "refused, Russian");
  });

  test("the data can be taken along, and the account deleted by its typed address", async () => {
    const person = await stage.customer();
    const page = await stage.open(person);
    await stage.letTimePass(person);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    await stepUp(page, person.password);
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^palisade-\d{4}-\d\d-\d\d\.json$/);

    await page.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    const erase = dialog.getByRole("button", { name: "Delete for good" });
    await dialog.getByRole("textbox").fill("somebody@example.com");
    expect(await erase.isDisabled()).toBe(true);
    await expectSound(page, "delete account");
    await dialog.getByRole("textbox").fill(person.email.toUpperCase());
    await erase.click();
    await page.waitForURL("**/login");
    await page.getByText("Your account has been deleted").waitFor();
    await expect(person.call(accountRoutes.getProfile, {})).rejects.toMatchObject({ status: 401 });
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
  await expectSound(page, "step-up");
  await field.fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

describe("Discord and Notifications", () => {
  test("the invitation is a link; the e-mail switch holds; a webhook is kept masked", async () => {
    const person = await stage.customer();
    const page = await stage.open(person, { path: "/dashboard/profile?tab=discord" });
    expect(await page.getByRole("link", { name: "Join discord" }).getAttribute("href")).toBe(
      invite,
    );

    await page.getByRole("link", { name: "Notifications" }).click();
    const toggle = page.getByRole("switch", { name: "Email notifications" });
    const before = await toggle.isChecked();
    await toggle.click();
    await page.getByText("Email notifications updated successfully").waitFor();
    await page.reload();
    await settled(page);
    expect(await toggle.isChecked()).toBe(!before);

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

  test("a switch the server refuses goes back, with the reason", async () => {
    const page = await stage.open(await stage.customer(), {
      path: "/dashboard/profile?tab=notifications",
    });
    const toggle = page.getByRole("switch", { name: "Email notifications" });
    const before = await toggle.isChecked();
    await page.route("**/api/v1/profile/notifications", (route) => route.abort());
    await toggle.click();
    await page.getByText("Failed to update notifications").waitFor();
    expect(await toggle.isChecked()).toBe(before);
  });
});
