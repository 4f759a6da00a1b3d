import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { expectSound, expectSoundEverywhere } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

/** The renewal on the overview: a toggle whose change fails, and toggles that may not be used. */

const { servers } = routes;
const path = (section = "") => `/dashboard/gameshield/${exampleIds.shield}${section}`;
const toggleNames = ["Automatic renewal", "Include account balance"] as const;
const toggle = (page: Page, name: string) => page.getByRole("switch", { name });
const fixture = useConsole();

test("a toggle shows the wish at once and goes back when nothing was answered", async () => {
  const page = await fixture.open(path());
  const release = fixture.api.delay(servers.updateOverview);
  fixture.api.cut(servers.updateOverview);
  const wanted = toggle(page, "Automatic renewal");
  await wanted.press("Space");
  await until(async () => !(await wanted.isChecked()), { what: "the wish" });
  expect(await wanted.isDisabled()).toBe(true);
  // Older polled answers that arrive in between do not make it flicker.
  await page.waitForResponse((answer) => answer.url().endsWith("/overview") && answer.ok());
  expect(await wanted.isChecked()).toBe(false);
  release();
  await page.getByText("Failed to update server overview").waitFor();
  await until(() => wanted.isChecked(), { what: "the former setting" });
  expect(await wanted.isEnabled()).toBe(true);
  await expectSound(page, "rolled back");
});

function overviewWith(change: Partial<typeof fixture.state.overview>): void {
  fixture.state.overview = { ...fixture.state.overview, ...change };
}

/** The example's renewal with these differences. */
function renewalWith(change: object) {
  const { renewal } = fixture.state.overview;
  if (renewal === null) throw new Error("The contract has no example of a renewal");
  return { ...renewal, ...change };
}

const panel = (page: Page) => page.getByRole("region", { name: "Renewal" });
const renewNow = (page: Page) => page.getByRole("button", { name: "Renew now" });
const short = { outcome: "short" as const, missing: "6.50", missing_cents: 650 };

