import { routes } from "@palisade/contract/http/routes";
import { noServerMessages } from "@palisade/contract/http/server-messages";
import { firewallMessages, textMessages } from "@palisade/system-tests/spec/admission-messages";
import { shieldRefusals } from "@palisade/system-tests/spec/all-shield-messages";
import { kickGroups, kickMessages, ownTexts } from "@palisade/system-tests/spec/kick-messages";
import { bedrockMessages } from "@palisade/system-tests/spec/bedrock-messages";
import {
  backendMessages,
  cachingMessages,
  domainMessages,
} from "@palisade/system-tests/spec/network-messages";
import { pageMessages, subUserMessages } from "@palisade/system-tests/spec/overview-messages";
import { sectionForms } from "@palisade/system-tests/spec/section-rules";
import type { Section } from "@palisade/system-tests/spec/shield-message";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import type { ConsoleFixture } from "../console-fixture.ts";
import { newId } from "../stub-api/account-state.ts";
import { checkAnalytics, checkLogs, checkNotifications } from "./activity-checks.ts";
import { checkMitigation } from "./mitigation-checks.ts";
import { sectionTexts } from "./section-texts.ts";
import type { ShieldPageDriver } from "./shield-page-driver.ts";

type Check = (driver: ShieldPageDriver, fixture: ConsoleFixture) => Promise<void>;

/** Each section with every row of the tables that belongs to it. Icons are found by their names. */
export const sectionChecks: Readonly<Record<Section, Check>> = {
  page: checkPage,
  analytics: checkAnalytics,
  logs: checkLogs,
  backends: checkBackends,
  domains: checkDomains,
  mitigation: checkMitigation,
  caching: checkCaching,
  customization: checkMessages,
  "bedrock-geyser": checkBedrock,
  notifications: checkNotifications,
  firewall: checkFirewall,
  subusers: checkSubUsers,
};

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
  { api, state }: ConsoleFixture,
): Promise<void> {
  const { page } = driver;
  const messages = backendMessages;
  const { backends: groups } = state.backends;
  const spareGroups = groups.map((group) => ({
    ...group,
    id: newId(),
    name: "Spare",
    default: false,
    ips: [],
  }));
  state.backends = { ...state.backends, backends: [...groups, ...spareGroups] };
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("backends"));
  api.change(routes.backends.getBackends, (usual) => ({ ...usual, backends: [] }));
  await page.reload();
  await driver.shown(sectionTexts.noGroups);
  api.restore(routes.backends.getBackends);
  await page.reload();
  const spare = page.locator("li", { has: page.getByText("Spare", { exact: true }) });
  await spare.getByText("Spare", { exact: true }).click();
  await driver.shown(sectionTexts.emptyGroup, spare);

  await icon(spare, "plus").click();
  const dialog = dialogOf(driver);
  const send = () => submitOf(dialog).click();
  await driver.checkRules(sectionForms.server, dialog);
  await dialog.locator("[name=ip]").fill("127.0.0.1");
  await driver.toldOfFailure(messages.serverAddFailed, send);
  await driver.toldByApi(messages.serverAdded, send);
  const server = spare.locator("li[data-address]");
  const removeServer = () => icon(server, "trash").click();
  await driver.toldOfFailure(messages.serverDeleteFailed, removeServer);
  await driver.toldByApi(messages.serverDeleted, removeServer);
  await server.waitFor({ state: "detached" });

  await icon(spare, "pencil").first().click();
  await driver.checkRules(sectionForms.group, dialog);
  await dialog.locator("[name=name]").fill("Spare 2");
  await driver.toldByApi(messages.groupUpdated, send);
  const renamed = page.locator("li", { has: page.getByText("Spare 2", { exact: true }) });
  const remove = async () => {
    await icon(renamed, "trash").first().click();
    await confirmOf(dialog).click();
  };
  await driver.toldOfFailure(messages.groupDeleteFailed, remove);
  await driver.toldByApi(messages.groupDeleted, remove);
  // A last group is shown without a way to delete it.
  driver.leave(shieldRefusals.lastGroup);
}

