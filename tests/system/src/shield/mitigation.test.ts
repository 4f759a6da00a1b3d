import { mitigationDefaults } from "@palisade/contract/http/mitigation";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { buyShield, shieldPath, type OverviewFixture } from "../overview/fixture.ts";
import { expectNoSidewaysScroll, expectSound, isInWindow } from "../screens/inspect.ts";
import type { Appearance, TestAccount } from "../screens/accounts.ts";
import { hasFocus } from "../wizard/keyboard.ts";
import { calm, eachTestHasAMitigatedShield, type MitigatedShield } from "./mitigated-shield.ts";
import { delayResponses, returnToPageLater } from "./delayed-responses.ts";

/** Mitigation as its owner sets it. Answers that only attacks bring about are stubbed in the browser. */

let shield: MitigatedShield;
let fixture: OverviewFixture;
let owner: TestAccount;
let shieldId: string;
let page: Page;
eachTestHasAMitigatedShield((current) => {
  shield = current;
  ({ fixture, owner, id: shieldId } = current);
});

const settingsCalls = "**/api/v1/servers/*/mitigation";
const path = (tab = "") => shieldPath(shieldId, `/mitigation${tab && `?tab=${tab}`}`);
const toggle = (name: string) => page.getByRole("switch", { name });
const typed = (name: string) => page.getByRole("textbox", { name });
const save = () => page.getByRole("button", { name: /^(Save|Сохранить)$/ });
const openTab = (name: string) =>
  page.getByRole("navigation", { name: "Mitigation" }).getByRole("link", { name }).click();
const alert = (text: string) => page.getByRole("alert").filter({ hasText: text });

async function stored() {
  const { data } = await owner.call(routes.mitigation.getMitigation, { params: { id: shieldId } });
  return data;
}

async function applied(): Promise<void> {
  const banner = page
    .getByRole("status")
    .filter({ hasText: "Mitigation settings updated: applied on 1/1 edges" });
  await banner.waitFor();
  await banner.getByRole("button", { name: "Dismiss" }).click();
}

async function optionsOf(name: string): Promise<string[]> {
  return page.getByRole("combobox", { name, exact: true }).locator("option").allTextContents();
}

