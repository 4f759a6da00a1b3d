import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { livelyReplay } from "./lively-replay.ts";

const fixture = useConsole();
const page = `/dashboard/gameshield/${exampleIds.shield}/mitigation`;
const { replayMitigation } = routes.replay;
const { updateMitigation } = routes.mitigation;
const lively = livelyReplay(example(replayMitigation), "en");

const button = (on: Page) => on.getByRole("button", { name: "What would this do?" });
const dialog = (on: Page) => on.getByRole("dialog", { name: "What would this do?" });

async function flipForge(on: Page): Promise<void> {
  await on.getByRole("link", { name: /^Miscellaneous/ }).click();
  await on.getByRole("switch", { name: "Anti-Forge" }).click();
}

/** A change of one setting, and the question about it. */
async function ask(width = 1440): Promise<Page> {
  const opened = await fixture.open(page, { width });
  await flipForge(opened);
  await button(opened).click();
  return opened;
}

test("without unsaved changes there is nothing to ask", async () => {
  const opened = await fixture.open(page);
  expect(await button(opened).getAttribute("aria-disabled")).toBe("true");
  await button(opened).focus();
  await opened.keyboard.press("Enter");
  expect(await dialog(opened).count()).toBe(0);
});

test("the dialog says what the unsaved settings would have done, with the logins of each kind", async () => {
  fixture.api.change(replayMitigation, () => lively);
  const before = fixture.state.mitigation.anti_forge;
  const opened = await ask();
  const shown = dialog(opened);
  await shown.getByText("In the last 24 hours, 325 of 12,340 logins would").waitFor();
  // Only what is changed is asked about, and nothing is saved.
  expect(fixture.api.callsOf(replayMitigation).at(-1)?.body).toEqual({ anti_forge: !before });
  expect(fixture.api.callsOf(updateMitigation)).toEqual([]);
  const refused = shown.getByRole("region", { name: /would have been refused$/ });
  expect(await refused.getByRole("listitem").count()).toBe(12);
  await refused.getByText("The client has Forge, and Anti-Forge is on").first().waitFor();
  await expectSound(opened, "replay");
  await shown.getByRole("button", { name: "310 would have had to pass a check first" }).click();
  await shown.getByText("These are the newest 100 logins.").waitFor();
  expect(await refused.count()).toBe(0);
  for (const note of [/There were more logins/, /481 logins/, /21 logins/, /3 logins really/]) {
    await shown.getByText(note).waitFor();
  }
  await opened.keyboard.press("Escape");
  await until(async () => (await dialog(opened).count()) === 0);
  // The change is still there, and the focus is back.
  expect(await opened.locator(":focus").textContent()).toBe("What would this do?");
});

test("the changes are saved from the dialog", async () => {
  fixture.api.change(replayMitigation, () => lively);
  const opened = await ask();
  await dialog(opened).getByRole("button", { name: "Save" }).click();
  await until(() => fixture.api.callsOf(updateMitigation).length === 1);
  await opened.getByText("Mitigation settings updated").first().waitFor();
  await until(async () => (await button(opened).getAttribute("aria-disabled")) === "true");
});

test("while the log is replayed, the dialog says what happens; a failure can be tried again", async () => {
  const release = fixture.api.delay(replayMitigation);
  const opened = await ask(320);
  await dialog(opened)
    .getByText(/^Trying your changes/)
    .waitFor();
  await expectSound(opened, "replay under way");
  fixture.api.cut(replayMitigation);
  release();
  await opened.getByRole("button", { name: "Back to the settings" }).click();
  fixture.api.say(
    replayMitigation,
    { en: "Wait a moment", ru: "Подождите" },
    { code: "rate_limited" },
  );
  await button(opened).click();
  await dialog(opened).getByText("The changes could not be tried").waitFor();
  await expectSound(opened, "failed replay");
  fixture.api.change(replayMitigation, () => lively);
  await dialog(opened).getByRole("button", { name: "Try again" }).click();
  await dialog(opened).getByText("With your changes").waitFor();
});

test("a shield without logins, and a change without effect, say so", async () => {
  const none = { admitted: 0, verify: 0, refused: 0, reasons: {} };
  const nothing = { ...lively, changes: [], saved: none, proposed: none };
  fixture.api.change(replayMitigation, () => ({ ...nothing, logins: 0 }));
  const opened = await ask(320);
  await dialog(opened).getByText("No logins in the last 24 hours").waitFor();
  await expectSound(opened, "replay of nothing");
  await opened.keyboard.press("Escape");
  fixture.api.change(replayMitigation, () => ({ ...nothing, logins: 512 }));
  await button(opened).click();
  await dialog(opened)
    .getByText(/^Nothing would have changed: all 512 logins/)
    .waitFor();
});

test("a member without the right to the log cannot ask", async () => {
  const { shield } = fixture.state;
  const rights = { ...roleRights.manager, logs: "none" } as const;
  fixture.state.shield = { ...shield, role: "member", member_role: "custom", rights };
  const opened = await fixture.open(page);
  await opened.getByRole("button", { name: "Save" }).waitFor();
  expect(await button(opened).count()).toBe(0);
});
