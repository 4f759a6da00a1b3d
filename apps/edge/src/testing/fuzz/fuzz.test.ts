import { expect, test } from "vitest";
import { limboTargets } from "./limbo-run.ts";
import { batchInputs, runFuzz } from "./fuzz-run.ts";

const batches = 20;

test("whatever bytes come, decoders and connections neither throw nor hang, and leave nothing behind", async () => {
  const seed = Date.now();
  const { inputs, phases, verifications, limbo, outcomes } = await runFuzz({
    inputs: batches * batchInputs,
    seed,
    say: () => undefined,
    collect: () => undefined,
  });
  expect(inputs).toBe(batches * batchInputs);
  // Otherwise what is fuzzed is the door.
  for (const phase of [
    "CookieRequest",
    "Verifying",
    "Dialling",
    "RawConnection",
    "ProxyHeaderReader",
  ]) {
    expect(phases.get(phase), `${phase}, seed ${seed}`).toBeGreaterThan(0);
  }
  expect(verifications.get("passed"), `seed ${seed}`).toBeGreaterThan(0);
  for (const { name } of limboTargets) {
    expect(limbo.get(`${name}: passed`), `${name}, seed ${seed}`).toBeGreaterThan(0);
  }
  expect(outcomes.get("verified"), `seed ${seed}`).toBeGreaterThan(0);
});
