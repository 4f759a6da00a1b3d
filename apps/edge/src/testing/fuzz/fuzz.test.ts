import { expect, test } from "vitest";
import { limboTargets } from "./limbo-run.ts";
import { batchInputs, runFuzz } from "./fuzz-run.ts";

const batches = 20;
/** The rarest of what has to be reached is missing in one of forty runs. */
const runsMax = 10;

/** If inputs never get there, what is fuzzed is the door. */
const places: readonly string[] = [
  "CookieRequest",
  "Verifying",
  "Dialling",
  "RawConnection",
  "ProxyHeaderReader",
  "verification passed",
  "verified",
  ...limboTargets.map(({ name }) => `${name}: passed`),
];

async function reachedFrom(seed: number): Promise<readonly string[]> {
  const { inputs, phases, verifications, limbo, outcomes } = await runFuzz({
    inputs: batches * batchInputs,
    seed,
    say: () => undefined,
    collect: () => undefined,
  });
  expect(inputs).toBe(batches * batchInputs);
  const passed = verifications.has("passed") ? ["verification passed"] : [];
  return [...phases.keys(), ...limbo.keys(), ...outcomes.keys(), ...passed];
}

test("whatever bytes come, decoders and connections neither throw nor hang, and leave nothing behind", async () => {
  const seed = Date.now();
  const reached = new Set<string>();
  const missed = (): string[] => places.filter((place) => !reached.has(place));
  for (let run = 0; run < runsMax && (run === 0 || missed().length > 0); run++) {
    for (const place of await reachedFrom(seed + run * batches)) reached.add(place);
  }
  expect(missed(), `seed ${seed}`).toEqual([]);
});
