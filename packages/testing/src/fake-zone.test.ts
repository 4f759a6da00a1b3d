import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFakeZone, type FakeZone } from "./fake-zone.ts";

let zone: FakeZone;
let resolver: Resolver;

beforeAll(async () => {
  zone = await startFakeZone();
  resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([zone.address]);
});
afterAll(() => zone.close());
beforeEach(() => {
  zone.records = [];
  zone.faults = {};
});

describe("a fake zone", () => {
  test("answers every type of record, also after a change", async () => {
    zone.records = [
      { type: "A", name: "a.test", value: "203.0.113.1" },
      { type: "AAAA", name: "a.test", value: "2001:db8::1" },
      { type: "TXT", name: "a.test", value: "some text" },
      { type: "SRV", name: "_minecraft._tcp.a.test", value: "0 5 25565 b.test" },
      { type: "CNAME", name: "www.a.test", value: "a.test" },
    ];
    expect(await resolver.resolve4("WWW.a.test")).toEqual(["203.0.113.1"]);
    expect(await resolver.resolve6("a.test")).toEqual(["2001:db8::1"]);
    expect(await resolver.resolveTxt("a.test")).toEqual([["some text"]]);
    expect(await resolver.resolveCname("www.a.test")).toEqual(["a.test"]);
    const srv = { priority: 0, weight: 5, port: 25_565, name: "b.test" };
    expect(await resolver.resolveSrv("_minecraft._tcp.a.test")).toMatchObject([srv]);
    zone.records = [{ type: "A", name: "a.test", value: "203.0.113.2" }];
    expect(await resolver.resolve4("a.test")).toEqual(["203.0.113.2"]);
  });

  test("tells a missing name from a missing record, and a name with others below it exists", async () => {
    zone.records = [{ type: "A", name: "a.b.test", value: "203.0.113.1" }];
    await expect(resolver.resolve4("x.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
    await expect(resolver.resolve6("a.b.test")).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver.resolve4("b.test")).rejects.toMatchObject({ code: "ENODATA" });
  });

  test("shows the faults set for a name or for all names", async () => {
    zone.records = [{ type: "A", name: "a.test", value: "203.0.113.1" }];
    zone.faults = { "a.test": "servfail", "*": "refused" };
    await expect(resolver.resolve4("a.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
    await expect(resolver.resolve4("b.test")).rejects.toMatchObject({ code: "EREFUSED" });
    zone.faults = { "a.test": "truncated" };
    expect(await resolver.resolve4("a.test")).toEqual(["203.0.113.1"]);
    expect(zone.asked.at(-1)).toEqual({ name: "a.test", type: "A", over: "tcp" });
  });
});
