import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  button,
  chooseLocation,
  choosePlan,
  cnameTarget,
  enterAddress,
  enterDomain,
  enterName,
  heading,
  textbox,
  goToConfirmation,
  wizardTexts,
} from "../console/wizard.ts";
import { startGameServer, type GameServer } from "../minecraft/peers.ts";
import { watchForErrors } from "../screens/inspect.ts";
import { hasFocus, tabTo } from "./keyboard.ts";
import { shieldsAndBalanceOf, startWizardFixture, type WizardFixture } from "./fixture.ts";

/** Through the six steps, and what each of them says and refuses. */

let fixture: WizardFixture;
let game: GameServer;

beforeAll(async () => {
  [fixture, game] = await Promise.all([
    startWizardFixture(),
    startGameServer("Skyline up and running"),
  ]);
});

afterEach(async () => {
  await fixture?.closePages();
});

afterAll(async () => {
  await game?.kill();
  await fixture?.end();
});

const en = wizardTexts.en;

describe.each(["en", "ru"] as const)("in language %s", (locale) => {
  const texts = wizardTexts[locale];

  test("all six steps are walked with the keyboard alone", async () => {
    const buyer = await fixture.buyer();
    const page = await fixture.open(buyer, "/dashboard/setup", { locale });
    const errors = watchForErrors(page);
    const free = page.getByRole("radio", { name: /^Free/ });

    await tabTo(page, free);
    await page.keyboard.press("Enter");
    await hasFocus(page, heading(page, texts.steps[1]));

    await tabTo(page, textbox(page, texts.name));
    await page.keyboard.type("Skyline");
    await page.keyboard.press("Enter");
    await hasFocus(page, heading(page, texts.steps[2]));

    await tabTo(page, textbox(page, texts.address));
    await page.keyboard.type(`127.0.0.1:${game.port}`);
    await page.keyboard.press("Tab");
    await hasFocus(page, textbox(page, texts.port));
    expect(await textbox(page, texts.address).inputValue()).toBe("127.0.0.1");
    expect(await textbox(page, texts.port).inputValue()).toBe(String(game.port));
    await page.getByText("Skyline up and running").waitFor();
    await page.keyboard.press("Enter");
    await hasFocus(page, heading(page, texts.steps[3]));

    await tabTo(page, page.getByRole("radio", { name: texts.place }));
    await page.keyboard.press("Enter");
    await hasFocus(page, heading(page, texts.steps[4]));

    await tabTo(page, textbox(page, texts.domain));
    await page.keyboard.type(`keys-${locale}.example.com`);
    await page.keyboard.press("Enter");
    await hasFocus(page, heading(page, texts.records));

    await cnameTarget(page).waitFor();
    await tabTo(page, button(page, texts.skip));
    await page.keyboard.press("Enter");
    await hasFocus(page, heading(page, texts.steps[5]));

    await tabTo(page, button(page, texts.create));
    await page.keyboard.press("Enter");
    await page.getByText(locale === "en" ? "GameShield created!" : "GameShield создан!").waitFor();
    await page.waitForURL("**/dashboard");
    await page.getByRole("link", { name: "Skyline" }).waitFor();
    expect(await shieldsAndBalanceOf(buyer)).toEqual({ shields: 1, cents: 0 });
    expect(errors).toEqual([]);
  });
});

