import { routes } from "@palisade/contract/http/routes";
import { sampledLocales } from "@palisade/system-tests/screens/samples";
import { settled } from "@palisade/system-tests/screens/inspect";
import { amountRules } from "@palisade/system-tests/spec/recharge-rules";
import type { FieldRule, Texts } from "@palisade/system-tests/spec/rules";
import { addressRules, domainRules, nameRules } from "@palisade/system-tests/spec/wizard-rules";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { planIds } from "../stub-api/account-state.ts";
import { example } from "../stub-api/example-answer.ts";
import { dashboardTexts, overviewTexts, rechargeTexts, wizardTexts } from "./page-texts.ts";

/** Every rule and message of wizard, dashboard, overview and recharge modal, as the pages show it. */

const { billing, domains, plans, profile, servers } = routes;
const fixture = useConsole();

/** An answer without a message of its own: the page must show its own text. */
const wordless = { status: 502, contentType: "text/html", body: "Bad gateway" };

const draft = {
  pricing_plan_id: planIds.free,
  server_name: "Skyline",
  real_ip: "203.0.113.10",
  real_port: "25565",
  location: example(plans.listLocations).locations[0]?.name ?? "",
  domain: "play.example.com",
  price_cents: 0,
};
/** Its domain is known to be free, and its label is reserved. */
const checkedDraft = {
  ...draft,
  free_domain: draft.domain,
  cname_record: example(servers.generateCname).cname_record,
};

