import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  button,
  choosePlan,
  cnameTarget,
  enterName,
  goToConfirmation,
  heading,
  textbox,
  wizardTexts,
} from "../console/wizard.ts";
import { settled } from "../screens/inspect.ts";
import type { TestAccount } from "../screens/accounts.ts";
import { shieldsAndBalanceOf, startWizardFixture, type WizardFixture } from "./fixture.ts";

/** Typed values are kept, and a shield is bought only once. */

let fixture: WizardFixture;

beforeAll(async () => {
  fixture = await startWizardFixture();
});

afterEach(async () => {
  await fixture?.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

const en = wizardTexts.en;
const plus = { plan: /^Plus/ };
const plusCents = 900;
const options = (domain: string) => ({
  name: "Skyline",
  address: "127.0.0.1",
  port: 25_565,
  domain,
});

/** Everything the confirmation says, without what differs between visits. */
async function summary(page: Page): Promise<string> {
  await settled(page);
  return page.locator("form dl").first().innerText();
}

/** The `Idempotency-Key` of every purchase this page sends, in order. */
function watchKeys(page: Page): string[] {
  const keys: string[] = [];
  page.on("request", (request) => {
    const isPurchase = request.method() === "POST" && request.url().endsWith("/api/v1/servers");
    if (isPurchase) keys.push(request.headers()["idempotency-key"] ?? "");
  });
  return keys;
}

async function bought(page: Page): Promise<void> {
  await page.getByText("GameShield created!").waitFor();
  await page.waitForURL("**/dashboard");
}

describe("typed values", () => {
  test("survives Back, a reload and an ended session", async () => {
    const buyer = await fixture.buyer();
    const page = await fixture.open(buyer, "/dashboard/setup");
    const label = await goToConfirmation(page, options("kept.example.com"));
    const shown = await summary(page);
    expect(shown).toContain(label);

    for (let step = 6; step > 1; step -= 1) await page.goBack();
    await page.reload();
    await page.goto("/dashboard/setup?step=6");
    await heading(page, en.steps[5]).waitFor();
    expect(await summary(page)).toBe(shown);

    await buyer.call(routes.auth.logout, {});
    await button(page, en.create).click();
    await page.waitForURL(/\/login\?next=.*step/);
    await page.getByLabel("Email", { exact: true }).fill(buyer.email);
    await page.getByLabel("Password", { exact: true }).fill(buyer.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await heading(page, en.steps[5]).waitFor();
    expect(await summary(page)).toBe(shown);
    await button(page, en.create).click();
    await bought(page);
  });

  test("by an older version of the console is taken over", async () => {
    const former = { server_name: "Lobby", real_ip: "203.0.113.5", real_port: 25_570, extra: [] };
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup", {
      prepare: (opened) =>
        opened.addInitScript(
          `sessionStorage.setItem("setup_draft", ${JSON.stringify(JSON.stringify(former))})`,
        ),
    });
    await choosePlan(page, /^Free/);
    expect(await textbox(page, en.name).inputValue()).toBe("Lobby");
    await button(page, en.next).click();
    await heading(page, en.steps[2]).waitFor();
    expect(await textbox(page, en.port).inputValue()).toBe("25570");
  });

  test.each(["en", "ru"] as const)(
    "waits out a lost connection, which is told, in %s",
    async (locale) => {
      const texts = wizardTexts[locale];
      const buyer = await fixture.buyer();
      const page = await fixture.open(buyer, "/dashboard/setup", { locale });
      const domain = `offline-${locale}.example.com`;
      await goToConfirmation(page, options(domain), { texts });
      await page.context().setOffline(true);
      const offline = page.getByText(locale === "en" ? "You are offline." : "Нет подключения");
      await offline.waitFor();
      await button(page, texts.create).click();
      await page
        .getByText(locale === "en" ? "Error creating GameShield" : "Не удалось создать GameShield")
        .waitFor();
      await page.context().setOffline(false);
      await offline.waitFor({ state: "detached" });
      await button(page, texts.create).click();
      await page.waitForURL("**/dashboard");
      expect((await shieldsAndBalanceOf(buyer)).shields).toBe(1);
    },
  );
});

describe("one purchase", () => {
  /** Walks to the confirmation with enough money for more than one. */
  async function ready(
    domain: string,
  ): Promise<{ buyer: TestAccount; page: Page; keys: string[] }> {
    const buyer = await fixture.buyer(30);
    const page = await fixture.open(buyer, "/dashboard/setup");
    await goToConfirmation(page, options(domain), plus);
    return { buyer, page, keys: watchKeys(page) };
  }

  test("by a double click and a held Enter", async () => {
    const { buyer, page, keys } = await ready("double.example.com");
    await button(page, en.create).dblclick();
    for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press("Enter");
    await bought(page);
    expect(keys).toHaveLength(1);
    expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 3_000 - plusCents });
  });

  test("though its answer was lost and the page loaded anew before trying again", async () => {
    const { buyer, page, keys } = await ready("lost.example.com");
    await page.route("**/api/v1/servers", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      return route.abort();
    });
    await button(page, en.create).click();
    await page.getByText("Error creating GameShield").waitFor();
    await page.getByText("The connection was lost before an answer came.").waitFor();
    await page.unroute("**/api/v1/servers");
    expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 3_000 - plusCents });

    await page.reload();
    await page.getByText("The connection was lost before an answer came.").waitFor();
    await button(page, en.create).click();
    await bought(page);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 3_000 - plusCents });
  });

  test.each([
    ["the same again", null],
    ["under another name", "Skyline Two"],
  ])("with the last money, the answer lost, then sent %s", async (_, newName) => {
    const buyer = await fixture.buyer(9);
    const page = await fixture.open(buyer, "/dashboard/setup");
    await goToConfirmation(page, options(`last${newName?.length ?? ""}.example.com`), plus);
    await page.route("**/api/v1/servers", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      return route.abort();
    });
    await button(page, en.create).click();
    await page.getByText("The connection was lost before an answer came.").waitFor();
    await page.unroute("**/api/v1/servers");

    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Add server" }).first().click();
    await heading(page, en.steps[5]).waitFor();
    if (newName !== null) {
      await page.getByRole("link", { name: "Change: Server name" }).click();
      await enterName(page, newName);
      await page.getByRole("link", { name: "Confirmation" }).click();
      await heading(page, en.steps[5]).waitFor();
    }
    await button(page, en.create).click();
    await bought(page);
    expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 0 });
  });

  test("while a first submit is still worked on: the second waits for its answer", async () => {
    const { buyer, page, keys } = await ready("slow.example.com");
    let calls = 0;
    await page.route("**/api/v1/servers", async (route) => {
      if (route.request().method() !== "POST" || calls > 0) return route.continue();
      calls += 1;
      return route.fulfill({
        status: 409,
        contentType: "application/problem+json",
        json: {
          type: "about:blank",
          title: "Conflict",
          status: 409,
          code: "idempotency_in_progress",
          message: "still running",
          issues: [],
        },
      });
    });
    await button(page, en.create).click();
    await bought(page);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect((await shieldsAndBalanceOf(buyer)).shields).toBe(1);
  });

  test("at the price that was seen: a changed price is shown and has to be confirmed", async () => {
    const { buyer, page } = await ready("price.example.com");
    const setPrice = (cents: number) =>
      fixture.database.query("update pricing_plans set price_cents = $1 where slug = 'plus'", [
        cents,
      ]);
    try {
      await setPrice(1_100);
      await button(page, en.create).click();
      const change = page.getByRole("alert").filter({ hasText: "The price of Plus has changed" });
      await change.filter({ hasText: "€9.00" }).filter({ hasText: "€11.00" }).waitFor();
      expect(await button(page, en.create).isDisabled()).toBe(true);
      expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 0, cents: 3_000 });
      await page.reload();
      await button(page, "Accept €11.00").click();
      await page.getByText("€19.00").first().waitFor();
      await button(page, en.create).click();
      await bought(page);
      expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 1_900 });
    } finally {
      await setPrice(plusCents);
    }
  });

  test("is blocked where the balance was spent elsewhere, and offers to recharge it", async () => {
    const buyer = await fixture.buyer(9);
    const [page, other] = [
      await fixture.open(buyer, "/dashboard/setup"),
      await fixture.open(buyer, "/dashboard/setup"),
    ];
    await goToConfirmation(page, options("one.example.com"), plus);
    await goToConfirmation(other, options("two.example.com"), plus);
    await button(page, en.create).click();
    await bought(page);
    await button(other, en.create).click();
    const short = other.getByRole("status").filter({ hasText: "Insufficient funds" });
    await short.waitFor();
    expect(await button(other, en.create).isDisabled()).toBe(true);
    await short.getByRole("button", { name: "Recharge balance" }).waitFor();
    expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 0 });
  });
});

