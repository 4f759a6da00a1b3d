import { routes } from "@palisade/contract/http/routes";
import type { Locator } from "playwright-core";
import type { ShieldFacts } from "../product/account.ts";
import { expect } from "vitest";
import type { Person } from "../screens/people.ts";
import { kickGroups, kickMessages, ownTexts } from "./kick-messages.ts";
import { walkMitigation } from "./mitigation-walk.ts";
import { firewallMessages, textMessages } from "./admission-messages.ts";
import { backendMessages, cachingMessages, domainMessages } from "./network-messages.ts";
import { sectionTexts } from "./section-texts.ts";
import { serverRefusals } from "./server-messages.ts";
import { pageMessages, subUserMessages } from "./shield-messages.ts";
import { sectionForms } from "./server-rules.ts";
import type { ServerVisit } from "./server-visit.ts";

/** A shield that is not active shows its overview alone. */
export async function walkLocked(visit: ServerVisit): Promise<void> {
  await visit.open("firewall");
  await visit.told(pageMessages.lockedAddress);
  await visit.page.locator("nav button[aria-disabled=true]").first().click({ force: true });
  await visit.told(pageMessages.locked);
}

/** The sections one after the other, meeting every row of the tables. Icons are told by their names. */
export async function walkSections(
  visit: ServerVisit,
  person: Person,
  shield: ShieldFacts,
): Promise<void> {
  await walkBackends(visit, person, shield.id);
  await walkDomains(visit, person, shield);
  await walkMitigation(visit, person, shield.id);
  await walkCaching(visit);
  await walkMessages(visit, person, shield.id);
  await walkFirewall(visit, person, shield.id);
  await walkSubUsers(visit);
  await walkPage(visit);
  // A last group is shown without a way to delete it.
  visit.leave(serverRefusals.lastGroup);
}

const icon = (within: Locator, name: string): Locator =>
  within.locator(`button:has(.tabler-icon-${name})`);

function dialogOf({ page }: ServerVisit): Locator {
  return page.locator("dialog[open]");
}

const submitOf = (place: Locator): Locator => place.locator("[type=submit]");
/** Of a question: the harmless button comes first. */
const confirmOf = (place: Locator): Locator => place.getByRole("button").last();

async function walkBackends(visit: ServerVisit, { call }: Person, id: string): Promise<void> {
  const { page } = visit;
  const messages = backendMessages;
  await call(routes.backends.createBackendGroup, { params: { id }, body: { name: "Spare" } });
  await visit.toldOfFailure(messages.loadFailed, () => visit.open("backends"));
  await visit.answering(
    routes.backends.getBackends,
    { status: 200, body: { backends: [], available_regions: [], groups_max: 5 } },
    async () => {
      await page.reload();
      await visit.shown(sectionTexts.noGroups);
    },
  );
  await page.reload();
  const spare = page.locator("li", { has: page.getByText("Spare", { exact: true }) });
  await spare.getByText("Spare", { exact: true }).click();
  await visit.shown(sectionTexts.emptyGroup, spare);

  await icon(spare, "plus").click();
  const dialog = dialogOf(visit);
  await visit.walkRules(sectionForms.server, dialog);
  await dialog.locator("[name=ip]").fill("127.0.0.1");
  await visit.toldOfFailure(messages.serverAddFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await visit.told(messages.serverAdded);
  const server = spare.locator("li[data-address]");
  await visit.toldOfFailure(messages.serverDeleteFailed, () => icon(server, "trash").click());
  await icon(server, "trash").click();
  await visit.told(messages.serverDeleted);
  await server.waitFor({ state: "detached" });

  await icon(spare, "pencil").first().click();
  await visit.walkRules(sectionForms.group, dialog);
  await dialog.locator("[name=name]").fill("Spare 2");
  await submitOf(dialog).click();
  await visit.told(messages.groupUpdated);
  const renamed = page.locator("li", { has: page.getByText("Spare 2", { exact: true }) });
  const remove = async () => {
    await icon(renamed, "trash").first().click();
    await confirmOf(dialog).click();
  };
  await visit.toldOfFailure(messages.groupDeleteFailed, remove);
  await remove();
  await visit.told(messages.groupDeleted);
}

async function walkDomains(
  visit: ServerVisit,
  { call }: Person,
  shield: ShieldFacts,
): Promise<void> {
  const { page } = visit;
  const messages = domainMessages;
  const params = { id: shield.id };
  await visit.toldOfFailure(messages.loadFailed, () => visit.open("domains"));
  const list = (await call(routes.shieldDomains.listDomains, { params })).data;
  const proven = list.domains.map((domain) => ({ ...domain, status: "setup_finished" }));
  const answer = (domains: readonly object[]) => ({ status: 200, body: { ...list, domains } });
  await visit.answering(routes.shieldDomains.listDomains, answer([]), async () => {
    await page.reload();
    await visit.shown(sectionTexts.noDomains);
  });
  await visit.answering(routes.shieldDomains.listDomains, answer(proven), async () => {
    await page.reload();
    await visit.shown(sectionTexts.finished);
  });
  const region = (await call(routes.regions.getRegion, { params })).data;
  const elsewhere = { name: "away", display_name: "Away", value: "away", is_available: true };
  await visit.answering(
    routes.regions.getRegion,
    {
      status: 200,
      body: { ...region, available_regions: [...region.available_regions, elsewhere] },
    },
    async () => {
      await page.reload();
      await visit.toldOfFailure(messages.regionFailed, async () => {
        await page.locator("[name=region]").selectOption("away");
        await page.locator("form:has([name=region]) [type=submit]").click();
      });
    },
  );
  await page.reload();
  await visit.shown(sectionTexts.unfinished);
  await visit.shown(sectionTexts.setup);

  await icon(page.locator("main"), "plus").click();
  const dialog = dialogOf(visit);
  await visit.walkRules(sectionForms.domain, dialog);
  const name = dialog.locator("[name=domain]");
  await name.fill(shield.domain);
  await submitOf(dialog).click();
  await visit.told(serverRefusals.domainExists);
  const second = `second.${shield.domain}`;
  await name.fill(second);
  await visit.toldOfFailure(messages.addFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await visit.told(messages.added);
  // Its records are shown next.
  await dialog.getByText(second).first().waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const item = page.locator("li", { has: page.getByText(second, { exact: true }) });
  await visit.toldOfFailure(messages.removeFailed, () => icon(item, "trash").click());
  await icon(item, "trash").click();
  await visit.told(messages.removed);
}

async function walkCaching(visit: ServerVisit): Promise<void> {
  await visit.open("caching");
  const toggle = visit.page.getByRole("switch").first();
  await visit.toldOfFailure(cachingMessages.updateFailed, () => toggle.click());
  await toggle.click();
  await visit.told(cachingMessages.updated);
}

async function walkMessages(visit: ServerVisit, { call }: Person, id: string): Promise<void> {
  const { page, locale } = visit;
  await visit.toldOfFailure(textMessages.loadFailed, () => visit.open("customization"));
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
      await visit.toldOfFailure(textMessages.updateFailed, () => save.click());
    }
    await save.click();
    await visit.told(textMessages.updated);
  }
  const { data } = await call(routes.serverMessages.getServerMessages, { params: { id } });
  for (const group of kickGroups) expect(data[group]).toEqual(ownTexts(group));
}