describe.each(sampledLocales)("in %s", (locale) => {
  let page: Page;
  const say = (texts: Texts): string => texts[locale];
  const shown = (texts: Texts) => page.getByText(say(texts), { exact: true }).first();
  const expectShown = (texts: Texts) => shown(texts).waitFor();
  const press = (texts: Texts) =>
    page
      .getByRole("button", { name: say(texts), exact: true })
      .first()
      .click();
  const field = (texts: Texts) => page.getByRole("textbox", { name: say(texts), exact: true });
  const expectStep = (index: number) =>
    page
      .getByRole("heading", {
        name: say(wizardTexts.steps[index] ?? wizardTexts.next),
        exact: true,
      })
      .waitFor();

  const open = async (path: string): Promise<void> => {
    page = await fixture.open(path, { locale });
  };

  /** The wizard at that step, with everything before it filled in. */
  async function openStep(search: string, filledIn: object = draft): Promise<void> {
    page = await fixture.open(`/dashboard/setup${search}`, {
      locale,
      prepare: (opened) =>
        opened.addInitScript(
          `sessionStorage.setItem("setup_draft", ${JSON.stringify(JSON.stringify(filledIn))})`,
        ),
    });
  }

  async function expectRefusals(
    rules: readonly FieldRule[],
    labels: Readonly<Record<string, Texts>>,
  ) {
    for (const rule of rules) {
      const label = labels[rule.field];
      if (typeof rule.typed !== "string" || label === undefined) continue;
      const input = field(label);
      const right = await input.inputValue();
      await input.fill(rule.typed);
      await press(wizardTexts.next);
      await expectShown(rule);
      await expectShown(wizardTexts.invalid);
      await input.fill(right);
    }
  }

  test("an empty dashboard says what it is for, with the four figures", async () => {
    fixture.state.shields = [];
    await open("/dashboard");
    for (const texts of [...dashboardTexts.stats, ...dashboardTexts.empty])
      await expectShown(texts);
    await expectShown(dashboardTexts.servers);
    expect(await page.getByRole("link", { name: say(dashboardTexts.add) }).count()).toBeGreaterThan(
      0,
    );
  });

  test("a dashboard that cannot be loaded says what failed", async () => {
    for (const route of [profile.getDashboard, servers.listServers]) {
      fixture.api.answerRaw(route, wordless);
    }
    page = await fixture.page({ locale });
    await page.goto("/dashboard");
    for (const texts of dashboardTexts.errors) await expectShown(texts);
  });

  test("the recharge modal holds to every rule and says so", async () => {
    const modal = rechargeTexts;
    fixture.state.transactions = [];
    fixture.api.change(billing.getPaymentOptions, (usual) => ({ ...usual, maximum: 1_000 }));
    await open("/dashboard/billing");
    await expectShown(modal.empty);
    await press(modal.open);
    for (const texts of modal.summary) await expectShown(texts);
    await press(modal.apply);
    await expectShown(modal.amountFirst);
    for (const rule of amountRules.filter(({ typed }) => typed)) {
      await field(modal.amount).fill(rule.typed || "");
      await page.getByRole("button", { name: modal.pay[locale] }).click();
      await expectShown(rule);
    }
    await field(modal.amount).fill("");
    await field(modal.amount).pressSequentially("1e-3.0");
    expect(await field(modal.amount).inputValue()).toMatch(/^\d*$/);
    await field(modal.amount).fill("20");
    await field(modal.coupon).fill("NOSUCHCODE");
    await press(modal.apply);
    await expectShown(modal.badCode);
    await field(modal.coupon).fill("WELCOME10");
    await press(modal.apply);
    const applied = page.getByText(say(modal.applied));
    await applied.waitFor();
    // Editing the amount clears what was applied.
    await field(modal.amount).fill("30");
    await applied.waitFor({ state: "detached" });
    await field(modal.coupon).fill("");
    fixture.api.answerRaw(billing.createStripeIntent, wordless);
    await page.getByRole("button", { name: modal.pay[locale] }).click();
    await expectShown(modal.error);
    expect(await field(modal.amount).inputValue()).toBe("30");
  });

  test("a plan the balance does not cover keeps the wizard from going on", async () => {
    await open("/dashboard/setup");
    await expectStep(0);
    await page.getByRole("radio", { name: /^Plus/ }).check();
    await press(wizardTexts.next);
    await expectShown(wizardTexts.insufficient);
    await expectStep(0);
    await page.getByRole("radio", { name: /^Free/ }).check();
    await press(wizardTexts.next);
    await expectStep(1);
  });

  test("names are held to their rules", async () => {
    await openStep("?step=2");
    await expectRefusals(nameRules, { server_name: wizardTexts.name });
    await press(wizardTexts.next);
    await expectStep(2);
  });

  test("addresses are held to their rules", async () => {
    await openStep("?step=3");
    await expectRefusals(addressRules, { real_ip: wizardTexts.ip, real_port: wizardTexts.port });
    await press(wizardTexts.next);
    await expectStep(3);
    await press(wizardTexts.next);
    await expectStep(4);
  });

  test("domains are held to their rules, and to who has them", async () => {
    await openStep("?step=5");
    await expectRefusals(domainRules, { domain: wizardTexts.domain });
    fixture.api.refuse(domains.checkDomain, "domain_in_use");
    await field(wizardTexts.domain).fill("label.gs.localhost");
    await expectShown(wizardTexts.inUse);
    fixture.api.answerRaw(domains.checkDomain, wordless);
    await field(wizardTexts.domain).fill("other.example.com");
    await expectShown(wizardTexts.domainError);
    fixture.api.restore(domains.checkDomain);
    await field(wizardTexts.domain).fill(draft.domain);
    await press(wizardTexts.next);
    await page.getByRole("button", { name: say(wizardTexts.check), exact: true }).waitFor();
  });

  test("the record is looked at, and what was seen is told", async () => {
    await openStep("?step=5&part=records", checkedDraft);
    fixture.api.change(domains.checkCname, (usual) => ({ ...usual, verified: false }));
    await press(wizardTexts.check);
    await expectShown(wizardTexts.cnameWrong);
    fixture.api.answerRaw(domains.checkCname, wordless);
    await press(wizardTexts.check);
    await expectShown(wizardTexts.cnameError);
    fixture.api.restore(domains.checkCname);
    await press(wizardTexts.check);
    await expectShown(wizardTexts.cnameRight);
    await expectStep(5);
    await press(wizardTexts.back);
    await press(wizardTexts.next);
    await press(wizardTexts.skip);
    await expectStep(5);
  });

  test("the confirmation says what is debited, what failed, and what was made", async () => {
    fixture.state.shields = [];
    await openStep("?step=6", checkedDraft);
    await expectShown(wizardTexts.debited);
    fixture.api.answerRaw(servers.createServer, wordless);
    await press(wizardTexts.create);
    await expectShown(wizardTexts.createError);
    fixture.api.say(servers.createServer, wizardTexts.created);
    await press(wizardTexts.create);
    await expectShown(wizardTexts.created);
    await page.waitForURL("**/dashboard");
    await expectShown(dashboardTexts.owned);
  });

  test("a record cannot be checked before its target is there", async () => {
    fixture.api.cut(servers.generateCname);
    await openStep("?step=5");
    await press(wizardTexts.next);
    await press(wizardTexts.check);
    await expectShown(wizardTexts.noCname);
  });

  test("the toggles of the overview say what they did, what failed and why they are locked", async () => {
    const overview = overviewTexts;
    const toggle = (texts: Texts) => page.getByRole("switch", { name: say(texts) });
    fixture.state.overview = { ...fixture.state.overview, expires_at: null };
    await open(`/dashboard/gameshield/${fixture.state.shield.id}`);
    await expectShown(overview.never);
    fixture.api.say(servers.updateOverview, overview.renewalChanged);
    await toggle(overview.renewal).click();
    await expectShown(overview.renewalChanged);
    fixture.api.answerRaw(servers.updateOverview, wordless);
    await toggle(overview.balance).click();
    await expectShown(overview.failed);
    fixture.api.say(servers.updateOverview, overview.balanceChanged);
    await page.reload();
    await settled(page);
    await toggle(overview.balance).click();
    await expectShown(overview.balanceChanged);

    fixture.state.shield = { ...fixture.state.shield, status: "expired" };
    await page.reload();
    await settled(page);
    await expectShown(overview.renewalLocked);
    await expectShown(overview.balanceLocked);
    expect(await toggle(overview.renewal).isDisabled()).toBe(true);
  });
});
