import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { firewallRoutes } from "@palisade/contract/http/firewall";
import { attackRoutes } from "@palisade/contract/http/attacks";
import { getInvitation } from "@palisade/contract/http/sub-users";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { datagramAttack } from "./lively-attack.ts";

/** The page of one attack, and the pages behind links: to an attack, and of an invitation. */

const attackId = exampleIds.plan;
const path = `/dashboard/gameshield/${exampleIds.shield}/attacks?attack=${attackId}`;
const fixture = useConsole();

test("an attack that could not be loaded can be tried again", async () => {
  fixture.api.cut(attackRoutes.getAttack);
  const page = await fixture.open(path);
  const alert = page.getByRole("alert").filter({ hasText: "Failed to load the attack" });
  await alert.waitFor();
  await expectSound(page, "failed");
  fixture.api.restore(attackRoutes.getAttack);
  await tryAgain(alert);
  await page.getByRole("heading", { name: "Most frequent networks" }).waitFor();
});

test("an attack of which only the sums are known says so, and why", async () => {
  fixture.api.change(attackRoutes.getAttack, ({ attack }) => ({
    attack: {
      ...attack,
      course: null,
      threshold: null,
      logins: null,
      admitted: null,
      levels: [],
      names: [],
      addresses: [],
      networks: [],
      sample: [],
      players: null,
      addresses_masked: true,
    },
  }));
  const page = await fixture.open(path);
  for (const text of [
    "There is no course of this attack. It is kept for 30 days",
    "No pattern was frequent.",
    "No address was frequent.",
    "No login of this time is in the log any more.",
    "The levels of this attack are not known.",
    "Your role does not include addresses, so they are shortened.",
  ]) {
    await page.getByText(text).first().waitFor();
  }
  await expectSound(page, "sums alone");
});

test("an attack of Bedrock datagrams has their course in place of that of the logins", async () => {
  let peak = 0;
  fixture.api.change(attackRoutes.getAttack, ({ attack }) => {
    const shown = datagramAttack(attack);
    peak = shown.datagrams_peak;
    return { attack: shown };
  });
  const page = await fixture.open(path, { width: 320 });
  const chart = page.getByRole("img", { name: /Bedrock datagrams per second/ });
  await chart.waitFor();
  const amount = new Intl.NumberFormat("en").format(peak);
  await page.getByText(`${amount}/s`, { exact: true }).waitFor();
  for (const name of ["Connections per second", "Refused for", "Most frequent addresses"]) {
    expect(await page.getByRole("heading", { name }).count(), name).toBe(0);
  }
  await expectSound(page, "datagrams");
  fixture.api.change(attackRoutes.getAttack, ({ attack }) => ({
    attack: { ...attack, datagrams_peak: 9_000 },
  }));
  await page.reload();
  await page.getByRole("heading", { name: "Connections per second" }).waitFor();
  await page.getByRole("heading", { name: "Bedrock datagrams per second" }).waitFor();
  expect(await chart.count()).toBe(0);
});

test("one click blocks a source, and can be undone", async () => {
  const { addFirewallEntry, getFirewall, removeFirewallEntry } = firewallRoutes;
  fixture.api.change(getFirewall, (usual) => ({ ...usual, ip_blacklist_enabled: true }));
  const page = await fixture.open(path, { width: 320 });
  await page.getByRole("button", { name: "Block 2001:db8:7:1::/64 in the firewall" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  expect(fixture.api.callsOf(addFirewallEntry).map(({ body }) => body)).toEqual([
    { type: "blacklist", ip: "2001:db8:7:1::/64" },
  ]);
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await until(() => fixture.api.callsOf(removeFirewallEntry).length === 1);
});

test("a source cannot be blocked by a member who may not change the firewall", async () => {
  fixture.state.shield = {
    ...fixture.state.shield,
    role: "member",
    member_role: "custom",
    rights: { ...roleRights.operator, firewall: "view" },
  };
  const page = await fixture.open(path);
  await page.getByRole("list", { name: "Most frequent addresses" }).waitFor();
  expect(await page.getByRole("button", { name: /^Block / }).count()).toBe(0);
});

test("the owner makes a link, which is shown once, and revokes it", async () => {
  fixture.api.say(attackRoutes.revokeAttackShare, { en: "Link revoked", ru: "Ссылка отозвана" });
  const page = await fixture.open(path);
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = await page.getByText("/shared/attack#token=psa_").textContent();
  expect(link).toMatch(/^http.*\/shared\/attack#token=psa_/);
  await expectSound(page, "with a link");
  await page
    .getByRole("button", { name: /^Revoke the link/ })
    .first()
    .click();
  await page.getByText("Link revoked").first().waitFor();
});

test("the page of a link is not for search engines", async () => {
  const page = await fixture.open("/shared/attack#token=psa_link", { isStranger: true });
  await page.getByRole("heading", { name: "Patterns of names" }).waitFor();
  expect(await page.locator('meta[name="robots"]').getAttribute("content")).toContain("noindex");
});

test.each([
  {
    link: "to an attack",
    route: attackRoutes.readSharedAttack,
    path: "/shared/attack#token=psa_link",
    unreachable: "The report could not be loaded",
    gone: "This link does not work",
    content: "Patterns of names",
  },
  {
    link: "of an invitation",
    route: getInvitation,
    path: "/invitation#token=psi_8Zk1pQv4mT7xY2cW9bN3",
    unreachable: "The invitation could not be loaded",
    gone: "This invitation does not work",
    content: "You are invited",
  },
])(
  "a link $link shows that it loads, still works without the server, and has ended",
  async (link) => {
    fixture.api.cut(link.route);
    const page = await fixture.open(link.path, { isStranger: true, width: 320 });
    const alert = page.getByRole("alert").filter({ hasText: link.unreachable });
    await alert.getByText("The link still works.").waitFor();
    await expectSound(page, "without the server");
    const answer = fixture.api.delay(link.route);
    fixture.api.restore(link.route);
    await page.reload();
    await page.getByText("Loading", { exact: true }).first().waitFor({ state: "attached" });
    answer();
    await page.getByRole("heading", { name: link.content }).waitFor();
    fixture.api.refuse(link.route, "not_found");
    await page.reload();
    await page.getByRole("alert").filter({ hasText: link.gone }).waitFor();
    await expectSound(page, "ended");
  },
);
