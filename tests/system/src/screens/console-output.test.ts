import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { screensOf, type Screen } from "./catalogue.ts";
import { startScreensFixture, storageOf, type ScreensFixture } from "./fixture.ts";
import { settled } from "./inspect.ts";

/** No page prints to the browser's console: no warning, no error, no forgotten log. */

let fixture: ScreensFixture;

beforeAll(async () => {
  fixture = await startScreensFixture();
});

afterAll(async () => {
  await fixture?.end();
});

/** Pages and filters beyond the catalogue of screens. */
const furtherScreens: readonly Screen[] = [
  ...["/", "/terms", "/privacy"].map((path) => ({ name: path, path, as: "stranger" as const })),
  ...[
    "/dashboard/billing?type=top_up&payment_method=stripe&status=pending",
    "/dashboard/audit-logs?method=PUT&status=418&days=3&endpoint=nothing",
  ].map((path) => ({ name: path, path, as: "owner" as const })),
];

/** They show an attack or a ticket, of which this product has had none. */
const screensOfNothing: ReadonlySet<string> = new Set(["attack", "shared attack", "ticket"]);

function recordOutput(page: Page): string[] {
  const output: string[] = [];
  page.on("console", (message) => {
    // The browser itself reports that an unknown address is answered with status 404.
    if (message.location().url === page.url() && message.text().includes("status of 404")) return;
    output.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => output.push(`uncaught: ${String(error)}`));
  return output;
}

test.each(["en", "ru"] as const)("no page prints to the console, in %s", async (locale) => {
  const { shieldId } = fixture;
  const printed: string[] = [];
  for (const as of ["stranger", "newcomer", "owner"] as const) {
    const page = await fixture.pages.page({ locale, storage: storageOf(fixture, as) });
    const output = recordOutput(page);
    const screens = [...screensOf(shieldId), ...furtherScreens].filter(
      ({ name }) => !screensOfNothing.has(name),
    );
    for (const { path } of screens.filter((screen) => screen.as === as)) {
      await page.goto(path);
      await settled(page);
      printed.push(...output.splice(0).map((line) => `${path} prints ${line}`));
    }
  }
  expect(printed).toEqual([]);
});
