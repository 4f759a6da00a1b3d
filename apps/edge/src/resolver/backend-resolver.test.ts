import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { BackendResolver } from "./backend-resolver.ts";

function resolverOf(answers: Record<string, readonly string[] | "fails" | Promise<string[]>>) {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  const resolver = new BackendResolver(
    () => clock.nowMs,
    async (host) => {
      asked.push(host);
      const answer = answers[host] ?? "fails";
      if (answer === "fails") throw new Error("SERVFAIL");
      return answer;
    },
  );
  const texts = async (host: string): Promise<string[]> =>
    (await resolver.addresses(host)).map(({ text }) => text);
  return { asked, clock, resolver, texts, answers };
}

describe("backend resolver", () => {
  test("addresses are never asked for", async () => {
    const { asked, resolver, texts } = resolverOf({});
    resolver.watch("a", ["203.0.113.7", "2001:db8::1"]);
    expect(await texts("203.0.113.7")).toEqual(["203.0.113.7"]);
    expect(asked).toEqual([]);
  });

  test("a name is asked for when it is configured, once for all shields, and served from memory", async () => {
    const { asked, resolver, texts } = resolverOf({ "mc.test": ["203.0.113.7"] });
    resolver.watch("a", ["mc.test"]);
    resolver.watch("b", ["mc.test"]);
    expect(await texts("mc.test")).toEqual(["203.0.113.7"]);
    expect(await texts("mc.test")).toEqual(["203.0.113.7"]);
    expect(asked).toEqual(["mc.test"]);
  });

  test("the last good answer outlives a resolver that fails", async () => {
    const { answers, asked, clock, resolver, texts } = resolverOf({ "mc.test": ["203.0.113.7"] });
    resolver.watch("a", ["mc.test"]);
    expect(await texts("mc.test")).toEqual(["203.0.113.7"]);
    answers["mc.test"] = "fails";
    clock.nowMs = 61_000;
    resolver.refresh();
    await until(() => asked.length === 2);
    expect(await texts("mc.test")).toEqual(["203.0.113.7"]);
    answers["mc.test"] = ["203.0.113.8"];
    clock.nowMs = 122_000;
    resolver.refresh();
    await until(async () => (await texts("mc.test"))[0] === "203.0.113.8");
  });

  test("names that do not exist are unknown, and names no shield uses any more are forgotten", async () => {
    const { resolver, texts } = resolverOf({ "mc.test": ["203.0.113.7"] });
    expect(await texts("mc.test")).toEqual([]);
    resolver.watch("a", ["mc.test", "bad.test"]);
    expect(await texts("bad.test")).toEqual([]);
    expect(await texts("mc.test")).toEqual(["203.0.113.7"]);
    resolver.unwatch("a");
    expect(await texts("mc.test")).toEqual([]);
  });

  test("a caller that waits for a removed name waits no longer", async () => {
    const { resolver, texts } = resolverOf({ "mc.test": new Promise(() => undefined) });
    resolver.watch("a", ["mc.test"]);
    const waiting = texts("mc.test");
    resolver.unwatch("a");
    expect(await waiting).toEqual([]);
  });

  test("one shield's slow names delay no other shield's, and refreshes do not delay a new name", async () => {
    const slow = Array.from({ length: 40 }, (_, n) => `slow${n}.test`);
    const never = new Promise<string[]>(() => undefined);
    const { answers, asked, resolver, texts } = resolverOf({
      "mc.test": ["203.0.113.7"],
      ...Object.fromEntries(slow.map((host) => [host, never])),
    });
    resolver.watch("slow", slow);
    resolver.watch("b", ["mc.test"]);
    expect(await texts("mc.test")).toEqual(["203.0.113.7"]);
    expect(asked).toEqual(["slow0.test", "mc.test"]);
    // A name that both have is asked for by the one that is free.
    answers["slow7.test"] = ["203.0.113.9"];
    resolver.watch("b", ["mc.test", "slow7.test"]);
    expect(await texts("slow7.test")).toEqual(["203.0.113.9"]);
  });

  test("a name that fails is asked for more and more rarely", async () => {
    const { asked, clock, resolver, texts } = resolverOf({});
    resolver.watch("a", ["bad.test"]);
    expect(await texts("bad.test")).toEqual([]);
    for (let minute = 1; minute <= 30; minute++) {
      clock.nowMs = minute * 60_000;
      resolver.refresh();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked.length).toBeLessThanOrEqual(9);
    expect(asked.length).toBeGreaterThanOrEqual(7);
  });
});
