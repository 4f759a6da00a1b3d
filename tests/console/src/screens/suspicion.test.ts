import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { livelyLog } from "./lively-log.ts";

const fixture = useConsole();
const shield = `/dashboard/gameshield/${exampleIds.shield}`;
const { listLogEntries } = routes.logs;
const { getMitigation } = routes.mitigation;
const usual = example(listLogEntries);
const [entry] = usual.data;
if (entry === undefined) throw new Error("The example has no entry");
const [suspicious, known, , scripted] = livelyLog(entry, "en", 4);
const [spared] = livelyLog(entry, "ru", 7).slice(-1);

function show(...data: (typeof suspicious)[]): void {
  const shown = data.flatMap((each) => (each === undefined ? [] : [each]));
  fixture.api.change(listLogEntries, () => ({ ...usual, data: shown, next_cursor: null }));
}

test("an entry of the log has the score with its parts, the heaviest first, and what it changes", async () => {
  show(suspicious);
  const page = await fixture.open(`${shield}/logs`, { width: 320 });
  await page.getByRole("button", { name: /Notch/ }).click();
  const suspicion = page.getByRole("region", { name: "Suspicion 50" });
  await suspicion.getByText("From 40 on: a stricter check, at Medium and above").waitFor();
  expect(await suspicion.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/^Hosting network\s+\+20$/),
    expect.stringMatching(/^No ping before the join\s+\+15$/),
    expect.stringMatching(/^Others of the network failed checks\s+\+15$/),
  ]);
  await expectSound(page, "suspicious login");
});

test("a signal of a later edge is shown by its own name, and a known player has no score", async () => {
  show(scripted, known);
  const page = await fixture.open(`${shield}/logs`);
  await page.getByRole("button", { name: /bot_48213/ }).click();
  const suspicion = page.getByRole("region", { name: "Suspicion 100" });
  await suspicion.getByText("of a later edge").waitFor();
  await page.getByRole("button", { name: /jeb_/ }).click();
  await page.getByText("Trace code").last().waitFor();
  expect(await page.getByRole("region", { name: /^Suspicion/ }).count()).toBe(0);
});

test("an entry says which check shadow mode has spared the player, in Russian, too", async () => {
  show(spared);
  const page = await fixture.open(`${shield}/logs`, { locale: "ru" });
  await page.getByRole("button", { name: /Notch/ }).click();
  await page.getByText("До входа пришлось бы пройти проверку").waitFor();
  await page.getByText("Проверка движения").waitFor();
  await expectSound(page, "spared check");
});

test("the shadow panel counts the players who would have had to pass a check, by the check", async () => {
  fixture.api.change(getMitigation, (stored) => ({
    ...stored,
    shadow_mode: true,
    shadowed_24h: {},
    would_challenge_24h: { gravity: 7, protocol: 1_204 },
  }));
  const page = await fixture.open(`${shield}/mitigation`, { width: 320 });
  await page.getByText("These unknown players would have had to pass a check first:").waitFor();
  const counts = page.getByRole("definition");
  expect(await counts.allInnerTexts()).toEqual(["1,204", "7"]);
  await expectSound(page, "shadow panel");
});
