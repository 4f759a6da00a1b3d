import { Resolver } from "node:dns/promises";
import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { pingStatus } from "../minecraft/java-client.ts";
import {
  buyShield,
  startOverviewFixture,
  shieldPath,
  type OverviewFixture,
} from "../overview/fixture.ts";
import {
  createHome,
  parseHostPort,
  removeHome,
  runCommand,
  startPart,
  type HostPort,
  type Part,
} from "../product/palisade.ts";
import { expectSound, watchForErrors } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { hasFocus, tabTo } from "../wizard/keyboard.ts";

/**
 * The Domains section with two real edges behind: what is clicked here is what players find there.
 * Each test has a shield of its own.
 */

const invitation = z.object({ enrolment_token: z.string() });

let zone: FakeZone;
let fixture: OverviewFixture;
let owner: TestAccount;
let shieldId: string;
let serial = 0;
/** Asks the zone as players do. */
let players: Resolver;
let edgeHome: string;
let abroad: Part;
let abroadJava: HostPort;

beforeAll(async () => {
  zone = await startFakeZone();
  const dnsPort = await freePort();
  fixture = await startOverviewFixture({
    PALISADE_DNS_RESOLVERS: zone.address,
    PALISADE_DNS_PORT: String(dnsPort),
  });
  players = new Resolver({ timeout: 5_000, tries: 2 });
  players.setServers([`127.0.0.1:${dnsPort}`]);
  const { palisade } = fixture;
  edgeHome = await createHome();
  const invite = ["edge", "invite", "--name", "fra-1", "--location", "frankfurt"];
  const lines = (await runCommand(palisade.home, invite)).split("\n");
  const { enrolment_token } = invitation.parse(
    JSON.parse(lines.find((line) => line.startsWith("{")) ?? ""),
  );
  abroad = await startPart("edge", edgeHome, {
    PALISADE_API_URL: palisade.consoleUrl,
    PALISADE_EDGE_TOKEN: enrolment_token,
    PALISADE_EDGE_ADDRESSES: "127.0.0.2",
  });
  abroadJava = parseHostPort(abroad.facts["java"] ?? "");
  owner = await createAccount(palisade.consoleUrl, "owner@example.com");
  await fixture.credit(owner, "50");
});

afterEach(async () => {
  await fixture.closePages();
  zone.records = [];
});

afterAll(async () => {
  await abroad?.stop();
  await fixture?.end();
  await zone?.close();
  if (edgeHome !== undefined) await removeHome(edgeHome);
});

/** Whether the edge knows the host: the shield's server is off, which only a shield's own answer says. */
async function isServed(edge: HostPort, host: string): Promise<boolean> {
  return (await pingStatus({ edge, host })).version?.name === "§cOffline";
}

/** The shield of a test, whose server is off. @returns its domain */
async function newShield(): Promise<string> {
  const domain = `play${(serial += 1)}.example.test`;
  shieldId = await buyShield(owner, { plan: "Plus", name: "Skyline", domain, port: 4_009 });
  return domain;
}

async function addDomain(domain: string): Promise<void> {
  const params = { id: shieldId };
  await owner.call(routes.shieldDomains.addDomain, { params, body: { domain } });
}

/** Publishes the record of a domain of the shield, and has it looked at. */
async function finishSetup(domain: string): Promise<void> {
  const { domains, cname_record: label } = await ownDomains();
  const domainId = domains.find((each) => each.domain === domain)?.id ?? "";
  zone.records = [...zone.records, { type: "CNAME", name: domain, value: label }];
  const params = { id: shieldId, domainId };
  const { data } = await owner.call(routes.shieldDomains.checkShieldDomain, { params });
  expect(data.domain.status).toBe("setup_finished");
}

async function ownDomains() {
  const params = { id: shieldId };
  return (await owner.call(routes.shieldDomains.listDomains, { params })).data;
}

const item = (page: Page, domain: string) => page.getByRole("listitem").filter({ hasText: domain });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

