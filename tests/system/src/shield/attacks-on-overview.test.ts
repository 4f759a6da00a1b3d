import type { Attack } from "@palisade/contract/http/attacks";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { shieldPath, type OverviewFixture } from "../overview/fixture.ts";
import { expectNoSidewaysScroll, expectSound } from "../screens/inspect.ts";
import type { Appearance, TestAccount } from "../screens/accounts.ts";
import { calm, eachTestHasAMitigatedShield, type MitigatedShield } from "./mitigated-shield.ts";
import { pastAttack, stubAttacks } from "./stub-attacks.ts";

/** Attacks as the overview tells of them. Answers that take long to bring about are stubbed in the browser. */

let shield: MitigatedShield;
let fixture: OverviewFixture;
let owner: TestAccount;
let shieldId: string;
let page: Page;
eachTestHasAMitigatedShield((current) => {
  shield = current;
  ({ fixture, owner, id: shieldId } = current);
});

async function attacks(): Promise<Attack[]> {
  const params = { id: shieldId };
  return (await owner.call(routes.attacks.listAttacks, { params, query: {} })).data.data;
}

async function openOverview(
  pages: Record<string, readonly Attack[]>,
  look: Appearance,
  width: number,
) {
  const asked: string[] = [];
  const opened = await fixture.open(owner, shieldPath(shieldId), {
    ...look,
    width,
    async prepare(prepared) {
      await prepared.clock.install();
      await stubAttacks(prepared, pages, asked);
    },
  });
  return { opened, asked };
}

describe("attacks on the overview", () => {
  test("without one it is said what will be here", async () => {
    page = await fixture.open(owner, shieldPath(shieldId));
    await page.getByRole("region", { name: "Attacks" }).getByText("No attacks yet.").waitFor();
    expect(await page.getByText("Under attack.").count()).toBe(0);
  });

  test("the attack that the edge holds off right now is shown with its figures", async () => {
    const threshold = { mitigation_threshold_enabled: true, mitigation_threshold: 2 };
    // Longer than any machine takes to look at it.
    await shield.enforce({ ...calm, ...threshold, mitigation_duration_enabled: true });
    const outcomes = await shield.moddedLogins(24);
    expect(outcomes.every(({ text }) => text.includes("Modded clients cannot join"))).toBe(true);
    await until(async () => (await attacks()).some(({ ended_at: end }) => end === null), {
      what: "the attack",
    });
    page = await fixture.open(owner, shieldPath(shieldId));
    await page.getByText("Under attack.").waitFor();
    // Those before it counted as an attack are none of its.
    const reasons = page.getByRole("list", { name: "Refused for" });
    await reasons.getByText(/^Anti-Forge \d+$/).waitFor();
    const blocked = page.getByRole("region", { name: "Blocked in 24 hours" });
    await until(async () => Number(await blocked.locator("p").first().textContent()) >= 24, {
      what: "the refused ones in the figures",
    });
    await page.getByText("AntiBot is disabled: only your other settings block").waitFor();
    await shield.change({ shadow_mode: true });
    await page.getByText("attackers are counted but let in").waitFor();
    await expectSound(page, "an attack in shadow mode");
    await page.getByRole("link", { name: "Mitigation settings" }).press("Enter");
    await page.getByRole("switch", { name: "Shadow mode" }).waitFor();
  });

  test("the one going on is told with its figures; past ones with how long they took, page by page", async () => {
    const started_at = new Date(Date.now() - 65 * 60_000).toISOString();
    const running: Attack = {
      ...pastAttack,
      id: pastAttack.id.replace(/1$/, "2"),
      started_at,
      ended_at: null,
    };
    const older: Attack = { ...pastAttack, id: pastAttack.id.replace(/1$/, "3"), relaxed_to: null };
    const look: Appearance = { theme: "dark", locale: "en" };
    const visit = await openOverview({ "": [running, pastAttack], older: [older] }, look, 390);
    page = visit.opened;
    await page.getByText("Under attack.").waitFor();
    await page.getByText(/^1 hr \d+ min$/).waitFor();
    await page.getByRole("list", { name: "Refused for" }).getByText("Bot check").waitFor();
    const timeline = page.getByRole("region", { name: "Attacks" });
    await timeline.getByText("2 min 14 sec").waitFor();
    await timeline.getByText("AntiBot was relaxed to Medium", { exact: false }).first().waitFor();
    await expectSound(page, "an attack");
    await timeline.getByRole("button", { name: "Show earlier attacks" }).press("Enter");
    await until(async () => (await timeline.getByRole("listitem").count()) === 3, {
      what: "the earlier attack",
    });
    const polls = () => visit.asked.filter((cursor) => cursor === "").length;
    const before = polls();
    await until(
      async () => {
        await page.clock.fastForward(2_000);
        return polls() >= before + 3;
      },
      { what: "the attacks asked for again" },
    );
    expect(visit.asked.filter((cursor) => cursor === "older")).toHaveLength(1);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page, "an attack at 320");
    await fixture.closePages();
    ({ opened: page } = await openOverview(
      { "": [running] },
      { theme: "light", locale: "ru" },
      1440,
    ));
    await page.getByText("идёт сейчас").waitFor();
    await expectSound(page, "an attack, in Russian");
  });
});
