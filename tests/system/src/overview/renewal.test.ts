import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectSound } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { buyShield, startOverviewFixture, shieldPath, type OverviewFixture } from "./fixture.ts";

/** The renewal on the overview: what is foreseen, the toggles, and when they may not be used. */

let fixture: OverviewFixture;
let owner: TestAccount;
let shieldId: string;
const toggleNames = ["Automatic renewal", "Include account balance"] as const;

beforeAll(async () => {
  fixture = await startOverviewFixture();
  owner = await createAccount(fixture.palisade.consoleUrl, "renewal@example.com");
  await fixture.credit(owner, "20");
  shieldId = await buyShield(owner, {
    plan: "Plus",
    name: "Skyline",
    domain: "renewal.example.com",
  });
});

afterEach(async () => {
  await fixture.closePages();
  await fixture.setStatus(shieldId, "active");
  await fixture.database.query(
    `update shields set automatic_renewal = true, include_balance = true,
      automatic_renewal_changed_at = null, include_balance_changed_at = null where id = $1`,
    [shieldId],
  );
});

afterAll(() => fixture?.end());

const renewal = (page: Page): Locator => page.getByRole("region", { name: /Renewal|Продление/ });
const toggle = (page: Page, name: string): Locator => page.getByRole("switch", { name });

async function overviewOf(account = owner) {
  return (await account.call(routes.servers.getOverview, { params: { id: shieldId } })).data;
}

test("a free plan has no renewal", async () => {
  const free = await createAccount(fixture.palisade.consoleUrl, "no-renewal@example.com");
  const id = await buyShield(free, {
    plan: "Free",
    name: "Free one",
    domain: "no-renewal.example.com",
  });
  const page = await fixture.open(free, shieldPath(id));
  await renewal(page).getByText("This plan costs nothing: there is nothing to renew.").waitFor();
  const connect = page.getByRole("region", { name: "Connect address" });
  await connect.getByText("Never", { exact: true }).waitFor();
  await expectSound(page, "free plan");
});

describe("the forecast", () => {
  test("says that the balance covers the next month, and when it is charged", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId));
    await renewal(page).getByText("Covered", { exact: true }).waitFor();
    await renewal(page).getByText("€9.00").waitFor();
    await renewal(page)
      .getByText(/The renewal is charged on \d+ \w+ \d{4}\. The balance covers it\./)
      .waitFor();
    await renewal(page)
      .getByText("Renewal tries credit cards first, then the account balance if it is included.")
      .waitFor();
    expect(await renewal(page).getByRole("button", { name: "Top up" }).count()).toBe(0);
  });

  test("says what is missing, and the way out tops up at least as much", async () => {
    const poor = await createAccount(fixture.palisade.consoleUrl, "poor@example.com");
    await fixture.credit(poor, "11.50");
    const id = await buyShield(poor, { plan: "Plus", name: "Poor", domain: "poor.example.com" });
    const page = await fixture.open(poor, shieldPath(id));
    await renewal(page).getByText("Not covered").waitFor();
    await renewal(page).getByText("The balance is short by €6.50.").waitFor();
    await expectSound(page, "short");
    await renewal(page).getByRole("button", { name: "Top up" }).click();
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("7");
  });

  test("says that nothing will be charged, and until when players are protected", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId));
    await toggle(page, "Automatic renewal").press("Space");
    await renewal(page)
      .getByText(/Nothing will be charged: protection ends on/)
      .waitFor();
    await renewal(page).getByText("Off", { exact: true }).waitFor();
    await toggle(page, "Include account balance").press("Space");
    await page.getByText("Include account balance changed").waitFor();
    await fixture.database.query("update shields set automatic_renewal = true where id = $1", [
      shieldId,
    ]);
    await renewal(page)
      .getByText(/No card is stored and the balance is not included, so nothing can be charged/)
      .waitFor();
    expect((await overviewOf()).renewal?.outcome).toBe("off");
  });
});

describe("a toggle", () => {
  test.each([
    ["Automatic renewal", "automatic_renewal", "Automatic renewal changed"],
    ["Include account balance", "include_balance", "Include account balance changed"],
  ] as const)("%s is saved, said, and locked for 5 seconds", async (name, field, text) => {
    const page = await fixture.open(owner, shieldPath(shieldId), {
      prepare: async (opened) => opened.clock.install(),
    });
    await page.clock.pauseAt(Date.now() + 60_000);
    await toggle(page, name).press("Space");
    await until(
      async () => {
        await page.clock.runFor(1);
        return page.getByText(text).isVisible();
      },
      { what: text },
    );
    expect((await overviewOf())[field]).toBe(false);
    expect(await toggle(page, name).isDisabled()).toBe(true);
    // The other one is not locked by it.
    const other = toggleNames.find((candidate) => candidate !== name) ?? name;
    expect(await toggle(page, other).isEnabled()).toBe(true);
    await page.clock.runFor(4_000);
    expect(await toggle(page, name).isDisabled()).toBe(true);
    await page.clock.runFor(1_000);
    await until(() => toggle(page, name).isEnabled(), { what: `${name} unlocked` });
    expect(await toggle(page, name).isChecked()).toBe(false);
  });

  test("that was changed elsewhere a moment ago is refused with the server's reason", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId));
    const off = { params: { id: shieldId }, body: { automatic_renewal: false } };
    await owner.call(routes.servers.updateOverview, off);
    const wanted = toggle(page, "Automatic renewal");
    await until(async () => !(await wanted.isChecked()), { what: "the change made elsewhere" });
    const refused = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await wanted.press("Space");
    const answer = await refused;
    expect(answer.status()).toBe(429);
    expect(Number(answer.headers()["retry-after"])).toBeGreaterThan(0);
    await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor();
    await until(async () => !(await wanted.isChecked()), { what: "the rollback" });
    expect(await wanted.isDisabled()).toBe(true);
    await until(() => wanted.isEnabled(), { what: "the end of the lock" });
  });

  test("is refused with the server's reason for a shield that is not active any more", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId));
    // The page has not heard of it yet.
    await page.route("**/overview", (route) =>
      route.request().method() === "PUT" ? route.continue() : route.abort(),
    );
    await fixture.setStatus(shieldId, "expired");
    const refused = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await toggle(page, "Include account balance").press("Space");
    expect((await refused).status()).toBe(409);
    await page.getByText("Server must be active to change balance settings").first().waitFor();
    await until(() => toggle(page, "Include account balance").isChecked(), {
      what: "the rollback",
    });
  });
});

test("a deleted shield leads to the dashboard", async () => {
  await fixture.setStatus(shieldId, "deleted");
  const page = await fixture.open(owner, shieldPath(shieldId), { unsettled: true });
  await page.getByText("Server has been deleted. Redirecting to dashboard...").first().waitFor();
  await page.waitForURL("**/dashboard");
  await page.getByText("Nothing to display").waitFor();
  expect(await page.getByRole("link", { name: "Skyline" }).count()).toBe(0);
});

describe("in Russian", () => {
  test("the forecast, the toggles and the reasons are there", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId), { locale: "ru", width: 320 });
    await renewal(page).getByText("Средств хватает").waitFor();
    await toggle(page, "Автоматическое продление").press("Space");
    await page.getByText("Автоматическое продление изменено").waitFor();
    await renewal(page)
      .getByText(/Ничего не спишется: защита закончится/)
      .waitFor();
    await expectSound(page, "overview in Russian");
    await fixture.setStatus(shieldId, "expired");
    await page.getByText("Срок щита истёк.").waitFor();
    await page.getByText("Чтобы менять настройки продления, сервер должен быть активен").waitFor();
  });
});
