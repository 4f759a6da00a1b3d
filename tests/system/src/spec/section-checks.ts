import { routes } from "@palisade/contract/http/routes";
import type { Locator } from "playwright-core";
import type { CreatedShield } from "../product/account.ts";
import { expect } from "vitest";
import type { TestAccount } from "../screens/accounts.ts";
import { kickGroups, kickMessages, ownTexts } from "./kick-messages.ts";
import { checkMitigation } from "./mitigation-checks.ts";
import { firewallMessages, textMessages } from "./admission-messages.ts";
import { backendMessages, cachingMessages, domainMessages } from "./network-messages.ts";
import { sectionTexts } from "./section-texts.ts";
import { shieldRefusals } from "./all-shield-messages.ts";
import { pageMessages, subUserMessages } from "./overview-messages.ts";
import { sectionForms } from "./section-rules.ts";
import type { ShieldPageDriver } from "./shield-page-driver.ts";

/** A shield that is not active shows its overview alone. */
export async function checkLockedSections(driver: ShieldPageDriver): Promise<void> {
  await driver.open("firewall");
  await driver.told(pageMessages.lockedAddress);
  await driver.page.locator("nav button[aria-disabled=true]").first().click({ force: true });
  await driver.told(pageMessages.locked);
}

/** The sections one after the other, meeting every row of the tables. Icons are told by their names. */
export async function checkSections(
  driver: ShieldPageDriver,
  account: TestAccount,
  shield: CreatedShield,
): Promise<void> {
  await checkBackends(driver, account, shield.id);
  await checkDomains(driver, account, shield);
  await checkMitigation(driver, account, shield.id);
  await checkCaching(driver);
  await checkMessages(driver, account, shield.id);
  await checkFirewall(driver, account, shield.id);
  await checkSubUsers(driver);
  await checkPage(driver);
  // A last group is shown without a way to delete it.
  driver.leave(shieldRefusals.lastGroup);
}

const icon = (within: Locator, name: string): Locator =>
  within.locator(`button:has(.tabler-icon-${name})`);

function dialogOf({ page }: ShieldPageDriver): Locator {
  return page.locator("dialog[open]");
}

const submitOf = (place: Locator): Locator => place.locator("[type=submit]");
/** In a dialog that asks a question, the harmless button comes first. */
const confirmOf = (place: Locator): Locator => place.getByRole("button").last();

async function checkBackends(
  driver: ShieldPageDriver,
  { call }: TestAccount,
  id: string,
): Promise<void> {
  const { page } = driver;
  const messages = backendMessages;
  await call(routes.backends.createBackendGroup, { params: { id }, body: { name: "Spare" } });
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("backends"));
  await driver.answering(
    routes.backends.getBackends,
    { status: 200, body: { backends: [], available_regions: [], groups_max: 5 } },
    async () => {
      await page.reload();
      await driver.shown(sectionTexts.noGroups);
    },
  );
  await page.reload();
  const spare = page.locator("li", { has: page.getByText("Spare", { exact: true }) });
  await spare.getByText("Spare", { exact: true }).click();
  await driver.shown(sectionTexts.emptyGroup, spare);

  await icon(spare, "plus").click();
  const dialog = dialogOf(driver);
  await driver.checkRules(sectionForms.server, dialog);
  await dialog.locator("[name=ip]").fill("127.0.0.1");
  await driver.toldOfFailure(messages.serverAddFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await driver.told(messages.serverAdded);
  const server = spare.locator("li[data-address]");
  await driver.toldOfFailure(messages.serverDeleteFailed, () => icon(server, "trash").click());
  await icon(server, "trash").click();
  await driver.told(messages.serverDeleted);
  await server.waitFor({ state: "detached" });

  await icon(spare, "pencil").first().click();
  await driver.checkRules(sectionForms.group, dialog);
  await dialog.locator("[name=name]").fill("Spare 2");
  await submitOf(dialog).click();
  await driver.told(messages.groupUpdated);
  const renamed = page.locator("li", { has: page.getByText("Spare 2", { exact: true }) });
  const remove = async () => {
    await icon(renamed, "trash").first().click();
    await confirmOf(dialog).click();
  };
  await driver.toldOfFailure(messages.groupDeleteFailed, remove);
  await remove();
  await driver.told(messages.groupDeleted);
}

