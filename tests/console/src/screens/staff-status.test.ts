import { routes } from "@palisade/contract/http/routes";
import type { StaffRole } from "@palisade/contract/http/staff-roles";
import type { StatusIncident } from "@palisade/contract/http/status-page";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

/** Incidents and maintenances, as staff write them. */

const { staffStatus } = routes;
const fixture = useConsole();
const address = "/staff/status";

function becomeStaff(...roles: StaffRole[]): void {
  fixture.state.user = { ...fixture.state.user, role: "staff", staff_roles: roles };
}

const open: StatusIncident = {
  id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d01",
  kind: "incident",
  impact: "major",
  state: "identified",
  title: { en: "Players cannot join through Frankfurt", ru: "Игроки не могут зайти" },
  locations: ["frankfurt"],
  affects_console: true,
  starts_at: "2026-11-01T10:00:00.000Z",
  ends_at: null,
  ended_at: null,
  updates: [
    {
      at: "2026-11-01T11:00:00.000Z",
      state: "identified",
      text: { en: "A provider drops packets.", ru: "Провайдер теряет пакеты." },
    },
  ],
};
const planned: StatusIncident = {
  ...open,
  id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d02",
  kind: "maintenance",
  impact: "none",
  state: "scheduled",
  title: { en: "New routers", ru: "Новые маршрутизаторы" },
  affects_console: false,
  ends_at: "2026-11-01T12:00:00.000Z",
};
const ended: StatusIncident = {
  ...open,
  id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d03",
  state: "resolved",
  title: { en: "The console was slow", ru: "Консоль работала медленно" },
  ended_at: "2026-11-01T12:00:00.000Z",
};

function show(incidents: readonly StatusIncident[]): void {
  fixture.api.change(staffStatus.listIncidents, (usual) => ({
    ...usual,
    incidents: [...incidents],
    locations: [{ name: "frankfurt", display_name: "Frankfurt" }],
  }));
}

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("the page and its dialogs are sound at each width", async () => {
    becomeStaff("operations");
    show([open, planned, ended]);
    const page = await fixture.page(look);
    const errors = watchForErrors(page);
    const named = (what: string) => `${what} ${look.theme} ${look.locale}`;
    await page.goto(address);
    await settled(page);
    await expectSoundEverywhere(page, named("status"));
    const dialogs = {
      "publish an incident": /^(Publish an incident|Опубликовать инцидент)$/,
      "plan a maintenance": /^(Plan a maintenance|Запланировать обслуживание)$/,
      "publish an update": /^(Publish an update|Опубликовать обновление)$/,
      correct: /^(Correct|Исправить)$/,
    };
    for (const [what, name] of Object.entries(dialogs)) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole("button", { name }).first().click();
      await page.getByRole("dialog").waitFor();
      await expectSoundEverywhere(page, named(what));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect(errors).toEqual([]);
  });
});

test("an incident is sent with its texts in both languages, places and reason", async () => {
  becomeStaff("operations");
  show([]);
  const page = await fixture.open(address);
  await page.getByText("Nothing is published here").first().waitFor();
  await page.getByRole("button", { name: "Publish an incident" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish an incident" });
  await dialog.getByLabel("Title in English").fill("Slow joins");
  await dialog.getByLabel("Reason").fill("Alarms of the edges");
  await dialog.getByRole("button", { name: "Publish" }).click();
  // The other texts are missing.
  expect(await dialog.getByText("Required").count()).toBe(3);
  await dialog.getByLabel("Title in Russian").fill("Медленный вход");
  await dialog.getByLabel("Text in English").fill("We look for the cause.");
  await dialog.getByLabel("Text in Russian").fill("Мы ищем причину.");
  await dialog.getByLabel("Impact").selectOption("major");
  await dialog.getByLabel("Frankfurt").check();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await dialog.getByRole("button", { name: "Publish" }).click();
  expect((await sent).postDataJSON()).toEqual({
    kind: "incident",
    state: "investigating",
    impact: "major",
    reason: "Alarms of the edges",
    locations: ["frankfurt"],
    affects_console: false,
    title_en: "Slow joins",
    title_ru: "Медленный вход",
    text_en: "We look for the cause.",
    text_ru: "Мы ищем причину.",
  });
  await dialog.waitFor({ state: "detached" });
});

test("a maintenance is planned in UTC, and its end comes after its start", async () => {
  becomeStaff("operations");
  show([]);
  const page = await fixture.open(address);
  await page.getByRole("button", { name: "Plan a maintenance" }).click();
  const dialog = page.getByRole("dialog", { name: "Plan a maintenance" });
  const fields = ["Title in English", "Title in Russian", "Text in English", "Text in Russian"];
  for (const label of [...fields, "Reason"]) await dialog.getByLabel(label).fill("New routers");
  await dialog.getByLabel("Begins, in UTC").fill("2026-12-01T04:00");
  await dialog.getByLabel("Ends, in UTC").fill("2026-12-01T02:00");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await dialog.getByText("The end must be after the start").waitFor();
  await dialog.getByLabel("Ends, in UTC").fill("2026-12-01T05:00");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await dialog.getByRole("button", { name: "Publish" }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    kind: "maintenance",
    state: "scheduled",
    starts_at: "2026-12-01T04:00:00.000Z",
    ends_at: "2026-12-01T05:00:00.000Z",
  });
});

test("an entry that has ended takes no update, and a list that fails can be tried again", async () => {
  becomeStaff("operations");
  fixture.api.refuse(staffStatus.listIncidents, "not_found");
  const page = await fixture.open(address);
  await page.getByText("Error fetching incidents").waitFor();
  fixture.api.restore(staffStatus.listIncidents);
  show([ended]);
  await page.getByRole("button", { name: /again/i }).click();
  const entry = page.getByRole("article", { name: "The console was slow" });
  await entry.getByText("Resolved").waitFor();
  expect(await entry.getByRole("button").allTextContents()).toEqual(["Correct"]);
});

test("staff of other roles have no such page", async () => {
  becomeStaff("support", "billing");
  const page = await fixture.open(address);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  expect(await page.getByRole("link", { name: "Status page" }).count()).toBe(0);
});