describe("the owner's domains", () => {
  test("are added, set up, proven, deleted and brought back, and edges follow each step", async () => {
    const domain = await newShield();
    const page = await fixture.open(owner, shieldPath(shieldId, "/domains"));
    const errors = watchForErrors(page, /422/);
    const { java } = fixture.palisade;
    await item(page, domain).getByText("Setup not finished").waitFor();
    await expectSound(page, "the list");

    // By keyboard: refused in the words of the rule, then added.
    await tabTo(page, page.getByRole("button", { name: "Add domain" }));
    await page.keyboard.press("Enter");
    const adding = dialog(page, "Add domain");
    const field = adding.getByRole("textbox", { name: "Domain" });
    await field.fill("nope");
    await page.keyboard.press("Enter");
    await adding.getByText("Enter a valid domain (play.example.com)").waitFor();
    await hasFocus(page, field);
    await field.fill("MC.Example.Test.");
    await adding.getByText("mc.example.test can be used").waitFor();
    await expectSound(page, "the dialog");
    await page.keyboard.press("Enter");
    await page.getByText(/Domain added successfully: applied on 1\/1 edges/).waitFor();
    expect(await isServed(java, "mc.example.test")).toBe(true);

    // The records, every part of them to be copied.
    const records = dialog(page, "DNS records");
    await records.getByText("No record was found yet.", { exact: false }).waitFor();
    await records.getByText("24-48 hours", { exact: false }).waitFor();
    await expectSound(page, "the records");
    await records.getByRole("tab", { name: "CNAME Record" }).press("ArrowRight");
    await hasFocus(page, records.getByRole("tab", { name: "SRV Record", selected: true }));
    for (const part of ["Service", "Protocol", "Name", "Priority", "Weight", "Port", "Target"]) {
      await records.getByRole("button", { name: `Copy SRV: ${part}` }).waitFor();
    }
    await records.getByText("_minecraft", { exact: true }).waitFor();
    const cname = (await page.getByRole("region", { name: "Protected CNAME" }).textContent()) ?? "";
    const [target = ""] = /[a-z2-7]{12}\.gs\.localhost/.exec(cname) ?? [];
    zone.records = [{ type: "CNAME", name: "mc.example.test", value: target }];
    await records.getByRole("button", { name: "Check now" }).click();
    await records.getByText("CNAME record is correctly set up!").waitFor();
    await page.keyboard.press("Escape");
    await item(page, "mc.example.test").getByText("Setup finished").waitFor();

    // A wildcard: only with its parent proven.
    await page.getByRole("button", { name: "Add domain" }).click();
    await field.fill("*.wild.example.test");
    await adding.getByText("Prove the domain itself first", { exact: false }).waitFor();
    const txt = adding.locator("dl");
    await txt.getByText("_palisade.wild.example.test").waitFor();
    const value =
      (await txt.getByText("palisade-verification=", { exact: false }).textContent()) ?? "";
    await expectSound(page, "the proof of a wildcard");
    const proof = { type: "TXT", name: "_palisade.wild.example.test", value } as const;
    zone.records = [...zone.records, proof];
    await adding.getByRole("button", { name: "Check now" }).click();
    await adding.getByText("The domain is proven. You can add the wildcard now.").waitFor();
    await adding.getByRole("button", { name: "Add domain" }).click();
    await records.getByRole("tab", { name: "TXT Record", selected: true }).waitFor();
    expect(await records.getByRole("tab").count()).toBe(2);
    await records.getByRole("button", { name: "Check now" }).click();
    await item(page, "*.wild.example.test").getByText("Setup finished").waitFor();
    await records.getByRole("button", { name: "Close" }).click();
    await until(() => isServed(java, "lobby.wild.example.test"), { what: "a name below it" });

    // Deleted: gone at the edge at once, and back with one press.
    await page.getByRole("button", { name: "Delete mc.example.test" }).press("Enter");
    await page.getByText(/Domain deleted successfully: applied on 1\/1 edges/).waitFor();
    await page
      .locator("button:focus")
      .and(page.getByRole("button", { name: /^Delete / }))
      .waitFor();
    expect(await isServed(java, "mc.example.test")).toBe(false);
    expect((await ownDomains()).domains).toHaveLength(2);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/Domain restored: applied on 1\/1 edges/).waitFor();
    await item(page, "mc.example.test").getByText("Setup finished").waitFor();
    expect(await isServed(java, "mc.example.test")).toBe(true);
    expect(errors).toEqual([]);
  });

  test("move to another region: its edges serve at once, those of the old one go on", async () => {
    const domain = await newShield();
    await finishSetup(domain);
    await addDomain(`*.${domain}`);
    await addDomain("move.example.test");
    const page = await fixture.open(owner, shieldPath(shieldId, "/domains"));
    const region = page.getByRole("region", { name: "Region" });
    expect(await isServed(abroadJava, domain)).toBe(false);
    const { domains, cname_record: label } = await ownDomains();
    const names = domains.map(({ domain }) => domain);
    await until(async () => (await players.resolve4(label))[0] === "127.0.0.1");
    expect(await region.getByRole("option", { name: "Sweden (not available)" }).isDisabled()).toBe(
      true,
    );
    expect(await region.getByRole("button", { name: "Change region" }).isEnabled()).toBe(false);
    await region.getByRole("combobox", { name: "Region" }).selectOption("frankfurt");
    await region.getByRole("button", { name: "Change region" }).press("Enter");
    await page.getByText(/Region updated successfully: applied on 2\/2 edges/).waitFor();
    await region.getByText(/again in [01]:\d\d/).waitFor();
    await region.getByText(/Players can still join through This machine until/).waitFor();
    expect(await region.getByRole("combobox", { name: "Region" }).isDisabled()).toBe(true);
    await until(async () => (await players.resolve4(label))[0] === "127.0.0.2");
    for (const edge of [fixture.palisade.java, abroadJava]) {
      for (const name of names) {
        expect(await isServed(edge, name.replace("*", "lobby"))).toBe(true);
      }
    }
    await expectSound(page, "the region's countdown");
  });

  test("read well in Russian on the narrowest phone, also where the plan is full", async () => {
    const domain = await newShield();
    await addDomain("finished.example.test");
    await finishSetup("finished.example.test");
    const look = { locale: "ru", theme: "light", width: 320 } as const;
    const page = await fixture.open(owner, shieldPath(shieldId, "/domains"), look);
    await item(page, "finished.example.test").getByText("Настройка завершена").waitFor();
    await expectSound(page, "the list in Russian");
    await page.getByRole("button", { name: `Как настроить ${domain}` }).click();
    const records = dialog(page, "DNS-записи");
    await records.getByRole("tab", { name: "SRV-запись" }).click();
    await records.getByText("Запись пока не найдена", { exact: false }).waitFor();
    await expectSound(page, "the records in Russian");
    await page.keyboard.press("Escape");
    await fixture.closePages();

    const free = await createAccount(fixture.palisade.consoleUrl, "free@example.com");
    const options = { plan: "Free", name: "Free one", domain: "free.example.test" };
    const id = await buyShield(free, options);
    const full = await fixture.open(free, shieldPath(id, "/domains"), { width: 390 });
    await full.getByText("All domains of the plan Free are in use: 1.", { exact: false }).waitFor();
    const add = full.getByRole("button", { name: "Add domain" });
    expect(await add.isEnabled()).toBe(false);
    await full.getByRole("button", { name: "Delete free.example.test" }).click();
    await full.getByText("No domains added yet.").waitFor();
    await hasFocus(full, full.getByRole("heading", { name: "Domains" }));
    await until(() => add.isEnabled(), { what: "a place for a domain" });
    await expectSound(full, "no domain");
  });
});