async function checkDomains(
  driver: ShieldPageDriver,
  { api, state }: ConsoleFixture,
): Promise<void> {
  const { page } = driver;
  const messages = domainMessages;
  const { listDomains } = routes.shieldDomains;
  const [own] = state.domains.domains;
  if (own === undefined) throw new Error("The contract has no example of a domain");
  const pending = { ...own, status: "setup_pending" as const, verified_at: null };
  state.domains = { ...state.domains, domains: [pending] };
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("domains"));
  await driver.toldOfFailure(messages.regionsFailed, () => driver.open("domains"));
  api.change(listDomains, (usual) => ({ ...usual, domains: [] }));
  await page.reload();
  await driver.shown(sectionTexts.noDomains);
  api.change(listDomains, (usual) => ({
    ...usual,
    domains: [{ ...own, status: "setup_finished" as const }],
  }));
  await page.reload();
  await driver.shown(sectionTexts.finished);
  api.restore(listDomains);
  api.change(routes.regions.getRegion, (usual) => ({
    ...usual,
    available_regions: [
      ...usual.available_regions,
      { name: "away", display_name: "Away", value: "away", is_available: true },
    ],
  }));
  await page.reload();
  await driver.shown(sectionTexts.unfinished);
  await driver.shown(sectionTexts.setup);
  await driver.toldOfFailure(messages.regionFailed, async () => {
    await page.locator("[name=region]").selectOption("away");
    await page.locator("form:has([name=region]) [type=submit]").click();
  });

  await icon(page.locator("main"), "plus").click();
  const dialog = dialogOf(driver);
  const send = () => submitOf(dialog).click();
  await driver.checkRules(sectionForms.domain, dialog);
  const name = dialog.locator("[name=domain]");
  await name.fill(own.domain);
  await driver.toldByApi(shieldRefusals.domainExists, send);
  const second = `second.${own.domain}`;
  await name.fill(second);
  await driver.toldOfFailure(messages.addFailed, send);
  await driver.toldByApi(messages.added, send);
  // Its records are shown next.
  await dialog.getByText(second).first().waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const item = page.locator("li", { has: page.getByText(second, { exact: true }) });
  const remove = () => icon(item, "trash").click();
  await driver.toldOfFailure(messages.removeFailed, remove);
  await driver.toldByApi(messages.removed, remove);
}

async function checkCaching(driver: ShieldPageDriver): Promise<void> {
  await driver.open("caching");
  const toggle = () => driver.page.getByRole("switch").first().click();
  await driver.toldOfFailure(cachingMessages.updateFailed, toggle);
  await driver.toldByApi(cachingMessages.updated, toggle);
}

async function checkBedrock(driver: ShieldPageDriver, { api }: ConsoleFixture): Promise<void> {
  const { page } = driver;
  const messages = bedrockMessages;
  api.change(routes.bedrock.getBedrock, (usual) => ({ ...usual, add_default_available: true }));
  await driver.open("bedrock-geyser");
  const toggle = () => page.getByRole("switch").first().click();
  await driver.toldOfFailure(messages.updateFailed, toggle);
  await driver.toldByApi(messages.updated, toggle);
  const add = (place: "first" | "last") => async () => {
    const buttons = page.locator("main button:has(.tabler-icon-plus)");
    await buttons[place]().click();
  };
  await driver.toldOfFailure(messages.randomFailed, add("first"));
  await driver.toldByApi(messages.randomAdded, add("first"));
  api.change(routes.bedrock.getBedrock, (usual) => ({ ...usual, add_default_available: true }));
  await page.reload();
  await driver.toldOfFailure(messages.defaultFailed, add("last"));
  await driver.toldByApi(messages.defaultAdded, add("last"));
  const remove = async () => {
    await icon(page.locator("main"), "trash").first().click();
    await confirmOf(dialogOf(driver)).click();
  };
  await driver.toldOfFailure(messages.removeFailed, remove);
  await driver.toldByApi(messages.removed, remove);
  await driver.toldOfFailure(messages.loadFailed, () => page.reload());
}

async function checkMessages(driver: ShieldPageDriver, fixture: ConsoleFixture): Promise<void> {
  const { page, locale } = driver;
  fixture.state.messages = noServerMessages;
  await driver.toldOfFailure(textMessages.loadFailed, () => driver.open("customization"));
  await page.reload();
  const save = () => page.locator("main form [type=submit]").click();
  for (const group of kickGroups) {
    if (group !== "general") await page.locator(`main nav a[href$="tab=${group}"]`).click();
    for (const [name, { label, standard }] of Object.entries(kickMessages[group])) {
      const input = page.getByRole("textbox", { name: label[locale], exact: true });
      const shown = [await input.getAttribute("name"), await input.getAttribute("placeholder")];
      expect(shown).toEqual([name, standard]);
      await input.fill(ownTexts(group)[name] ?? "");
    }
    if (group === "general") await driver.toldOfFailure(textMessages.updateFailed, save);
    await driver.toldByApi(textMessages.updated, save);
  }
  for (const group of kickGroups) expect(fixture.state.messages[group]).toEqual(ownTexts(group));
}