describe("an unpaid shield", () => {
  const graceEndsAt = "2026-12-04T00:00:00.000Z";

  test("says until when it is active, in its header too, and is renewed now", async () => {
    overviewWith({ grace_ends_at: graceEndsAt, renewal: renewalWith({ is_due: true }) });
    const page = await fixture.open(path());
    await page.getByText(/Unpaid, active until 4 Dec 2026/).waitFor();
    await page.getByText("Unpaid", { exact: true }).waitFor();
    await panel(page).getByText("The renewal is due. The balance covers it.").waitFor();
    await expectSoundEverywhere(page, "unpaid");
    await renewNow(page).click();
    await page.getByText("Game Shield renewed").waitFor();
    await page.getByText(/Unpaid, active until/).waitFor({ state: "detached" });
    await renewNow(page).waitFor({ state: "detached" });
    const [sent] = fixture.api.callsOf(routes.planChanges.renewServer);
    expect(sent?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("without enough balance leads from Renew now to the recharge with what is missing", async () => {
    overviewWith({ grace_ends_at: graceEndsAt, renewal: renewalWith({ ...short, is_due: true }) });
    fixture.api.refuse(routes.planChanges.renewServer, "insufficient_funds");
    const page = await fixture.open(path());
    await panel(page).getByText("The renewal is due. The balance is short by €6.50.").waitFor();
    await renewNow(page).click();
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("7");
    await page.getByText("Insufficient funds").first().waitFor();
  });

  test("tells a sub-user that its owner can renew it, and nothing of the owner's balance", async () => {
    fixture.state.shield = { ...fixture.state.shield, role: "member" };
    const hidden = { outcome: null, missing: null, missing_cents: null, paid_from: null };
    overviewWith({ grace_ends_at: graceEndsAt, renewal: renewalWith({ ...hidden, is_due: true }) });
    const page = await fixture.open(path());
    await page.getByText("Its owner can renew it. Otherwise").waitFor();
    await panel(page).getByText("The renewal is due. The owner is charged.").waitFor();
    expect(await renewNow(page).count()).toBe(0);
    expect(await page.getByRole("button", { name: /Top up|Recharge balance/ }).count()).toBe(0);
  });
});

test("a renewal that is due can be paid before the period ends, and only then", async () => {
  const page = await fixture.open(path());
  await panel(page).getByText("The renewal is charged on").waitFor();
  expect(await renewNow(page).count()).toBe(0);
  overviewWith({ renewal: renewalWith({ is_due: true }) });
  await renewNow(page).click();
  await page.getByText("Game Shield renewed").waitFor();
});

test("an expired shield is brought back, and says why where the api refuses", async () => {
  fixture.state.shield = { ...fixture.state.shield, status: "expired" };
  overviewWith({ renewal: renewalWith({ is_due: true }) });
  fixture.api.cut(routes.planChanges.renewServer);
  const page = await fixture.open(path());
  await panel(page).getByText("Nothing is charged until the owner renews.").waitFor();
  await renewNow(page).click();
  await page.getByText("Failed to renew").waitFor();
  fixture.api.restore(routes.planChanges.renewServer);
  await renewNow(page).click();
  await page.getByText("Game Shield renewed").waitFor();
  await page.getByText("This shield has expired.").waitFor({ state: "detached" });
  expect(await renewNow(page).count()).toBe(0);
});

test("a saved card is named where it is charged before the balance", async () => {
  overviewWith({ renewal: renewalWith({ paid_from: "card" }) });
  const page = await fixture.open(path());
  await panel(page).getByText("The renewal is charged to your saved card on").waitFor();
  expect(await panel(page).getByText("The balance covers it").count()).toBe(0);
});

test("a balance that will not cover the next renewal is warned of with what is missing", async () => {
  const charge_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  overviewWith({ renewal: renewalWith({ ...short, charge_at }) });
  const page = await fixture.open(path());
  await page.getByText("Low balance.").waitFor();
  await page.getByText(/costs €9\.99\. The balance lacks €6\.50\./).waitFor();
  await expectSoundEverywhere(page, "a low balance");
  await page.getByRole("button", { name: "Recharge balance" }).first().click();
  const modal = page.getByRole("dialog", { name: "Recharge balance" });
  await modal.waitFor();
  expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("7");
});

test("a blocked shield gives its owner the reason in the support's words", async () => {
  fixture.state.shield = { ...fixture.state.shield, status: "blocked" };
  overviewWith({ blocked_reason: "Phishing on play.example.com" });
  const page = await fixture.open(path());
  await page.getByText("Reason: Phishing on play.example.com").waitFor();
  expect(await page.getByText("Ask for the reason").count()).toBe(0);
  expect(await renewNow(page).count()).toBe(0);
});

describe("the month's traffic", () => {
  const traffic = (page: Page) => page.getByRole("region", { name: "Traffic this month" });

  test.each([
    [80, "Most of this month's traffic is used."],
    [100, "This month's traffic is used up. Players can still join for 5 days"],
  ])("at %i percent warns and offers a larger plan", async (percent, text) => {
    overviewWith({ traffic_used_percent: percent });
    const page = await fixture.open(path());
    await traffic(page).getByText(text).waitFor();
    await traffic(page).getByRole("button", { name: "Upgrade plan" }).waitFor();
    expect(await page.getByText("Traffic used up.").count()).toBe(0);
  });

  test("that is used up says that new players cannot join, and until when", async () => {
    overviewWith({ traffic_used_percent: 100, traffic_used_up: true });
    const page = await fixture.open(path());
    await page.getByText("Traffic used up.").waitFor();
    await page.getByText("Traffic used up", { exact: true }).waitFor();
    await page.getByText(/New players cannot join until 1 Dec 2026/).waitFor();
    await expectSoundEverywhere(page, "traffic used up");
    await page.getByRole("button", { name: "Upgrade plan" }).click();
    await page.getByRole("dialog", { name: "Upgrade plan" }).waitFor();
  });
});

test("the list of shields says what is unpaid and out of traffic; an attack comes first", async () => {
  const [one] = fixture.state.shields;
  if (one === undefined) throw new Error("The contract has no example of a shield");
  const unpaid = { ...one, under_attack: false, grace_ends_at: "2026-12-04T00:00:00.000Z" };
  fixture.state.shields = [
    { ...unpaid, server_name: "Late" },
    { ...unpaid, id: exampleIds.plan, server_name: "Full", traffic_used_up: true },
    { ...unpaid, id: exampleIds.other, server_name: "Hit", under_attack: true },
    { ...unpaid, id: exampleIds.user, server_name: "Gone", status: "expired" },
  ];
  const page = await fixture.open("/dashboard");
  const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  for (const [name, state] of [
    ["Late", "Unpaid"],
    ["Full", "Traffic used up"],
    ["Hit", "Under attack"],
    ["Gone", "Expired"],
  ] as const) {
    await card(name).getByText(state, { exact: true }).waitFor();
  }
  await expectSoundEverywhere(page, "states of shields");
});

describe("disabled controls say why", () => {
  test.each([
    ["expired", "This shield has expired."],
    ["blocked", "This shield is blocked."],
  ] as const)("on a shield that is %s", async (status, text) => {
    fixture.state.shield = { ...fixture.state.shield, status };
    const page = await fixture.open(path());
    await page.getByText(text).waitFor();
    await page.getByText("Server must be active to change renewal settings").waitFor();
    await page.getByText("Server must be active to change balance settings").waitFor();
    for (const name of toggleNames) expect(await toggle(page, name).isDisabled()).toBe(true);
    expect(await page.getByRole("link", { name: "Doctor" }).count()).toBe(0);
    await page.getByRole("button", { name: "Firewall" }).press("Enter");
    await page.getByText("Server must be active to access this section", { exact: true }).waitFor();
    await expectSoundEverywhere(page, status);
  });

  test("the address of a locked section leads to the overview", async () => {
    fixture.state.shield = { ...fixture.state.shield, status: "expired" };
    const page = await fixture.open(path("/doctor"));
    await page.getByText("Access denied. Server must be active to access this section").waitFor();
    await page.waitForURL((url) => url.pathname === path());
    expect(await page.getByRole("heading", { name: "Doctor" }).count()).toBe(0);
  });

  test("a sub-user sees the toggles, and that they are the owner's", async () => {
    fixture.state.shield = { ...fixture.state.shield, role: "member" };
    const { renewal } = fixture.state.overview;
    if (renewal === null) throw new Error("The contract has no example of a renewal");
    fixture.state.overview = {
      ...fixture.state.overview,
      renewal: {
        ...renewal,
        outcome: null,
        missing: null,
        missing_cents: null,
        paid_from: null,
      },
    };
    const page = await fixture.open(path());
    await page.getByText("Only the owner can change this").first().waitFor();
    expect(await page.getByText("Only the owner can change this").count()).toBe(2);
    for (const name of toggleNames) {
      expect(await toggle(page, name).isDisabled()).toBe(true);
      expect(await toggle(page, name).isChecked()).toBe(true);
    }
    expect(await page.getByRole("button", { name: "Top up" }).count()).toBe(0);
    await expectSound(page, "as a member");
  });
});