async function walkFirewall(visit: ServerVisit, { call }: Person, id: string): Promise<void> {
  const { page } = visit;
  const messages = firewallMessages;
  for (const ip of ["198.51.100.7", "198.51.100.8"]) {
    const body = { type: "blacklist" as const, ip };
    await call(routes.firewall.addFirewallEntry, { params: { id }, body });
  }
  await visit.toldOfFailure(messages.loadFailed, () => visit.open("firewall"));
  await page.reload();
  await visit.walkRules(sectionForms.entry, page.locator("form:has([name=ip])"));
  await page.locator("[name=ip]").fill("198.51.100.7");
  await page.locator("form:has([name=ip]) [type=submit]").click();
  await visit.told(serverRefusals.entryExists);
  const toggle = page.getByRole("switch").first();
  await visit.toldOfFailure(messages.updateFailed, () => toggle.click());
  await toggle.click();
  await visit.told(messages.updated);
  const row = page.locator("tr", { has: page.getByText("198.51.100.7", { exact: true }) });
  await visit.toldOfFailure(messages.removeFailed, () => icon(row, "trash").click());
  await icon(row, "trash").click();
  await visit.told(messages.entryRemoved);
  const clear = async () => {
    // In the tools above the table, not of a row.
    await icon(page.locator("main"), "trash").first().click();
    await confirmOf(dialogOf(visit)).click();
  };
  await visit.toldOfFailure(messages.clearFailed, clear);
  await clear();
  await visit.told(messages.cleared);
  await visit.shown(sectionTexts.noEntries);
}

async function walkSubUsers(visit: ServerVisit): Promise<void> {
  const { page } = visit;
  const messages = subUserMessages;
  await visit.toldOfFailure(messages.loadFailed, () => visit.open("subusers"));
  await page.reload();
  await visit.shown(sectionTexts.noSubUsers);
  await icon(page.locator("main"), "user-plus").click();
  const dialog = dialogOf(visit);
  await visit.walkRules(sectionForms.invitee, dialog);
  const invited = `friend-${visit.locale}@example.com`;
  await dialog.locator("[name=email]").fill(invited);
  await visit.toldOfFailure(messages.addFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await visit.told(messages.added);
  const row = page.locator("tr", { has: page.getByText(invited, { exact: true }) });
  const remove = async () => {
    await icon(row, "trash").click();
    await confirmOf(dialog).click();
  };
  await visit.toldOfFailure(messages.removeFailed, remove);
  await remove();
  await visit.told(messages.removed);
}

async function walkPage(visit: ServerVisit): Promise<void> {
  const { page } = visit;
  const messages = pageMessages;
  const dialog = dialogOf(visit);
  const choose = async (item: string) => {
    await icon(page.locator("main"), "dots").click();
    await page.locator(`[role=menuitem]:has(.tabler-icon-${item})`).click();
  };
  await choose("pencil");
  await visit.walkRules(sectionForms.rename, dialog);
  await dialog.locator("[name=server_name]").fill("Renamed");
  await visit.toldOfFailure(messages.renameFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await visit.told(messages.renamed);

  const load = routes.servers.getServer;
  for (const [status, message] of [
    [404, messages.notFound],
    [403, messages.denied],
    [410, messages.deleted],
    [409, messages.loadFailed],
  ] as const) {
    await visit.answering(load, { status, body: {} }, async () => {
      await visit.open("overview");
      await visit.told(message);
      await page.waitForURL("**/dashboard");
    });
  }
  await visit.open("overview");
  await choose("trash");
  await dialog.locator("input").fill("Renamed");
  await visit.toldOfFailure(messages.removeFailed, () => submitOf(dialog).click());
  await submitOf(dialog).click();
  await visit.told(messages.removed);
}
