import { exampleIds } from "@palisade/contract/reference/example-story";
import { runDoctor } from "@palisade/contract/http/server-setup";
import { expectSound, settled } from "@palisade/system-tests/screens/inspect";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

/** The doctor's page while it waits, when it fails and when it has nothing to check. */

const path = `/dashboard/gameshield/${exampleIds.shield}/doctor`;
const fixture = useConsole();
const findings = (page: Page) => page.getByRole("main").getByRole("listitem");

test("it shows that it is looking, then what it found", async () => {
  const release = fixture.api.delay(runDoctor);
  const page = await fixture.page();
  await page.goto(path);
  await page.locator("[aria-busy=true] .mantine-Skeleton-root").first().waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await expectSound(page, "looking");
  release();
  await settled(page);
  await findings(page).filter({ hasText: "The server answers" }).first().waitFor();
});

test("it says that it could not run, and tries again", async () => {
  fixture.api.cut(runDoctor);
  const page = await fixture.open(path);
  const alert = page.getByRole("alert").filter({ hasText: "The doctor could not run" });
  await alert.waitFor();
  await expectSound(page, "could not run");
  fixture.api.restore(runDoctor);
  await alert.getByRole("button", { name: "Try again" }).click();
  await findings(page).filter({ hasText: "The server answers" }).first().waitFor();
  expect(await alert.count()).toBe(0);
});

test("it says that there is nothing to check", async () => {
  fixture.api.change(runDoctor, (usual) => ({
    ...usual,
    outcome: "unknown" as const,
    findings: [],
  }));
  const page = await fixture.open(path);
  await page.getByText("Nothing to check").waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "What to do" }).count()).toBe(0);
  await expectSound(page, "nothing to check");
});
