import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createResponseLimiter, networkOf } from "#src/limits/response-limiter.ts";

describe("answers per source", () => {
  test("are capped per /24, refill with time and do not affect other networks", () => {
    const limiter = createResponseLimiter({ perSecond: 10, burst: 5, sourcesMax: 100 });
    const verdicts = Array.from({ length: 9 }, (_, n) => limiter.take(`203.0.113.${n}`, 0));
    expect(verdicts).toEqual([
      ...Array.from({ length: 5 }, () => "answer"),
      "slip",
      "drop",
      "slip",
      "drop",
    ]);
    expect(limiter.take("203.0.114.1", 0)).toBe("answer");
    expect(limiter.take("203.0.113.1", 100)).toBe("answer");
    expect(limiter.take("203.0.113.1", 100)).not.toBe("answer");
  });

  test("are capped per /56 of IPv6 however it is written", () => {
    expect(networkOf("2001:db8:0:1ff::1")).toBe(networkOf("2001:db8::1aa:0:0:0:9"));
    expect(networkOf("2001:db8::1")).not.toBe(networkOf("2001:db8:0:100::1"));
    expect(networkOf("::ffff:203.0.113.9")).toBe(networkOf("203.0.113.1"));
  });

  test("never exceed burst plus rate for any arrival, and memory stays bounded", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 200 }), (gapsMs) => {
        const limiter = createResponseLimiter({ perSecond: 20, burst: 4, sourcesMax: 10 });
        let nowMs = 0;
        let answered = 0;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (limiter.take("203.0.113.1", nowMs) === "answer") answered += 1;
        }
        expect(answered).toBeLessThanOrEqual(4 + (nowMs * 20) / 1_000 + 1);
      }),
    );
    const limiter = createResponseLimiter({ perSecond: 1, burst: 1, sourcesMax: 3 });
    limiter.take("192.0.2.1", 0);
    for (let n = 0; n < 3; n += 1) limiter.take(`198.51.${n}.1`, 0);
    // It was dropped as the one unseen for the longest, so it has its full burst again.
    expect(limiter.take("192.0.2.1", 0)).toBe("answer");
  });
});
