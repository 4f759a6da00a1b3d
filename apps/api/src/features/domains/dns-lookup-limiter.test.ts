import { expect, test } from "vitest";
import { createDnsLookupLimiter, type DnsLookupCaller } from "./dns-lookup-limiter.ts";

const longMs = 600_000;
const shares = { perKind: { wizard: 2, doctor: 4, job: 2 }, perUser: 2, waitingPerUser: 3 };
const doctorOf = (userId: string): DnsLookupCaller => ({ kind: "doctor", userId });
const wizardOf = (userId: string): DnsLookupCaller => ({ kind: "wizard", userId });

async function fill(
  slots: ReturnType<typeof createDnsLookupLimiter>,
  by: DnsLookupCaller,
  count: number,
) {
  const leaves = await Promise.all(Array.from({ length: count }, () => slots.enter(by, 0)));
  return leaves.map((leave) => {
    if (leave === undefined) throw new Error("no slot");
    return leave;
  });
}

test("a full house of doctors takes nothing from the wizard and the jobs, nor they from it", async () => {
  const slots = createDnsLookupLimiter(shares);
  await fill(slots, doctorOf("one"), 2);
  await fill(slots, doctorOf("two"), 2);
  expect(await slots.enter(doctorOf("three"), 0)).toBeUndefined();
  await fill(slots, wizardOf("one"), 2);
  await fill(slots, { kind: "job" }, 2);
  expect(await slots.enter({ kind: "job" }, 0)).toBeUndefined();
});

test("one user has a few looks under way, waits for more, and is refused beyond a few waits", async () => {
  const slots = createDnsLookupLimiter(shares);
  const [leave] = await fill(slots, doctorOf("one"), 2);
  const waits = Array.from({ length: 3 }, () => slots.enter(doctorOf("one"), longMs));
  // At once: it does not even wait.
  expect(await slots.enter(doctorOf("one"), longMs)).toBeUndefined();
  await fill(slots, doctorOf("two"), 2);
  leave?.();
  for (const wait of waits) (await wait)?.();
});

test("the user with the fewest running lookups is next, however many another user has waiting", async () => {
  const slots = createDnsLookupLimiter({ ...shares, perKind: { ...shares.perKind, doctor: 2 } });
  const [leave] = await fill(slots, doctorOf("greedy"), 2);
  const turns: string[] = [];
  const waits = ["greedy", "greedy", "stranger"].map(async (user) => {
    const end = await slots.enter(doctorOf(user), longMs);
    turns.push(user);
    end?.();
  });
  leave?.();
  await Promise.all(waits);
  expect(turns).toEqual(["stranger", "greedy", "greedy"]);
});

test("a caller whose turn does not come in time leaves the line", async () => {
  const slots = createDnsLookupLimiter(shares);
  const [leave] = await fill(slots, wizardOf("one"), 2);
  expect(await slots.enter(wizardOf("two"), 0)).toBeUndefined();
  leave?.();
  await fill(slots, wizardOf("two"), 1);
  expect(await slots.enter(wizardOf("two"), 0)).toBeUndefined();
});
