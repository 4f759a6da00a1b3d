import { describe, expect, test } from "vitest";
import type { OwnHeaderChoice } from "#src/shields/backend-groups.ts";
import { headerRefused, headerTook, ownHeaderFor } from "./dialler.ts";

const fresh = (): { ownHeader: OwnHeaderChoice } => ({
  ownHeader: { kind: "local", isProven: false },
});

describe("the header of the edge's own connections", () => {
  test("only one of two attempts that fail together changes the choice", () => {
    const velocity = fresh();
    const [first, second] = [ownHeaderFor(velocity), ownHeaderFor(velocity)];
    headerRefused(velocity, first);
    headerRefused(velocity, second);
    expect(ownHeaderFor(velocity)).toBe("proxy");
  });

  test("a header that was answered is kept until it has failed twice", () => {
    const velocity = fresh();
    headerRefused(velocity, "local");
    headerTook(velocity, "proxy");
    // An attempt that was running when the choice was another.
    headerRefused(velocity, "local");
    headerTook(velocity, "local");
    headerRefused(velocity, "proxy");
    expect(ownHeaderFor(velocity)).toBe("proxy");
    headerRefused(velocity, "proxy");
    expect(ownHeaderFor(velocity)).toBe("local");
  });
});
