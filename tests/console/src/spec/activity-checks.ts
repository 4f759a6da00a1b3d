import { routes } from "@palisade/contract/http/routes";
import { logMessages, notificationMessages } from "@palisade/system-tests/spec/network-messages";
import { expect } from "vitest";
import type { ConsoleFixture } from "../console-fixture.ts";
import { nothingReported } from "../stub-api/analytics-handlers.ts";
import { sectionTexts } from "./section-texts.ts";
import type { ShieldPageDriver } from "./shield-page-driver.ts";

const chooseTime = { en: "Choose time", ru: "Выберите время" };

/** The sections that tell what happens at a shield. */

export async function checkAnalytics(
  driver: ShieldPageDriver,
  { api }: ConsoleFixture,
): Promise<void> {
  api.change(routes.analytics.getAnalytics, nothingReported);
  await driver.open("analytics");
  await driver.shown(sectionTexts.noAnalytics);
}

export async function checkLogs(driver: ShieldPageDriver, { api }: ConsoleFixture): Promise<void> {
  const { page, locale } = driver;
  api.change(routes.logs.listLogEntries, (usual) => ({
    ...usual,
    data: [],
    next_cursor: null,
  }));
  await driver.open("logs");
  await driver.shown(sectionTexts.noLogs);
  const interval = page.getByRole("combobox", { name: chooseTime[locale] });
  const choose = (seconds: string) => async () => {
    await expect.poll(() => interval.isEnabled()).toBe(true);
    await interval.selectOption(seconds);
  };
  await driver.toldOfFailure(logMessages.updateFailed, choose("60"));
  await driver.toldByApi(logMessages.updated, choose("60"));
}

export async function checkNotifications(
  driver: ShieldPageDriver,
  { api }: ConsoleFixture,
): Promise<void> {
  const { page } = driver;
  api.change(routes.webhooks.listWebhooks, () => ({ webhooks: [] }));
  await driver.toldOfFailure(notificationMessages.loadFailed, () => driver.open("notifications"));
  await page.reload();
  await driver.shown(sectionTexts.noWebhooks);
  await page.getByRole("switch").first().click();
  await driver.toldByApi(notificationMessages.updated, () =>
    page.locator("main form [type=submit]").click(),
  );
}
