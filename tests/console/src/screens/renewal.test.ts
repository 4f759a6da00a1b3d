import { exampleIds } from "@palisade/contract/reference/example-values";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
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
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectSound(page, `${status} at ${width} px`);
    }
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
      renewal: { ...renewal, outcome: null, missing: null, missing_cents: null },
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
