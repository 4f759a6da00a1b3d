import { exampleIds } from "@palisade/contract/reference/example-story";
import { runDoctor, type DoctorFinding } from "@palisade/contract/http/server-setup";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound, settled } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import type { Page } from "playwright-core";
import { renderText } from "@palisade/contract/texts/render";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { expectSoundEverywhere } from "./ticket-pages.ts";

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
  await tryAgain(alert);
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

const values = {
  host: "203.0.113.10",
  port: 19_132,
  version: "1.21.50",
  oldest: "1.20.0",
  newest: "1.26.45",
};

/** As the api tells it. */
function ofBedrock(
  code: string,
  outcome: DoctorFinding["outcome"],
  locale: "en" | "ru",
  name = "203.0.113.10:19132",
): DoctorFinding {
  const text = (key: string) => renderText(locale, key, { ...values, name });
  return {
    subject: "bedrock",
    name,
    edge: "fra-1",
    outcome,
    code: `bedrock.${code}`,
    title: text(`doctor.bedrock.${code}`),
    fix: outcome === "ok" ? null : text(`doctor.bedrock.${code}.fix`),
    seen: code === "online" ? "1.21.50, 12/100 players, 8 ms" : null,
  };
}

test.each(sampledAppearances)(
  "what is wrong for players of Bedrock leads to the section that mends it ($theme, $locale)",
  async (look) => {
    const { locale } = look;
    fixture.api.change(runDoctor, (usual) => ({
      ...usual,
      outcome: "failed" as const,
      findings: [
        ...usual.findings,
        ofBedrock("port_answers", "ok", locale, "skyline.palisade.example:24817"),
        ofBedrock("port_silent", "failed", locale, "skyline.palisade.example:24818"),
        ofBedrock("online", "ok", locale),
        ofBedrock("proxy_required", "failed", locale),
        ofBedrock("timeout", "failed", locale, "203.0.113.11:19132"),
        { ...ofBedrock("version", "ok", locale), edge: null, seen: "1.21.50 (766)" },
        { ...ofBedrock("version_newer", "warning", locale), edge: null, seen: "1.26.51 (2193)" },
      ],
    }));
    const page = await fixture.page(look);
    await page.goto(path);
    await page.getByRole("heading", { name: "Bedrock", exact: true }).waitFor();
    await expectSoundEverywhere(page, `doctor with bedrock ${look.theme} ${locale}`);
    const link = (text: string) =>
      findings(page).filter({ hasText: text }).getByRole("link").getAttribute("href");
    const base = `/dashboard/gameshield/${exampleIds.shield}`;
    expect(await link("use-haproxy-protocol: false")).toBe(`${base}/backends`);
    expect(await link("haproxy-protocol-whitelisted-ips")).toBe(`${base}/bedrock-geyser`);
    expect(await link(":24818")).toBe(`${base}/bedrock-geyser`);
    expect(await findings(page).filter({ hasText: ":24817" }).getByRole("link").count()).toBe(0);
  },
);
