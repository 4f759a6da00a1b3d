import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import type { StaffRole } from "@palisade/contract/http/staff-roles";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";

/** The staff area: operations, shields, plans, promo codes, payments, edges, locations, announcements. */

const fixture = useConsole();
const { announcements, staffAnnouncements, staffBooks, staffEdges, staffLocations } = routes;
const { staffOperations, staffPlans, staffPromoCodes, staffShields } = routes;
const reason = "Agreed in ticket 1042";
const shield = `/staff/shields/${exampleIds.shield}`;

const pages = [
  "operations",
  "shields",
  `shields/${exampleIds.shield}`,
  "plans",
  "promo-codes",
  "payments",
  "edges",
  "locations",
  "announcements",
];

function becomeStaff(...roles: StaffRole[]): void {
  fixture.state.user = { ...fixture.state.user, role: "staff", staff_roles: roles };
}

/** Rows of every kind, so that each state is on a picture. */
function fillLists(): void {
  fixture.api.change(staffEdges.listEdges, ({ edges: [edge] }) => {
    if (edge === undefined) throw new Error("There is no example of an edge");
    const drained = { ...edge, id: exampleIds.plan, name: "fra-2", drained: true };
    const behind = { ...edge.config, behind: 31, rejected: 2 };
    return {
      edges: [
        { ...edge, state: "online" as const },
        { ...drained, state: "online" as const },
        {
          ...edge,
          id: exampleIds.entry,
          name: "sto-1",
          program_version: "1.3.2",
          has_other_version: true,
          state: "offline" as const,
          config: behind,
        },
        { ...edge, id: exampleIds.user, name: "kyi-1", state: "invited" as const, addresses: [] },
        {
          ...edge,
          id: exampleIds.shield,
          name: "ns-1",
          kind: "dns" as const,
          state: "revoked" as const,
        },
      ],
    };
  });
  fixture.api.change(staffOperations.readOperations, ({ operations }) => ({
    operations: {
      ...operations,
      money: { ...operations.money, quarantined: 1, frozen_since: "2026-11-01T12:00:00.000Z" },
      edges: { ...operations.edges, offline: 1 },
    },
  }));
  fixture.api.change(staffAnnouncements.listStaffAnnouncements, (usual) => ({
    announcements: usual.announcements.flatMap((row) => [
      { ...row, state: "shown" as const, level: "warning" as const },
      { ...row, id: exampleIds.plan, state: "planned" as const, ends_at: null },
      { ...row, id: exampleIds.entry, state: "over" as const, level: "critical" as const },
    ]),
  }));
}

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("every page is sound at each width", async () => {
    becomeStaff("admin");
    fillLists();
    const page = await fixture.page(look);
    const errors = watchForErrors(page);
    for (const path of pages) {
      await page.goto(`/staff/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      await expectSoundEverywhere(page, `${path} ${look.theme} ${look.locale}`);
    }
    expect(errors).toEqual([]);
  });

  test("every dialog is sound at each width", async () => {
    becomeStaff("admin");
    fillLists();
    const page = await fixture.page(look);
    const isEnglish = look.locale === "en";
    const dialogs: readonly (readonly [string, RegExp])[] = [
      [`shields/${exampleIds.shield}`, isEnglish ? /^Block$/ : /^Заблокировать$/],
      [`shields/${exampleIds.shield}`, isEnglish ? /^Change plan$/ : /^Сменить тариф$/],
      [`shields/${exampleIds.shield}`, isEnglish ? /^Grant the default/ : /^Разрешить стандартный/],
      ["plans", isEnglish ? /^Add plan$/ : /^Добавить тариф$/],
      ["promo-codes", isEnglish ? /^Add promo code$/ : /^Добавить промокод$/],
      ["payments", isEnglish ? /^Settle / : /^Решить /],
      ["edges", isEnglish ? /^Invite edge$/ : /^Пригласить узел$/],
      ["edges", isEnglish ? /^Drain / : /^Вывести /],
      ["locations", isEnglish ? /^Add location$/ : /^Добавить локацию$/],
      ["announcements", isEnglish ? /^Write announcement$/ : /^Написать объявление$/],
    ];
    for (const [index, [path, name]] of dialogs.entries()) {
      await page.goto(`/staff/${path}`);
      await page.getByRole("button", { name }).first().click();
      await page.getByRole("dialog").waitFor();
      await expectSoundEverywhere(page, `dialog ${index} ${path} ${look.theme} ${look.locale}`);
    }
  });
});

test("a failed page says so and loads again; an empty list says what belongs there", async () => {
  becomeStaff("admin");
  fixture.api.cut(staffPromoCodes.listPromoCodes);
  const page = await fixture.open("/staff/promo-codes");
  await page.getByText("The promo codes could not be loaded").waitFor();
  await expectSoundEverywhere(page, "failed");
  fixture.api.reset();
  fixture.api.change(staffPromoCodes.listPromoCodes, () => ({ promo_codes: [] }));
  await tryAgain(page);
  await page.getByText("No promo codes yet").waitFor();
  await expectSoundEverywhere(page, "empty");
});

test("staff see what their roles allow, and buttons for nothing else", async () => {
  becomeStaff("support");
  const page = await fixture.open(shield);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("button", { name: "Block", exact: true }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Change plan" }).count()).toBe(0);
  const links = page.getByRole("navigation", { name: "Staff area" }).getByRole("link");
  expect(await links.allTextContents()).toEqual(
    expect.arrayContaining(["Operations", "Shields", "Plans", "Announcements"]),
  );
  expect(await links.filter({ hasText: /^(Edges|Payments|Promo codes|Locations)$/ }).count()).toBe(
    0,
  );
});

test("a shield is blocked only with a reason, which goes along", async () => {
  becomeStaff("operations");
  const page = await fixture.open(shield);
  await page.getByRole("button", { name: "Block", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Block", exact: true }).click();
  await dialog.getByText("Say why").or(dialog.locator("[aria-invalid=true]")).first().waitFor();
  expect(fixture.api.callsOf(staffShields.blockShield)).toEqual([]);
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Block", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffShields.blockShield)[0]?.body).toEqual({ reason });
});

test("the search and the filter of shields are in the address and in the call", async () => {
  becomeStaff("support");
  const page = await fixture.open("/staff/shields");
  const search = page.getByRole("searchbox");
  await search.fill("mc.example.com");
  await search.press("Enter");
  await page.waitForURL("**/staff/shields?q=mc.example.com");
  await page.getByLabel("Status").selectOption("blocked");
  await page.waitForURL("**status=blocked**");
  const sent = () => fixture.api.callsOf(staffShields.listShields).at(-1)?.query;
  await until(() => sent()?.["status"] === "blocked");
  expect(sent()).toMatchObject({ q: "mc.example.com", status: "blocked" });
});

test("a plan is changed with its limits, and wrong ones are refused at their field", async () => {
  becomeStaff("billing");
  const page = await fixture.open("/staff/plans");
  await page.getByRole("button", { name: "Edit Plus" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Domains", { exact: true }).fill("many");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a whole number").waitFor();
  await dialog.getByLabel("Domains", { exact: true }).fill("5");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const [sent] = fixture.api.callsOf(staffPlans.editPlan);
  expect(sent?.body).toMatchObject({ reason, limits: { domains: 5 } });
});

test("an edge is invited, and its token is shown once", async () => {
  becomeStaff("operations");
  const page = await fixture.open("/staff/edges");
  await page.getByRole("button", { name: "Invite edge" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("fra-7");
  await dialog.getByLabel("Location").selectOption("frankfurt");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog", { name: "Enrolment token" }).waitFor();
  await page.getByText(example(staffEdges.createEdge).enrolment_token).waitFor();
  await expectSoundEverywhere(page, "enrolment token");
  expect(fixture.api.callsOf(staffEdges.createEdge)[0]?.body).toEqual({
    name: "fra-7",
    location: "frankfurt",
    kind: "edge",
    reason,
  });
});

test("a case of the quarantine is settled, and frozen purchases are opened", async () => {
  becomeStaff("billing");
  const page = await fixture.open("/staff/payments");
  await page.getByRole("button", { name: /^Settle / }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("The money was sent back").check();
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Settle" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffBooks.resolveQuarantine)[0]?.body).toEqual({
    resolution: "returned",
    reason,
  });
  await page.getByRole("button", { name: "Open purchases" }).click();
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Open purchases" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffBooks.freezePurchases)[0]?.body).toEqual({
    is_frozen: false,
    reason,
  });
});

test("a location is retired with what else it is called", async () => {
  becomeStaff("operations");
  const page = await fixture.open("/staff/locations");
  await page.getByRole("button", { name: "Edit Germany" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Retired").check({ force: true });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(staffLocations.editLocation)[0]?.body).toMatchObject({
    en: "Germany",
    ru: "Германия",
    is_retired: true,
    reason,
  });
});

describe("announcements", () => {
  const shown = example(announcements.listAnnouncements).announcements;

  test("are on top of the customer's console until they are closed, and again once changed", async () => {
    const [first] = shown;
    if (first === undefined) throw new Error("There is no example of an announcement");
    let changed_at = first.changed_at;
    fixture.api.change(announcements.listAnnouncements, () => ({
      announcements: [{ ...first, level: "warning" as const, changed_at }],
    }));
    const page = await fixture.open("/dashboard");
    const banner = page.getByRole("region", { name: "Announcements" });
    await banner.getByText(first.text).waitFor();
    await expectSoundEverywhere(page, "announced");
    await banner.getByRole("button", { name: "Close the announcement" }).click();
    await banner.waitFor({ state: "detached" });
    const asked = fixture.api.callsOf(announcements.listAnnouncements).length;
    await page.reload();
    await until(() => fixture.api.callsOf(announcements.listAnnouncements).length > asked);
    await settled(page);
    expect(await banner.count()).toBe(0);
    changed_at = "2026-11-02T12:00:00.000Z";
    await page.reload();
    await banner.getByText(first.text).waitFor();
  });

  test("are written in both languages with a preview", async () => {
    becomeStaff("support");
    const page = await fixture.open("/staff/announcements");
    await page.getByRole("button", { name: "Write announcement" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Text in English").fill("We move to new machines");
    await dialog.getByText("We move to new machines").first().waitFor();
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await dialog.getByLabel("Text in Russian").fill("Мы переезжаем");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.waitFor({ state: "detached" });
    const [sent] = fixture.api.callsOf(staffAnnouncements.createAnnouncement);
    expect(sent?.body).toMatchObject({
      en: "We move to new machines",
      ru: "Мы переезжаем",
      level: "info",
      ends_at: null,
      reason,
    });
  });
});