async function checkDomains(
  driver: ShieldPageDriver,
  { call }: TestAccount,
  shield: CreatedShield,
): Promise<void> {
  const { page } = driver;
  const messages = domainMessages;
  const params = { id: shield.id };
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("domains"));
  await driver.toldOfFailure(messages.regionsFailed, () => driver.open("domains"));
  const list = (await call(routes.shieldDomains.listDomains, { params })).data;
  const proven = list.domains.map((domain) => ({ ...domain, status: "setup_finished" }));
  const answer = (domains: readonly object[]) => ({ status: 200, body: { ...list, domains } });
  await driver.answering(routes.shieldDomains.listDomains, answer([]), async () => {
    await page.reload();
    await driver.shown(sectionTexts.noDomains);
  });
  await driver.answering(routes.shieldDomains.listDomains, answer(proven), async () => {
    await page.reload();
    await driver.shown(sectionTexts.finished);
  });
  const region = (await call(routes.regions.getRegion, { params })).data;
  const elsewhere = { name: "away", display_name: "Away", value: "away", is_available: true };
  await driver.answering(
    routes.regions.getRegion,
    {
      status: 200,
      body: { ...region, available_regions: [...region.available_regions, elsewhere] },
    },
    async () => {
      await page.reload();
      await driver.toldOfFailure(messages.regionFailed, async () => {
        await page.locator("[name=region]").selectOption("away");
        await page.locator("form:has([name=region]) [type=submit]").click();
      });
    },
  );
  await page.reload();
  await driver.shown(sectionTexts.unfinished);
  await driver.shown(sectionTexts.setup);

  await icon(page.locator("main"), "plus").click();
  const dialog = dialogOf(driver);
  await driver.checkRules(sectionForms.domain, dialog);
  const name = dialog.locator("[name=domain]");
  await name.fill(shield.domain);
  await submitOf(dialog).click();
  await driver.told(shieldRefusals.domainExists);
  const second = `second.${shield.domain}`;
  await name.fill(second);
  await driver.toldOfFailure(messages.addFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await driver.told(messages.added);
  // Its records are shown next.
  await dialog.getByText(second).first().waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const item = page.locator("li", { has: page.getByText(second, { exact: true }) });
  await driver.toldOfFailure(messages.removeFailed, () => icon(item, "trash").click());
  await icon(item, "trash").click();
  await driver.told(messages.removed);
}

async function checkCaching(driver: ShieldPageDriver): Promise<void> {
  await driver.open("caching");
  const toggle = driver.page.getByRole("switch").first();
  await driver.toldOfFailure(cachingMessages.updateFailed, () => toggle.click());
  await toggle.click();
  await driver.told(cachingMessages.updated);
}

async function checkMessages(
  driver: ShieldPageDriver,
  { call }: TestAccount,
  id: string,
): Promise<void> {
  const { page, locale } = driver;
  await driver.toldOfFailure(textMessages.loadFailed, () => driver.open("customization"));
  await page.reload();
  const save = page.locator("main form [type=submit]");
  for (const group of kickGroups) {
    if (group !== "general") await page.locator(`main nav a[href$="tab=${group}"]`).click();
    for (const [name, { label, standard }] of Object.entries(kickMessages[group])) {
      const input = page.getByRole("textbox", { name: label[locale], exact: true });
      const shown = [await input.getAttribute("name"), await input.getAttribute("placeholder")];
      expect(shown).toEqual([name, standard]);
      await input.fill(ownTexts(group)[name] ?? "");
    }
    if (group === "general") {
      await driver.toldOfFailure(textMessages.updateFailed, () => save.click());
    }
    await save.click();
    await driver.told(textMessages.updated);
  }
  const { data } = await call(routes.serverMessages.getServerMessages, { params: { id } });
  for (const group of kickGroups) expect(data[group]).toEqual(ownTexts(group));
}

