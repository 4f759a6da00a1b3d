import { mitigationDefaults } from "@palisade/contract/http/mitigation";
import { routes } from "@palisade/contract/http/routes";
import { mitigationMessages } from "@palisade/system-tests/spec/admission-messages";
import {
  dependentRules,
  fallbackLevel,
  fallbackVersions,
  generalRules,
  levelRows,
  limitRows,
  reversedRange,
  toggleRows,
  versionSteps,
  type DependentRule,
  type MitigationTab,
} from "@palisade/system-tests/spec/mitigation-rules";
import { sectionForms } from "@palisade/system-tests/spec/section-rules";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import type { ConsoleFixture } from "../console-fixture.ts";
import { sectionTexts } from "./section-texts.ts";
import type { ShieldPageDriver } from "./shield-page-driver.ts";

/** Meets every row of the tables of the Mitigation section; at the end another member saves. */
export async function checkMitigation(
  driver: ShieldPageDriver,
  { api, state }: ConsoleFixture,
): Promise<void> {
  const { page, locale } = driver;
  const messages = mitigationMessages;
  const met = new Set<DependentRule>();
  const form = page.locator("main form");
  const named = (name: string) => form.locator(`[name="${name}"]`);
  const save = form.locator("[type=submit]");
  const openTab = (tab: MitigationTab) => page.locator(`main nav a[href$="tab=${tab}"]`).click();
  // As a new shield on the largest plan has it.
  state.mitigation = {
    ...state.mitigation,
    ...mitigationDefaults,
    antibot_level_max: "extreme",
    // A limit that is off is kept at 0, and refused once it is on.
    max_connections: 0,
  };

  await driver.toldOfFailure(messages.loadFailed, async () => {
    await driver.open("mitigation");
    await expectFallbacks();
  });
  await expectVersions();
  const before = state.mitigation;
  await page.reload();
  await checkGeneral();
  await checkAntibot();
  await checkMiscellaneous();
  expect(state.mitigation).toEqual({
    ...before,
    max_connections_enabled: true,
    max_connections: limitRows.max_connections.fallback,
    rejoin_cooldown_enabled: true,
    max_packet_size_enabled: true,
    antibot_level: "high",
    anti_forge: true,
  });
  met.add("lowerCase").add("rest");
  expect(Object.keys(dependentRules).filter((name) => !met.has(name as DependentRule))).toEqual([]);

  /** All of it is shown, and none of it can be changed or saved. */
  async function expectFallbacks(): Promise<void> {
    await named("max_connections").waitFor();
    for (const [name, { fallback }] of Object.entries(limitRows)) {
      expect(await named(name).inputValue(), name).toBe(String(fallback));
      expect(await named(`${name}_enabled`).isChecked(), name).toBe(false);
    }
    for (const name of Object.keys(toggleRows)) {
      expect(await named(name).isChecked(), name).toBe(false);
    }
    expect(await form.locator("[name=antibot_level]:checked").getAttribute("value")).toBe(
      fallbackLevel,
    );
    expect(await form.locator("input:enabled, select:enabled").count()).toBe(0);
    expect(await save.getAttribute("aria-disabled")).toBe("true");
  }

  /** Neither the list of versions nor a range the right way round is there. */
  async function expectVersions(): Promise<void> {
    const { versions } = routes.minecraft;
    const { getMitigation } = routes.mitigation;
    api.refuse(versions, "conflict");
    api.change(getMitigation, (usual) => ({
      ...usual,
      minecraft_version_range_enabled: true,
      minecraft_versions: reversedRange,
    }));
    await page.reload();
    for (const { rule, from, to, belowAllowed, shown, ...offered } of versionSteps) {
      if (belowAllowed !== undefined) await named("version_unsupported").setChecked(belowAllowed);
      if (from !== undefined) await named("version_from").selectOption(from);
      if (to !== undefined) await named("version_to").selectOption(to);
      const [lower, upper] = [await endOf("version_from"), await endOf("version_to")];
      expect({ min: lower.value, max: upper.value }, rule).toEqual(shown);
      expect([lower.offered, upper.offered], rule).toEqual([
        offeredSince(offered.offeredFrom),
        offeredSince(offered.offeredTo),
      ]);
    }
    api.restore(versions);
    api.restore(getMitigation);
    met.add("swapped");
  }

  async function endOf(name: string) {
    const end = named(name);
    const value = await end.inputValue();
    return { value, offered: await end.locator("option").allTextContents() };
  }

  async function checkGeneral(): Promise<void> {
    // While nothing is unsaved: then a tab says how much of it is.
    await driver.shown(sectionTexts.generalTab);
    await driver.shown(sectionTexts.antibotTab);
    await driver.shown(sectionTexts.miscellaneousTab);
    await driver.shown(sectionTexts.saveMitigation);
    await expectTab("general");
    expect(await named("max_connections").inputValue()).toBe("0");
    await save.click();
    const zero = generalRules.find(
      ({ field, value }) => field === "max_connections" && value === 0,
    );
    await form.getByText(zero?.[locale] ?? "").waitFor();
    met.add("zeroWhileOff");
    await named("max_connections").fill(String(limitRows.max_connections.fallback));
    await driver.checkRules(sectionForms.general, form);
    await driver.toldOfFailure(messages.updateFailed, () => save.click());
    await driver.toldByApi(messages.updated, () => save.click());
  }

  async function checkAntibot(): Promise<void> {
    await openTab("antibot");
    await expectTab("antibot");
    const levels = form.locator("[name=antibot_level]");
    const order = Object.entries(levelRows);
    expect(await levels.count()).toBe(order.length);
    for (const [place, [level, texts]] of order.entries()) {
      const radio = form.getByRole("radio", { name: texts[locale], exact: true });
      expect([await radio.getAttribute("value"), await levels.nth(place).inputValue()]).toEqual([
        level,
        level,
      ]);
    }
    await driver.shown(sectionTexts.underAttack);
    await driver.checkRules(sectionForms.antibot, form);
    await form.locator("[value=high]").check();
    await driver.toldByApi(messages.updated, () => save.click());
  }

  async function checkMiscellaneous(): Promise<void> {
    await openTab("miscellaneous");
    await expectTab("miscellaneous");
    state.mitigation = { ...state.mitigation, anti_forge: true };
    await named("secure_profiles").check();
    await save.click();
    await driver.shown(sectionTexts.changedMeanwhile);
    const theirs = form.getByRole("alert").getByRole("listitem");
    const on = { en: "on", ru: "вкл." };
    expect(await theirs.allTextContents()).toEqual([
      `${toggleRows.anti_forge.label[locale]}: ${on[locale]}`,
    ]);
  }

  /** Its controls by their names; a slider spans its range, once its switch is on. */
  async function expectTab(tab: MitigationTab): Promise<void> {
    const control = (label: string) => form.getByRole("switch", { name: label, exact: true });
    for (const [name, row] of Object.entries(toggleRows)) {
      if (row.tab === tab) {
        expect(await control(row.label[locale]).getAttribute("name")).toBe(name);
      }
    }
    for (const [name, row] of Object.entries(limitRows)) {
      if (row.tab === tab) await expectLimit(name, row, control(row.label[locale]));
    }
  }

  async function expectLimit(
    name: string,
    { min, max, label }: (typeof limitRows)[keyof typeof limitRows],
    toggle: Locator,
  ): Promise<void> {
    const slider = form.getByRole("slider", { name: label[locale], exact: true });
    const span = ["min", "max", "step"].map((each) => slider.getAttribute(each));
    expect(await Promise.all(span), name).toEqual([`${min}`, `${max}`, "1"]);
    const isEnabled = async () => [await slider.isEnabled(), await named(name).isEnabled()];
    await toggle.uncheck();
    expect(await isEnabled(), name).toEqual([false, false]);
    await toggle.check();
    expect(await isEnabled(), name).toEqual([true, true]);
  }
}

function offeredSince(version: string): readonly string[] {
  return fallbackVersions.slice(fallbackVersions.indexOf(version));
}