describe("steps", () => {
  test("are places of the browser's history, and stay within 1 to 6", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup?step=99");
    // Nothing is filled in yet: the first step that lacks something.
    await page.waitForURL("**/dashboard/setup?step=1");
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await page.goBack();
    await heading(page, en.steps[1]).waitFor();
    expect(await textbox(page, en.name).inputValue()).toBe("Skyline");
    await page.goForward();
    await heading(page, en.steps[2]).waitFor();
    await page.goto("/dashboard/setup?step=-4");
    await heading(page, en.steps[0]).waitFor();
    await page.goto("/dashboard/setup?step=nonsense");
    await heading(page, en.steps[0]).waitFor();
    const current = page.getByRole("navigation", { name: "Steps" }).locator("[aria-current=step]");
    expect(await current.innerText()).toContain("Choose plan");
  });

  test("Next says what is wrong, beside the field, and goes nowhere", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    await choosePlan(page, /^Free/);
    await button(page, en.next).click();
    await page.getByText("Server name is required").waitFor();
    await page.getByText("Please enter valid data").waitFor();
    await hasFocus(page, textbox(page, en.name));
    await textbox(page, en.name).fill("Sky/line");
    await page
      .getByText("Server name can only contain letters, numbers, spaces, hyphens and underscores")
      .waitFor();
    await enterName(page, "Skyline");
    await textbox(page, en.address).fill("256.1.1.1");
    await textbox(page, en.port).fill("99999");
    await button(page, en.next).click();
    await page.getByText("The real ip field must be a valid IP address.").waitFor();
    await page.getByText("Port must be between 1 and 65535").waitFor();
    await hasFocus(page, textbox(page, en.address));
    expect(await heading(page, en.steps[2]).count()).toBe(1);
  });

  test("a pasted address is taken apart", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await textbox(page, en.address).focus();
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "[2001:db8::5]:25570");
      document.activeElement.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }`);
    await until(async () => (await textbox(page, en.port).inputValue()) === "25570", {
      what: "the port beside the address",
    });
    expect(await textbox(page, en.address).inputValue()).toBe("2001:db8::5");
  });
});

describe("the live check", () => {
  test("shows the server as players see it, then why another does not answer, and blocks nothing", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    const live = page.getByRole("region", { name: "Live check" });
    await textbox(page, en.address).fill("127.0.0.1");
    await textbox(page, en.port).fill(String(game.port));
    await live.getByText("Your server answers").waitFor();
    await live.getByText("Skyline up and running").waitFor();
    await live.getByText(/1\.20\.4.*\d+\/\d+ players.*\d+ ms/).waitFor();
    await textbox(page, en.port).fill("4001");
    await live.getByText(/No answer: is the server running/).waitFor();
    expect(await live.getByRole("button", { name: "Check again" }).count()).toBe(1);
    await button(page, en.next).click();
    await heading(page, en.steps[3]).waitFor();
  });

  test("is asked once typing pauses, and let go of when the address changes", async () => {
    const asked: string[] = [];
    const letGo: string[] = [];
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup", {
      prepare: async (opened) => {
        await opened.route("**/servers/probe", () => undefined);
        opened.on("request", (request) => {
          if (request.url().endsWith("/probe")) asked.push(request.postDataJSON().real_ip);
        });
        opened.on("requestfailed", (request) => {
          if (request.url().endsWith("/probe")) letGo.push(request.postDataJSON().real_ip);
        });
      },
    });
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await textbox(page, en.address).fill("192.0.2.1");
    await until(() => asked.length === 1, { what: "the first question" });
    await textbox(page, en.address).fill("192.0.2.2");
    await until(() => letGo.length === 1, { what: "the first question let go of" });
    await until(() => asked.length === 2, { what: "the second question" });
    expect([asked, letGo]).toEqual([["192.0.2.1", "192.0.2.2"], ["192.0.2.1"]]);
  });
});

describe("funds and places", () => {
  test.each(["en", "ru"] as const)(
    "a plan that is too expensive stops the wizard until the balance covers it, in %s",
    async (locale) => {
      const texts = wizardTexts[locale];
      const buyer = await fixture.buyer();
      const page = await fixture.open(buyer, "/dashboard/setup", { locale });
      await page.getByRole("radio", { name: /^Plus/ }).check();
      await button(page, texts.next).click();
      const recharge = button(page, locale === "en" ? "Recharge balance" : "Пополнить баланс");
      await hasFocus(page, recharge.first());
      await page
        .getByRole("status")
        .filter({ hasText: locale === "en" ? "Insufficient funds" : "Недостаточно средств" })
        .waitFor();
      expect(await heading(page, texts.steps[0]).count()).toBe(1);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.goto("/dashboard/setup?step=3");
      await heading(page, texts.steps[0]).waitFor();

      await fixture.credit(buyer, 9);
      await page.reload();
      await choosePlan(page, /^Plus/, texts);
    },
  );

  test("a place without edges cannot be chosen and says why", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await enterAddress(page, { address: "127.0.0.1", port: game.port });
    const places = page.getByRole("radiogroup", { name: en.location });
    const closed = places.getByRole("radio", { disabled: true });
    await places.getByText("No edge is online here right now").first().waitFor();
    expect(await closed.count()).toBe(4);
    await chooseLocation(page);
  });

  test("a place the plan does not include says so", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup", {
      prepare: (opened) =>
        opened.route("**/servers/locations*", async (route) => {
          const answer = await route.fetch();
          const body = await answer.json();
          const hasPlan = route.request().url().includes("pricing_plan_id");
          for (const place of body.locations) {
            if (place.name === "frankfurt") place.is_available = !hasPlan;
          }
          await route.fulfill({ response: answer, json: body });
        }),
    });
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await enterAddress(page, { address: "127.0.0.1", port: game.port });
    await page.getByText("Not included in Free").waitFor();
    const frankfurt = page.getByRole("radio", { name: /Germany/ });
    expect(await frankfurt.isDisabled()).toBe(true);
  });
});

describe("the domain", () => {
  test("is asked about 800 ms after the last key, from three characters on", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await enterAddress(page, { address: "127.0.0.1", port: game.port });
    await chooseLocation(page);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/check-domain")) asked.push(request.postDataJSON().domain);
    });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const field = textbox(page, en.domain);
    await field.fill("a");
    await page.clock.runFor(5_000);
    await field.fill("play.debounce.example.co");
    await page.clock.runFor(799);
    await field.fill("play.debounce.example.com");
    await page.clock.runFor(799);
    expect(asked).toEqual([]);
    await page.clock.runFor(1);
    await until(() => asked.length === 1, { what: "the question" });
    await page.clock.resume();
    await page.getByText("can be used").waitFor();
    expect(asked).toEqual(["play.debounce.example.com"]);
  });

  test.each(["en", "ru"] as const)(
    "another owner's is refused, and a new value clears that, in %s",
    async (locale) => {
      const texts = wizardTexts[locale];
      const domain = `taken-${locale}.example.com`;
      const first = await fixture.open(await fixture.buyer(), "/dashboard/setup");
      const options = { name: "First", address: "127.0.0.1", port: game.port, domain };
      const label = await goToConfirmation(first, options);
      fixture.zone.records = [{ type: "CNAME", name: domain, value: label }];
      await first.goBack();
      await button(first, en.check).click();
      await first.getByText("CNAME record is correctly set up!").waitFor();
      await button(first, en.create).click();
      await first.waitForURL("**/dashboard");

      const page = await fixture.open(await fixture.buyer(), "/dashboard/setup", { locale });
      await choosePlan(page, /^Free/, texts);
      await enterName(page, "Second", texts);
      await enterAddress(page, options, texts);
      await chooseLocation(page, texts);
      await textbox(page, texts.domain).fill(domain);
      const taken = page.getByText(
        locale === "en" ? "This domain is already in use" : "Этот домен уже используется",
      );
      await taken.first().waitFor();
      await textbox(page, texts.domain).fill(`free-${domain}`);
      await until(async () => (await taken.count()) === 0, { what: "no error" });
      await enterDomain(page, `free-${domain}`, texts);
    },
  );

  test("a failed check keeps what was typed, and can be asked again", async () => {
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await enterAddress(page, { address: "127.0.0.1", port: game.port });
    await chooseLocation(page);
    await page.route("**/servers/check-domain", (route) => route.abort());
    await textbox(page, en.domain).fill("play.lost.example.com");
    await page.getByText("Error checking domain availability").waitFor();
    await page.unroute("**/servers/check-domain");
    expect(await textbox(page, en.domain).inputValue()).toBe("play.lost.example.com");
    await button(page, en.next).click();
    await heading(page, en.records).waitFor();
  });
});

describe("the record", () => {
  test("is told apart: missing, elsewhere, unknown, right; with every part to copy", async () => {
    const domain = "record.example.com";
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup");
    const options = { name: "Skyline", address: "127.0.0.1", port: game.port, domain };
    const label = await goToConfirmation(page, options);
    await page.goBack();
    await heading(page, en.records).waitFor();
    for (const copy of ["Copy the record name", "Copy the CNAME target"]) {
      expect(await button(page, copy).count(), copy).toBe(1);
    }
    const verdict = page.getByRole("alert").filter({ hasText: "not set up correctly." });

    fixture.zone.records = [];
    await button(page, en.check).click();
    await verdict.filter({ hasText: "no record" }).waitFor();

    fixture.zone.records = [{ type: "CNAME", name: domain, value: "elsewhere.example.net" }];
    await button(page, en.check).click();
    await verdict.filter({ hasText: "elsewhere.example.net" }).filter({ hasText: label }).waitFor();

    fixture.zone.faults = { "*": "servfail" };
    await button(page, en.check).click();
    await page
      .getByRole("alert")
      .filter({ hasText: "DNS did not answer, so your record" })
      .waitFor();
    expect(await verdict.count()).toBe(0);
    fixture.zone.faults = {};

    // Opening them asks again; a check that begins before the answer would share it.
    const asked = page.waitForResponse("**/servers/check-cname");
    await page.getByText("No CNAME possible? Use an SRV or TXT record").click();
    await (await asked).finished();
    for (const part of ["Service", "Protocol", "Priority", "Weight", "Port", "Target"]) {
      await button(page, `Copy SRV: ${part}`).waitFor();
    }
    await button(page, "Copy TXT: Value").waitFor();

    await page.route("**/servers/check-cname", (route) => route.abort());
    await button(page, en.check).click();
    await page.getByRole("alert").filter({ hasText: "Error checking CNAME" }).first().waitFor();
    await page.unroute("**/servers/check-cname");

    fixture.zone.records = [{ type: "CNAME", name: domain, value: label }];
    await button(page, en.check).click();
    await page.getByText("CNAME record is correctly set up!").waitFor();
    await heading(page, en.steps[5]).waitFor();
  });

  test("that is not generated yet is waited for", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await fixture.open(await fixture.buyer(), "/dashboard/setup", {
      prepare: (opened) =>
        opened.route("**/servers/generate-cname", async (route) => {
          await held;
          await route.continue();
        }),
    });
    await choosePlan(page, /^Free/);
    await enterName(page, "Skyline");
    await enterAddress(page, { address: "127.0.0.1", port: game.port });
    await chooseLocation(page);
    await textbox(page, en.domain).fill("patience.example.com");
    await button(page, en.next).click();
    await heading(page, en.records).waitFor();
    await button(page, en.skip).click();
    await page.getByText("CNAME is not generated yet. Please wait.").waitFor();
    await button(page, en.back).click();
    await heading(page, en.steps[4]).waitFor();
    release();
    expect(await enterDomain(page, "patience.example.com")).toMatch(/\.gs\.localhost$/);
  });
});