async function checkFirewall(driver: ShieldPageDriver, { state }: ConsoleFixture): Promise<void> {
  const { page } = driver;
  const messages = firewallMessages;
  const entries = ["198.51.100.7", "198.51.100.8"].map((ip) => ({
    id: newId(),
    ip,
    kind: "address" as const,
    created_at: "2026-11-01T12:00:00.000Z",
    note: "",
    expires_at: null,
  }));
  state.firewall = { ...state.firewall, blacklist_ips: entries };
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("firewall"));
  await page.reload();
  await driver.checkRules(sectionForms.entry, page.locator("form:has([name=ip])"));
  await page.locator("[name=ip]").fill("198.51.100.7");
  await driver.toldByApi(shieldRefusals.entryExists, () =>
    page.locator("form:has([name=ip]) [type=submit]").click(),
  );
  const toggle = () => page.getByRole("switch").first().click();
  await driver.toldOfFailure(messages.updateFailed, toggle);
  await driver.toldByApi(messages.updated, toggle);
  const row = page.locator("tr", { has: page.getByText("198.51.100.7", { exact: true }) });
  const remove = () => icon(row, "trash").click();
  await driver.toldOfFailure(messages.removeFailed, remove);
  await driver.toldByApi(messages.entryRemoved, remove);
  const clear = async () => {
    // In the tools above the table, not of a row.
    await icon(page.locator("main"), "trash").first().click();
    await confirmOf(dialogOf(driver)).click();
  };
  await driver.toldOfFailure(messages.clearFailed, clear);
  await driver.toldByApi(messages.cleared, clear);
  await driver.shown(sectionTexts.noEntries);
}

async function checkSubUsers(driver: ShieldPageDriver, { state }: ConsoleFixture): Promise<void> {
  const { page } = driver;
  const messages = subUserMessages;
  state.subUsers = [];
  await driver.toldOfFailure(messages.loadFailed, () => driver.open("subusers"));
  await page.reload();
  await driver.shown(sectionTexts.noSubUsers);
  await icon(page.locator("main"), "user-plus").click();
  const dialog = dialogOf(driver);
  const send = () => submitOf(dialog).click();
  await driver.checkRules(sectionForms.invitee, dialog);
  const invited = "friend@example.com";
  await dialog.locator("[name=email]").fill(invited);
  await driver.toldOfFailure(messages.addFailed, send);
  await driver.toldByApi(messages.added, send);
  const row = page.locator("tr", { has: page.getByText(invited, { exact: true }) });
  const remove = async () => {
    await icon(row, "trash").click();
    await confirmOf(dialog).click();
  };
  await driver.toldOfFailure(messages.removeFailed, remove);
  await driver.toldByApi(messages.removed, remove);
}

async function checkPage(driver: ShieldPageDriver, { api, state }: ConsoleFixture): Promise<void> {
  const { page } = driver;
  const messages = pageMessages;
  const dialog = dialogOf(driver);
  const send = () => submitOf(dialog).click();
  const choose = async (item: string) => {
    await icon(page.locator("main"), "dots").click();
    await page.locator(`[role=menuitem]:has(.tabler-icon-${item})`).click();
  };

  // A shield that is not active shows its overview alone.
  const active = state.shield;
  state.shield = { ...active, status: "expired" };
  await driver.open("firewall");
  await driver.told(messages.lockedAddress);
  await page.locator("nav button[aria-disabled=true]").first().click({ force: true });
  await driver.told(messages.locked);
  state.shield = active;

  await driver.open("overview");
  await choose("pencil");
  await driver.checkRules(sectionForms.rename, dialog);
  await dialog.locator("[name=server_name]").fill("Renamed");
  await driver.toldOfFailure(messages.renameFailed, send);
  await driver.toldByApi(messages.renamed, send);

  for (const [status, message] of [
    [404, messages.notFound],
    [403, messages.denied],
    [410, messages.deleted],
    [409, messages.loadFailed],
  ] as const) {
    api.answerRaw(routes.servers.getServer, {
      status,
      contentType: "application/json",
      body: "{}",
    });
    await driver.open("overview");
    await driver.told(message);
    await page.waitForURL("**/dashboard");
  }
  api.restore(routes.servers.getServer);
  await driver.open("overview");
  await choose("trash");
  await dialog.locator("input").fill("Renamed");
  await driver.toldOfFailure(messages.removeFailed, send);
  await driver.toldByApi(messages.removed, send);
}
