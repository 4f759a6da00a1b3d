import { roleRights } from "@palisade/contract/http/member-rights";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

const fixture = useConsole();
const path = `/dashboard/gameshield/${exampleIds.shield}/mitigation`;
const { getChallenges, getTryAddress, startTry, endTry, updateMitigation } = routes.mitigation;

const checks = (page: Page) => page.getByRole("region", { name: "Checks of unknown players" });
const trial = (page: Page) => page.getByRole("region", { name: "Try it yourself" });
const grade = (page: Page, name: string) => checks(page).getByRole("listitem", { name });

function atLevel(antibot_level: "medium" | "high" | "extreme"): void {
  fixture.state.mitigation = {
    ...fixture.state.mitigation,
    antibot_level,
    antibot_level_max: "extreme",
  };
}

describe("the checks of unknown players", () => {
  test("each says what it does, when it acts and what it costs, measured where players were", async () => {
    atLevel("high");
    const page = await fixture.open(`${path}?tab=antibot`);
    const movement = grade(page, "Movement check");
    for (const text of ["Acts always", "2.9 s", "median of your players", "Gravity and platform"]) {
      await movement.getByText(text, { exact: true }).waitFor();
    }
    const captcha = grade(page, "Captcha");
    for (const text of ["Does not act", "15.1 s", "typical, once per player"]) {
      await captcha.getByText(text, { exact: true }).waitFor();
    }
    await movement.getByRole("button", { name: "By version" }).press("Enter");
    const table = movement.getByRole("table", { name: "Movement check: by version" });
    expect(await table.getByRole("row").allTextContents()).toEqual([
      "VersionMedianPassedFailed",
      "1.20.42.6 s26017",
      "1.8.93.4 s1529,294",
    ]);
    await expectSound(page, "checks");
  });

  test("at Medium only the first acts, and only during attacks; other tabs do not show them", async () => {
    atLevel("medium");
    const page = await fixture.open(`${path}?tab=antibot`);
    await grade(page, "Game check").getByText("Acts during attacks").waitFor();
    await grade(page, "Movement check").getByText("Does not act").waitFor();
    await page.getByRole("link", { name: "General", exact: true }).click();
    await until(async () => (await checks(page).count()) === 0);
  });

  test("without checked players all times are typical; a failure can be tried again", async () => {
    fixture.api.refuse(getChallenges, "conflict");
    const page = await fixture.open(`${path}?tab=antibot`, { width: 320, theme: "light" });
    await checks(page).getByText("Times of the checks could not be loaded").waitFor();
    fixture.api.restore(getChallenges);
    fixture.api.change(getChallenges, (usual) => ({ ...usual, challenges: [] }));
    await checks(page).getByRole("button", { name: "Try again" }).click();
    await grade(page, "Movement check").getByText("2.3 s", { exact: true }).waitFor();
    expect(await checks(page).getByRole("button", { name: "By version" }).count()).toBe(0);
    await expectSound(page, "typical checks");
  });

  test("how long players stay known, unknown versions and the text captcha are saved with the form", async () => {
    const page = await fixture.open(`${path}?tab=antibot`);
    await page.getByLabel("Verified players stay known").selectOption("30 days");
    await page.getByRole("switch", { name: "Captcha as text" }).click();
    await page.getByRole("link", { name: /^General/ }).click();
    await page.getByLabel("Unknown versions").selectOption("Refuse them");
    await page.getByRole("button", { name: "Save" }).click();
    await until(() => fixture.api.callsOf(updateMitigation).length === 1);
    expect(fixture.api.callsOf(updateMitigation)[0]?.body).toEqual({
      verified_hours: 720,
      text_captcha: true,
      unknown_versions: "refuse",
    });
  });
});

describe("the try address", () => {
  test("is created with the chosen check, copied, renewed with another one, and removed", async () => {
    atLevel("high");
    const page = await fixture.open(`${path}?tab=antibot`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const panel = trial(page);
    await panel.getByText("Level High: Movement check").waitFor();
    await panel.getByRole("radio", { name: "As your level asks" }).focus();
    await page.keyboard.press("ArrowDown");
    await panel.getByRole("button", { name: "Create address" }).press("Enter");
    await panel.getByRole("button", { name: "Copy the try address" }).click();
    await until(
      async () =>
        (await page.evaluate<string>("navigator.clipboard.readText()")) ===
        "trya3k7q2mzx.gs.example.com",
    );
    expect(fixture.api.callsOf(startTry)[0]?.body).toEqual({ challenge: "gravity" });
    await panel.getByText("You fall in an empty world for a few seconds. Do not").waitFor();
    // The tooltip of the button that was clicked last is outside of the page's regions.
    await panel.getByRole("radio", { name: "Captcha" }).hover();
    await page.getByRole("tooltip").waitFor({ state: "detached" });
    await expectSound(page, "try address");
    await panel.getByRole("radio", { name: "Captcha" }).check();
    await panel.getByRole("button", { name: "Ask for this check" }).click();
    await panel.getByText(/then hold a map with a code/).waitFor();
    await panel.getByRole("button", { name: "Renew for 24 hours" }).waitFor();
    await panel.getByRole("button", { name: "Remove address" }).click();
    await panel.getByRole("button", { name: "Create address" }).waitFor();
    expect(fixture.api.callsOf(endTry)).toHaveLength(1);
  });

  test("an address that cannot be created says why, and one that cannot be loaded can be tried again", async () => {
    fixture.api.refuse(getTryAddress, "conflict");
    const page = await fixture.open(`${path}?tab=antibot`, { width: 320 });
    await trial(page).getByText("Try address could not be loaded").waitFor();
    fixture.api.restore(getTryAddress);
    await trial(page).getByRole("button", { name: "Try again" }).click();
    fixture.api.refuse(startTry, "server_not_active");
    await trial(page).getByRole("button", { name: "Create address" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: /active/ })
      .first()
      .waitFor();
    expect(await trial(page).getByRole("button", { name: "Create address" }).count()).toBe(1);
  });

  test("a member who may only look reads the address and can change nothing", async () => {
    fixture.state.shield = {
      ...fixture.state.shield,
      role: "member",
      rights: roleRights.viewer,
    };
    const page = await fixture.open(`${path}?tab=antibot`);
    await trial(page).getByText("There is no try address").waitFor();
    expect(await trial(page).getByRole("button").count()).toBe(0);
    expect(await page.getByLabel("Verified players stay known").isDisabled()).toBe(true);
  });
});