describe("a refusal by the server", () => {
  test("leads back to the step of its field, with everything kept", async () => {
    const domain = "raced.example.com";
    const [slow, quick] = [await fixture.buyer(), await fixture.buyer()];
    const page = await fixture.open(slow, "/dashboard/setup");
    await goToConfirmation(page, options(domain));

    const { cname_record: label } = (await quick.call(routes.servers.generateCname, {})).data;
    fixture.zone.records = [{ type: "CNAME", name: domain, value: label }];
    const body = { domain, cname_record: label };
    const { data: check } = await quick.call(routes.domains.checkCname, { body });
    expect(check.verified).toBe(true);
    const { plans } = (await quick.call(routes.plans.listPricingPlans, {})).data;
    await quick.call(routes.servers.createServer, {
      body: {
        ...body,
        pricing_plan_id: plans.find(({ price_cents: cents }) => cents === 0)?.id ?? "",
        server_name: "Quick",
        real_ip: "127.0.0.1",
        real_port: 25_565,
        location: "local",
      },
    });

    await button(page, en.create).click();
    await heading(page, en.steps[4]).waitFor();
    await page.getByText("Please fix validation errors first").waitFor();
    await page.getByText("This domain is already in use").first().waitFor();
    expect(await textbox(page, en.domain).inputValue()).toBe(domain);
    await textbox(page, en.domain).fill("other.example.com");
    await button(page, en.next).click();
    await heading(page, en.records).waitFor();
    await button(page, en.skip).click();
    await heading(page, en.steps[5]).waitFor();
    await button(page, en.create).click();
    await bought(page);
    expect((await shieldsAndBalanceOf(slow)).shields).toBe(1);
  });

  test("a lost reservation is replaced, and a buyer who went on is not led back", async () => {
    const buyer = await fixture.buyer();
    const page = await fixture.open(buyer, "/dashboard/setup");
    const label = await goToConfirmation(page, options("gone.example.com"));
    await fixture.database.query("delete from cname_reservations where cname_record = $1", [label]);
    // The page asks for a new reservation after the refusal; its answer comes late.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const plans = "**/api/v1/servers/pricing-plans";
    await page.route(plans, async (route) => {
      await held;
      await route.continue();
    });
    await button(page, en.create).click();
    await heading(page, en.steps[4]).waitFor();
    await button(page, en.next).click();
    await heading(page, en.records).waitFor();
    const late = page.waitForResponse(plans);
    release();
    await late;
    await until(async () => (await page.getByText(label).count()) === 0, { what: "no old target" });
    // Skipping before the new one is there only says to wait.
    await cnameTarget(page).waitFor();
    await button(page, en.skip).click();
    await heading(page, en.steps[5]).waitFor();
    await button(page, en.create).click();
    await bought(page);
    expect((await shieldsAndBalanceOf(buyer)).shields).toBe(1);
  });
});
