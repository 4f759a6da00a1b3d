import { describe, expect, test } from "vitest";
import { runThreads } from "@palisade/testing/threads";
import { shareOf, verificationLimits } from "./rules/limits.ts";
import { FalsePositiveDetector } from "./false-positive-detector.ts";
import { SessionServerBreaker } from "./session-server.ts";
import { UsedCookies } from "./transfer-cookie.ts";

const threads = 4;
const nowMs = 1_800_000_000_000;

describe("verification over threads", () => {
  test("a cookie is accepted once over all threads, and a level relaxes only after enough regulars have failed", async () => {
    const cookies = 5_000;
    const { told, workers } = await runThreads<{ used: number[]; relaxed: number }>(
      threads,
      `
        const { UsedCookies } = await load("apps/edge/src/challenge/transfer-cookie.ts");
        const { FalsePositiveDetector } = await load("apps/edge/src/challenge/false-positive-detector.ts");
        const used = new UsedCookies(data.used);
        const detector = new FalsePositiveDetector(data.detector);
        const mine = [];
        gate();
        for (let n = 0; n < data.cookies; n++) {
          // Spread over both halves of the word, as a random id is.
          const id = (BigInt(n + 1) << 33n) | BigInt(n * 7919);
          if (used.use(id, data.nowMs + 60_000, data.nowMs)) mine.push(n);
        }
        let relaxed = 0;
        for (let shield = 0; shield < 200; shield++) {
          const round = { shield: new Uint8Array(16).fill(shield), attack: 0 };
          const fails = (n) => {
            const player = { name: "Player" + n, ip: Uint8Array.of(203, 0, n, 7) };
            if (detector.failed(round, player, data.nowMs)) relaxed++;
          };
          // Four of them all threads see fail, and one more of every second shield.
          for (let n = 0; n < 4; n++) fails(n);
          if (shield % 2 === 0) fails(4);
        }
        tell({ used: mine, relaxed });
      `,
      {
        used: UsedCookies.allocate(32_768),
        detector: FalsePositiveDetector.allocate(new Uint8Array(8)),
        cookies,
        nowMs,
      },
    );
    const uses = told.flatMap(({ used }) => used);
    expect(new Set(uses).size).toBe(uses.length);
    // Two in the same moment may both be refused; that is rare.
    expect(uses.length).toBeGreaterThan(cookies * 0.9);
    const relaxed = told.reduce((sum, each) => sum + each.relaxed, 0);
    expect(relaxed).toBeGreaterThanOrEqual(100);
    expect(relaxed).toBeLessThanOrEqual(100 * threads);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  test("failures any thread has met keep all from asking; after the pause one of them tries", async () => {
    const buffer = SessionServerBreaker.allocate();
    const breaker = new SessionServerBreaker(buffer, verificationLimits);
    const { sessionFailuresMax, sessionPauseMs, sessionCallMs } = verificationLimits;
    const { told, workers } = await runThreads<string[]>(
      threads,
      `
        const { SessionServerBreaker } = await load("apps/edge/src/challenge/session-server.ts");
        const { verificationLimits } = await load("apps/edge/src/challenge/rules/limits.ts");
        const breaker = new SessionServerBreaker(data.buffer, verificationLimits);
        for (let n = 0; n < 2; n++) breaker.settle(false, 1_000);
        gate();
        const during = breaker.enter(2_000) ?? "none";
        const after = breaker.enter(1_000 + data.sessionPauseMs + 100) ?? "none";
        tell([during, after]);
      `,
      { buffer, sessionPauseMs },
    );
    expect(threads * 2).toBeGreaterThanOrEqual(sessionFailuresMax);
    expect(told.map(([during]) => during)).toEqual(["none", "none", "none", "none"]);
    expect(told.filter(([, after]) => after === "trial")).toHaveLength(1);
    expect(told.filter(([, after]) => after === "none")).toHaveLength(threads - 1);
    // The thread that tried is gone and tells nothing: another may, once a question is over anyway.
    const triedMs = 1_000 + sessionPauseMs + 100;
    expect(breaker.allows(triedMs + sessionCallMs)).toBe(false);
    expect(breaker.enter(triedMs + sessionCallMs + 2_000)).toBe("trial");
    breaker.settle(true, triedMs + sessionCallMs + 2_000);
    expect(breaker.enter(triedMs + sessionCallMs + 2_000)).toBe("usual");
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  test.each([1, 2, 3, 16])("%d threads together do at once no more than the edge may", (shares) => {
    const share = shareOf(verificationLimits, shares);
    for (const limit of [
      "atOnceMax",
      "perShieldMax",
      "sessionCallsMax",
      "sessionQueueMax",
    ] as const) {
      expect(share[limit]).toBeGreaterThan(0);
      expect(share[limit] * shares).toBeLessThanOrEqual(verificationLimits[limit]);
    }
  });
});
