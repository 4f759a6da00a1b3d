import type { NetworkRuleList } from "@palisade/contract/http/network-rules";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { numberedId } from "../stub-api/ticket-examples.ts";

const fixture = useConsole();
const firewall = `/dashboard/gameshield/${exampleIds.shield}/firewall`;
const { listNetworkRules, addNetworkRule, removeNetworkRule } = routes.networkRules;
const usual = example(listNetworkRules).rules[0];

function show(change: Partial<NetworkRuleList> = {}): void {
  const rule = (n: number, of: object) => ({ ...usual, id: numberedId(700 + n), ...of });
  const rules = [
    rule(1, { country: "RU", asn: null, network: null, action: "challenge", note: "" }),
    rule(2, { action: "block", note: "Bots since Friday", expires_at: "2020-01-01T00:00:00.000Z" }),
    rule(3, { country: "DE", asn: null, network: null, action: "allow", expires_at: null }),
  ];
  const databases = { countries: true, networks: true };
  fixture.api.change(listNetworkRules, () => ({ rules, databases, ...change }) as NetworkRuleList);
}

const panel = (page: Page) =>
  page.getByRole("region", { name: /Countries and networks|Страны и сети/ });

test("rules are named in the reader's language, with what they do and when they end", async () => {
  show();
  const page = await fixture.open(firewall, { width: 320, locale: "ru" });
  await panel(page).getByText("Германия").waitFor();
  await panel(page).getByText("AS64496").waitFor();
  await panel(page)
    .getByText(/^Срок истёк/)
    .waitFor();
  await expectSound(page, "rules on a phone");
});

test("a country is found by its name, and its rule is sent with its action, note and end", async () => {
  show();
  const page = await fixture.open(firewall);
  await panel(page).getByRole("button", { name: "Add rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await dialog.getByText("Choose a country of the list").waitFor();
  await expectSound(page, "form of a rule");
  await dialog.getByLabel("Country", { exact: true }).fill("netherlands");
  await dialog.getByRole("radio", { name: "Challenge" }).check();
  await dialog.getByLabel("Note").fill("Attack of Friday");
  await dialog.getByLabel("Ends").selectOption("In 1 day");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(addNetworkRule).map(({ body }) => body)).toEqual([
    {
      country: "NL",
      action: "challenge",
      note: "Attack of Friday",
      expires_at: expect.stringMatching(/Z$/),
    },
  ]);
});

test("a network is its number; a refusal is shown beside it", async () => {
  show({ rules: [] });
  const page = await fixture.open(firewall);
  await panel(page).getByText("No rules yet").waitFor();
  await panel(page).getByRole("button", { name: "Add rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Rule for").selectOption("A network (AS number)");
  const field = dialog.getByLabel("Network");
  await field.fill("hosting");
  await field.press("Enter");
  await dialog.getByText("Enter the number of a network, such as AS64496").waitFor();
  const words = { en: "There is a rule for it already", ru: "Для этого уже есть правило" };
  fixture.api.say(addNetworkRule, words, { code: "entry_exists", field: "asn" });
  await field.fill("as 64496");
  await field.press("Enter");
  await dialog.getByText("There is a rule for it already").waitFor();
  expect(fixture.api.callsOf(addNetworkRule)[0]?.body).toMatchObject({ asn: 64_496 });
});

test("a removed rule can be brought back as it was", async () => {
  show();
  const page = await fixture.open(firewall);
  await panel(page).getByRole("button", { name: "Delete the rule for Germany" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await until(() => fixture.api.callsOf(addNetworkRule).length === 1);
  expect(fixture.api.callsOf(removeNetworkRule)).toHaveLength(1);
  expect(fixture.api.callsOf(addNetworkRule)[0]?.body).toMatchObject({
    country: "DE",
    action: "allow",
    note: usual?.note,
    expires_at: null,
  });
});

test("without databases the panel says that rules have no effect", async () => {
  const databases = { countries: false, networks: false };
  show({ rules: [], databases });
  const page = await fixture.open(firewall);
  await panel(page).getByText("No databases of addresses").waitFor();
  await expectSound(page, "no databases");
  show({ databases });
  await page.reload();
  await panel(page)
    .getByText(/these rules have no effect/)
    .waitFor();
  show({ databases: { countries: true, networks: false } });
  await page.reload();
  await panel(page)
    .getByText(/rules for networks have no effect/)
    .waitFor();
});

test("a member who only reads sees the rules without buttons", async () => {
  show();
  const { shield } = fixture.state;
  const rights = roleRights.viewer;
  fixture.state.shield = { ...shield, role: "member", member_role: "viewer", rights };
  const page = await fixture.open(firewall);
  await panel(page).getByText("Germany").waitFor();
  expect(await panel(page).getByRole("button").count()).toBe(0);
  await expectSound(page, "rules of a reader");
});