describe("the settings", () => {
  test("all three tabs are saved at once, in the units they are shown in", async () => {
    page = await fixture.open(owner, path());
    const slider = page.getByRole("slider", { name: "Max connections" });
    expect([await slider.isDisabled(), await typed("Max connections").isDisabled()]).toEqual([
      true,
      true,
    ]);
    await toggle("Max connections").press("Space");
    await typed("Max connections").fill("20");
    await slider.press("ArrowRight");
    expect(await typed("Max connections").inputValue()).toBe("21");

    await toggle("Minecraft versions").press("Space");
    expect((await optionsOf("From"))[0]).toBe("1.8");
    await page.getByRole("checkbox", { name: "Allow versions below 1.8" }).check();
    expect(await optionsOf("From")).toContain("1.6.4");
    await page.getByRole("combobox", { name: "To", exact: true }).selectOption("1.12.2");
    await page.getByRole("combobox", { name: "From", exact: true }).selectOption("1.16.5");
    expect(await page.getByRole("combobox", { name: "To", exact: true }).inputValue()).toBe(
      "1.16.5",
    );
    expect((await optionsOf("To"))[0]).toBe("1.16.5");
    await expectSound(page, "mitigation, general");

    await openTab("AntiBot");
    expect(await page.getByRole("radio", { name: "Medium" }).isChecked()).toBe(true);
    await toggle("Mitigation threshold").press("Space");
    await page.getByText("Medium checks suspicious logins only", { exact: false }).waitFor();
    await page.getByRole("radio", { name: "Medium" }).press("ArrowRight");
    expect(await page.getByRole("radio", { name: "High" }).isChecked()).toBe(true);
    await openTab("Miscellaneous");
    await toggle("Anti-VPN").press("Space");
    await toggle("Anti-Forge").press("Space");
    await expectSound(page, "mitigation, miscellaneous");
    await save().press("Enter");
    await applied();
    const {
      antibot_level_max,
      anti_vpn_available,
      anti_vpn_has_lists,
      shadowed_24h,
      would_challenge_24h,
      ...settings
    } = await stored();
    const shown = { antibot_level_max, anti_vpn_available, anti_vpn_has_lists };
    expect({ ...shown, shadowed_24h, would_challenge_24h }).toEqual({
      antibot_level_max: "extreme",
      anti_vpn_available: true,
      anti_vpn_has_lists: expect.any(Boolean),
      shadowed_24h: {},
      would_challenge_24h: {},
    });
    expect(settings).toEqual({
      ...mitigationDefaults,
      minecraft_version_range_enabled: true,
      minecraft_versions: { min: "1.16.5", max: "1.16.5" },
      max_connections_enabled: true,
      max_connections: 21,
      antibot_level: "high",
      mitigation_threshold_enabled: false,
      anti_vpn: true,
      anti_forge: true,
    });
    expect(await save().getAttribute("aria-disabled")).toBe("true");
  });

  test("that are wrong are shown on their own tab, and what is off keeps nothing from being saved", async () => {
    await shield.change({ max_connections_enabled: true, max_connections: 21 });
    page = await fixture.open(owner, path("miscellaneous"));
    await openTab("General");
    await typed("Max connections").fill("0");
    await openTab("Miscellaneous");
    await toggle("Secure profiles").press("Space");
    await save().press("Enter");
    await page.getByText("A limit that is on cannot be 0.", { exact: false }).waitFor();
    await hasFocus(page, typed("Max connections"));
    await typed("Max connections").fill("1001");
    await page.getByText("Max connections must be a whole number from 0 to 1000").waitFor();
    await toggle("Max connections").press("Space");
    await save().press("Enter");
    await applied();
    expect(await stored()).toMatchObject({
      max_connections_enabled: false,
      max_connections: 21,
      secure_profiles: true,
    });
  });

  test("that are not saved yet survive other tabs, and are asked about before they are lost", async () => {
    page = await fixture.open(owner, path());
    await toggle("Rejoin cooldown").press("Space");
    await openTab("AntiBot");
    await openTab("General");
    expect(await toggle("Rejoin cooldown").isChecked()).toBe(true);
    await page
      .getByRole("navigation", { name: "Sections" })
      .getByRole("link", { name: "Caching" })
      .click();
    const question = page.getByRole("dialog", { name: "Unsaved changes" });
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    expect(await toggle("Rejoin cooldown").isChecked()).toBe(true);
  });

  test("a conflict of two people is told to the second before anything is replaced", async () => {
    await shield.change({ anti_forge: true });
    page = await fixture.open(owner, path());
    await toggle("Rejoin cooldown").press("Space");
    await shield.change({ anti_forge: false, mitigation_duration: 3 });
    await save().press("Enter");
    const conflict = alert("Another user changed this");
    await conflict.getByText("Anti-Forge: off").waitFor();
    await conflict.getByText("Mitigation duration: 3 minutes").waitFor();
    await until(
      () => conflict.evaluate((shown) => shown.parentElement === shown.ownerDocument.activeElement),
      { what: "the focus at the conflict" },
    );
    expect(await isInWindow(conflict.getByRole("button", { name: "Keep mine" }))).toBe(true);
    expect(await save().getAttribute("aria-disabled")).toBe("true");
    await expectSound(page, "mitigation, a conflict");
    await conflict.getByRole("button", { name: "Keep mine" }).press("Enter");
    await applied();
    expect(await stored()).toMatchObject({
      rejoin_cooldown_enabled: true,
      anti_forge: false,
      mitigation_duration: 3,
    });

    await typed("Rejoin cooldown").fill("9");
    await shield.change({ rejoin_cooldown: 12 });
    await save().press("Enter");
    await conflict.getByRole("button", { name: "Keep theirs" }).press("Enter");
    await conflict.waitFor({ state: "detached" });
    await hasFocus(page, save());
    expect(await typed("Rejoin cooldown").inputValue()).toBe("12");
  });

  test("that are changed while a save is on its way stay changed, whatever was read before it", async () => {
    await shield.change({ anti_forge: false, secure_profiles: true });
    page = await fixture.open(owner, path("miscellaneous"));
    const reads = await delayResponses(page, settingsCalls, "GET");
    await page.evaluate(returnToPageLater);
    await reads.isPending();
    const saves = await delayResponses(page, settingsCalls, "PUT");
    await toggle("Anti-Forge").press("Space");
    await save().press("Enter");
    await saves.isPending();
    await toggle("Secure profiles").press("Space");
    await saves.release();
    await applied();
    await reads.release();
    expect([
      await toggle("Anti-Forge").isChecked(),
      await toggle("Secure profiles").isChecked(),
    ]).toEqual([true, false]);
    await save().press("Enter");
    await applied();
    expect(await stored()).toMatchObject({ anti_forge: true, secure_profiles: false });
  });

  test("that another member has set to the same value are no conflict", async () => {
    await shield.change({ anti_forge: true, anti_vpn: true });
    page = await fixture.open(owner, path("miscellaneous"));
    await toggle("Anti-Forge").press("Space");
    await toggle("Anti-VPN").press("Space");
    await shield.change({ anti_forge: false });
    await save().press("Enter");
    await applied();
    expect(await alert("Another user changed this").count()).toBe(0);
    expect(await stored()).toMatchObject({ anti_forge: false, anti_vpn: false });
  });

  test("that could not be saved, nor read anew, are said not to be", async () => {
    page = await fixture.open(owner, path("miscellaneous"));
    await toggle("Anti-Forge").press("Space");
    await shield.change({ mitigation_duration: 4 });
    const refuse = (call: Route) =>
      call.request().method() === "GET"
        ? call.fulfill({ status: 503, contentType: "text/html", body: "Unavailable" })
        : call.fallback();
    await page.route(settingsCalls, refuse);
    await save().press("Enter");
    await alert("Failed to update mitigation settings").waitFor();
    expect(await stored()).toMatchObject({ anti_forge: false });
    await page.unroute(settingsCalls, refuse);
    await save().press("Enter");
    await alert("Another user changed this").getByText("4 minutes").waitFor();
  });

  test("say that anti-VPN blocks nothing on an edge without VPN lists", async () => {
    page = await fixture.open(owner, path("miscellaneous"), {
      prepare: (opened) =>
        opened.route(settingsCalls, async (call) => {
          const answer = await call.fetch();
          const json: unknown = await answer.json();
          const told = { anti_vpn: true, anti_vpn_available: true, anti_vpn_has_lists: false };
          return call.fulfill({ response: answer, json: Object.assign(json as object, told) });
        }),
    });
    await page.getByText("An edge of this shield has no VPN lists, so it blocks no VPN.").waitFor();
    await expectSound(page, "mitigation, no VPN lists");
  });

  test("that cannot be read are the fallback's, read-only, until they can", async () => {
    await shield.change({ max_connections: 21, rejoin_cooldown: 12 });
    let message: string | undefined;
    page = await fixture.open(owner, path(), {
      prepare: (opened) =>
        opened.route(settingsCalls, (call) =>
          call.fulfill(
            message === undefined
              ? { status: 502, contentType: "text/html", body: "Bad Gateway" }
              : {
                  status: 409,
                  contentType: "application/problem+json",
                  body: JSON.stringify({
                    type: "about:blank",
                    title: "Conflict",
                    status: 409,
                    code: "server_not_active",
                    message,
                    issues: [],
                  }),
                },
          ),
        ),
    });
    await alert("Error fetching").waitFor();
    expect(await typed("Max connections").inputValue()).toBe("100");
    expect(await page.getByRole("switch").and(page.locator(":enabled")).count()).toBe(0);
    expect(await save().getAttribute("aria-disabled")).toBe("true");
    await expectSound(page, "mitigation, not read");
    message = "The server's own words";
    await page.getByRole("button", { name: "Try again" }).click();
    await alert("The server's own words").waitFor();
    await page.unroute(settingsCalls);
    await page.getByRole("button", { name: "Try again" }).click();
    await alert("The server's own words").waitFor({ state: "detached" });
    expect(await typed("Rejoin cooldown").inputValue()).toBe("12");
  });

  test("in shadow mode: players it would have refused are admitted, and counted by reason", async () => {
    await shield.enforce({ ...calm, shadow_mode: true });
    const outcomes = await shield.moddedLogins(3);
    // No backend is there: an admitted player is told so.
    expect(outcomes.map(({ text }) => text.includes("offline"))).toEqual([true, true, true]);
    await until(async () => (await stored()).shadowed_24h["forge"] === 3, {
      what: "the logins counted",
    });
    page = await fixture.open(owner, path());
    await page.getByText("these logins would have been refused", { exact: false }).waitFor();
    expect(await page.locator("dl dt").allTextContents()).toEqual(["Anti-Forge"]);
    expect(await page.locator("dl dd").allTextContents()).toEqual(["3"]);
    await expectSound(page, "mitigation, shadow mode");
    await fixture.closePages();
    page = await fixture.open(owner, shieldPath(shieldId));
    await page.getByText("Shadow mode is on.").waitFor();
    await shield.change({ shadow_mode: false });
    await page.getByText("Shadow mode is on.").waitFor({ state: "detached" });
  });

  test("above the plan are locked and say how to get them, in Russian on the narrowest phone", async () => {
    const id = await buyShield(owner, {
      plan: "Free",
      name: "Free",
      domain: "unmitigated.example.com",
    });
    const look: Appearance = { theme: "light", locale: "ru" };
    const at = shieldPath(id, "/mitigation?tab=antibot");
    page = await fixture.open(owner, at, { ...look, width: 320 });
    const level = (name: string) => page.getByRole("radio", { name });
    expect([await level("Средний").isEnabled(), await level("Высокий").isEnabled()]).toEqual([
      true,
      false,
    ]);
    await expectSound(page, "antibot above the plan");
    const tabs = page.getByRole("navigation", { name: "Защита", exact: true });
    expect(await tabs.getByRole("link").allTextContents()).toEqual([
      "Основные",
      "AntiBot",
      "Прочее",
    ]);
    await page.getByRole("button", { name: "Улучшить тариф" }).click();
    const upgrade = page.getByRole("dialog", { name: "Улучшить тариф" });
    const plans = upgrade.getByRole("radiogroup").locator("strong");
    await plans.first().waitFor();
    expect(await plans.allTextContents()).toEqual(["Free", "Plus", "Pro", "Network"]);
    await page.keyboard.press("Escape");
    await upgrade.waitFor({ state: "detached" });
    await tabs.getByRole("link", { name: "Прочее" }).click();
    expect(await page.getByRole("switch", { name: "Anti-VPN" }).isDisabled()).toBe(true);
    await expectNoSidewaysScroll(page, "miscellaneous at 320");
    await tabs.getByRole("link", { name: "Основные" }).click();
    await expectNoSidewaysScroll(page, "general at 320");
  });
});

test("kicks are previewed with the line of the trace code that players will read", async () => {
  const at = shieldPath(shieldId, "/customization?tab=mitigation");
  page = await fixture.open(owner, at);
  const drawn = page.getByRole("region", { name: "Preview" }).locator("figure [class*=text]");
  expect(await drawn.last().textContent()).toMatch(/\n7K3M9QXD$/);
  await page.getByRole("textbox", { name: "Rejoin message" }).fill("{trace}: again");
  await drawn.last().getByText("7K3M9QXD: again").waitFor();
  expect((await drawn.last().textContent())?.match(/7K3M9QXD/g)).toHaveLength(1);
});