async function checkFirewall(
  driver: ShieldPageDriver,
  { call }: TestAccount,
  id: string,
): Promise<void> {
  const { page } = driver;
  const messages = firewallMessages;
  for (const ip of ["198.51.100.7", "198.51.100.8"]) {
    const body = { type: "blacklist" as const, ip };
    await call(routes.firewall.addFirewallEntry, { params: { id }, body });
  }
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("firewall"));
  await page.reload();
  await driver.checkRules(sectionForms.entry, page.locator("form:has([name=ip])"));
  await page.locator("[name=ip]").fill("198.51.100.7");
  await page.locator("form:has([name=ip]) [type=submit]").click();
  await driver.told(shieldRefusals.entryExists);
  const toggle = page.getByRole("switch").first();
  await driver.toldOfFailure(messages.updateFailed, () => toggle.click());
  await toggle.click();
  await driver.told(messages.updated);
  const row = page.locator("tr", { has: page.getByText("198.51.100.7", { exact: true }) });
  await driver.toldOfFailure(messages.removeFailed, () => icon(row, "trash").click());
  await icon(row, "trash").click();
  await driver.told(messages.entryRemoved);
  const clear = async () => {
    // In the tools above the table, not of a row.
    await icon(page.locator("main"), "trash").first().click();
    await confirmOf(dialogOf(driver)).click();
  };
  await driver.toldOfFailure(messages.clearFailed, clear);
  await clear();
  await driver.told(messages.cleared);
  await driver.shown(sectionTexts.noEntries);
}

async function checkSubUsers(driver: ShieldPageDriver): Promise<void> {
  const { page } = driver;
  const messages = subUserMessages;
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("subusers"));
  await page.reload();
  await driver.shown(sectionTexts.noSubUsers);
  await icon(page.locator("main"), "user-plus").click();
  const dialog = dialogOf(driver);
  await driver.checkRules(sectionForms.invitee, dialog);
  const invited = `friend-${driver.locale}@example.com`;
  await dialog.locator("[name=email]").fill(invited);
  await driver.toldOfFailure(messages.addFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await driver.told(messages.added);
  const row = page.locator("tr", { has: page.getByText(invited, { exact: true }) });
  const remove = async () => {
    await icon(row, "trash").click();
    await confirmOf(dialog).click();
  };
  await driver.toldOfFailure(messages.removeFailed, remove);
  await remove();
  await driver.told(messages.removed);
}

async function checkPage(driver: ShieldPageDriver): Promise<void> {
  const { page } = driver;
  const messages = pageMessages;
  const dialog = dialogOf(driver);
  const choose = async (item: string) => {
    await icon(page.locator("main"), "dots").click();
    await page.locator(`[role=menuitem]:has(.tabler-icon-${item})`).click();
  };
  await choose("pencil");
  await driver.checkRules(sectionForms.rename, dialog);
  await dialog.locator("[name=server_name]").fill("Renamed");
  await driver.toldOfFailure(messages.renameFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await driver.told(messages.renamed);

  const load = routes.servers.getServer;
  for (const [status, message] of [
    [404, messages.notFound],
    [403, messages.denied],
    [410, messages.deleted],
    [409, messages.loadFailed],
  ] as const) {
    await driver.answering(load, { status, body: {} }, async () => {
      await driver.open("overview");
      await driver.told(message);
      await page.waitForURL("**/dashboard");
    });
  }
  await driver.open("overview");
  await choose("trash");
  await dialog.locator("input").fill("Renamed");
  await driver.toldOfFailure(messages.removeFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await driver.told(messages.removed);
}
