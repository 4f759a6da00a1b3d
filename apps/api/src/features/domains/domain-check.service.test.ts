import type { Keys } from "#src/platform/security/derived-key.ts";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDnsLookup, type DnsLookupOptions } from "./dns-lookup.ts";
import { checkDomain, checkLabel, judgeFor, type DomainCheckDeps } from "./domain-check.service.ts";
import { judge, judgeAll, proofOf, type DomainView } from "./domain-proof.ts";

const zone = "gs.localhost";
const cname = `aaaabbbbcccc.${zone}`;
const domain = "play.example.test";
const claim = { domain, cname };
const proofKeys: Keys = [Buffer.alloc(32, 7)];
const { txt } = proofOf(proofKeys, domain, cname);

let first: FakeZone;
let second: FakeZone;
let zoneServer: FakeZone;

beforeAll(async () => {
  [first, second, zoneServer] = await Promise.all([
    startFakeZone(),
    startFakeZone(),
    startFakeZone(),
  ]);
});
afterAll(() => Promise.all([first, second, zoneServer].map((server) => server.close())));
beforeEach(() => {
  for (const server of [first, second, zoneServer]) {
    server.records = [];
    server.faults = {};
  }
});

const by = { kind: "wizard", userId: "caller" } as const;
const shares = { perKind: { wizard: 10, doctor: 10, job: 10 }, perUser: 10, waitingPerUser: 10 };

function deps(options: Partial<DnsLookupOptions> = {}): DomainCheckDeps {
  const look = createDnsLookup({
    resolvers: [first.address],
    zone,
    zoneServer: () => zoneServer.address,
    tellsPrivate: true,
    // Generous: only a test of silence waits for it.
    timeoutMs: 5_000,
    deadlineMs: 30_000,
    limits: shares,
    ...options,
  });
  return { lookup: look, zone, proofKeys, javaPort: () => 25_570 };
}

describe("a domain is proven", () => {
  test("by a CNAME to the label, however it is written", async () => {
    const value = "AAAAbbbbCCCC.GS.localhost";
    first.records = [{ type: "CNAME", name: "PLAY.example.test", value }];
    const check = await checkDomain(deps(), claim, by);
    expect(check).toMatchObject({ verified: true, code: "verified" });
    expect(check.found).toEqual([{ type: "CNAME", name: domain, value: cname }]);
    expect(check.expected).toEqual({ type: "CNAME", name: domain, value: cname });
    expect(check.alternatives).toEqual([
      { type: "SRV", name: `_minecraft._tcp.${domain}`, value: `0 5 25570 ${cname}` },
      { type: "TXT", name: `_palisade.${domain}`, value: txt },
    ]);
  });

  test("by a chain of CNAMEs that reaches the label", async () => {
    first.records = [
      { type: "CNAME", name: domain, value: "game.hoster.test" },
      { type: "CNAME", name: "game.hoster.test", value: "lb.hoster.test" },
      { type: "CNAME", name: "lb.hoster.test", value: cname },
    ];
    const check = await checkDomain(deps(), claim, by);
    expect(check.verified).toBe(true);
    expect(check.found.map(({ value }) => value)).toEqual([
      "game.hoster.test",
      "lb.hoster.test",
      cname,
    ]);
  });

  test("by each alternative alone, exactly as it is proposed", async () => {
    const { alternatives } = await checkDomain(deps(), claim, by);
    for (const record of alternatives) {
      // The addresses that a flattened ALIAS leaves do not hinder.
      first.records = [{ ...record }, { type: "A", name: domain, value: "203.0.113.1" }];
      expect(await checkDomain(deps(), claim, by)).toMatchObject({
        verified: true,
        found: [record, {}],
      });
    }
  });

  test("over TCP where the answer does not fit a datagram", async () => {
    first.records = [{ type: "TXT", name: `_palisade.${domain}`, value: txt }];
    first.faults = { "*": "truncated" };
    expect((await checkDomain(deps(), claim, by)).code).toBe("verified");
    expect(first.asked.some(({ over }) => over === "tcp")).toBe(true);
  });

  test("by one good answer of several resolvers: others fail, or know it not yet", async () => {
    const both = { resolvers: [second.address, first.address], timeoutMs: 500 };
    first.records = [{ type: "CNAME", name: domain, value: cname }];
    expect((await checkDomain(deps(both), claim, by)).code).toBe("verified");
    for (const trouble of ["servfail", "silent", "garbage"] as const) {
      second.faults = { "*": trouble };
      expect((await checkDomain(deps(both), claim, by)).code).toBe("verified");
    }
    // Likewise one says plainly that there is nothing.
    first.records = [];
    expect((await checkDomain(deps(both), claim, by)).code).toBe("missing");
  });

  test("a wildcard by the records of its parent alone", async () => {
    const wildcard = { domain: "*.example.test", cname };
    first.records = [{ type: "CNAME", name: "*.example.test", value: cname }];
    const check = await checkDomain(deps(), wildcard, by);
    expect(check.code).toBe("missing");
    expect(check.expected).toMatchObject({ type: "TXT", name: "_palisade.example.test" });
    first.records = [{ ...check.expected }];
    expect((await checkDomain(deps(), wildcard, by)).code).toBe("verified");
  });
});

describe("a domain is not proven", () => {
  test("if there is no record", async () => {
    expect(await checkDomain(deps(), claim, by)).toMatchObject({ code: "missing", found: [] });
    // The name is there, records of other kinds are not.
    first.records = [{ type: "NS", name: domain, value: "ns.example.test" }];
    expect(await checkDomain(deps(), claim, by)).toMatchObject({ code: "missing", found: [] });
  });

  test("if the record points elsewhere, and says where", async () => {
    const value = `zzzzbbbbcccc.${zone}`;
    first.records = [{ type: "CNAME", name: domain, value }];
    const check = await checkDomain(deps(), claim, by);
    expect(check).toMatchObject({ code: "points_elsewhere", verified: false });
    expect(check.found).toEqual([{ type: "CNAME", name: domain, value }]);
    const srv = {
      type: "SRV",
      name: `_minecraft._tcp.${domain}`,
      value: "0 5 25565 x.test",
    } as const;
    first.records = [srv];
    expect(await checkDomain(deps(), claim, by)).toMatchObject({
      code: "points_elsewhere",
      found: [srv],
    });
  });

  test("by addresses, though they are the label's own: every shield has the same", async () => {
    const records = [
      { type: "A", value: "203.0.113.1" },
      { type: "AAAA", value: "2001:db8::1" },
    ] as const;
    zoneServer.records = records.map((record) => ({ ...record, name: cname }));
    first.records = records.map((record) => ({ ...record, name: domain }));
    const check = await checkDomain(deps(), claim, by);
    expect(check.code).toBe("addresses_only");
    expect(check.found).toHaveLength(2);
    expect(check.alternatives.map(({ type }) => type)).toContain("TXT");
  });

  test("by the TXT value of another label, another name or another installation", async () => {
    const others = [
      proofOf(proofKeys, domain, `bbbbbbbbcccc.${zone}`),
      proofOf(proofKeys, `x.${domain}`, cname),
      proofOf([Buffer.alloc(32, 8)], domain, cname),
    ];
    for (const other of others) {
      first.records = [{ type: "TXT", name: `_palisade.${domain}`, value: other.txt }];
      expect((await checkDomain(deps(), claim, by)).code).toBe("missing");
    }
  });

  test("a loop and an endless chain of CNAMEs end", async () => {
    first.records = [
      { type: "CNAME", name: domain, value: "b.test" },
      { type: "CNAME", name: "b.test", value: domain },
    ];
    expect((await checkDomain(deps(), claim, by)).code).toBe("points_elsewhere");
    first.records = Array.from({ length: 60 }, (_, n) => ({
      type: "CNAME",
      name: n === 0 ? domain : `n${n}.test`,
      value: `n${n + 1}.test`,
    }));
    const before = first.asked.length;
    const check = await checkDomain(deps(), claim, by);
    expect(check.code).toBe("points_elsewhere");
    expect(check.found.length).toBeLessThanOrEqual(10);
    expect(first.asked.length - before).toBeLessThan(20);
  });
});

describe("a failed lookup is unknown, never unverified", () => {
  test.each(["servfail", "refused", "silent", "garbage"] as const)("%s", async (trouble) => {
    first.faults = { "*": trouble };
    const check = await checkDomain(deps({ timeoutMs: 100 }), claim, by);
    expect(check).toMatchObject({ code: "unknown", verified: false });
  });

  test("no resolver listens, or the deadline is over, or too many lookups run already", async () => {
    const gone = await startFakeZone();
    await gone.close();
    expect((await checkDomain(deps({ resolvers: [gone.address] }), claim, by)).code).toBe(
      "unknown",
    );
    first.faults = { "*": "silent" };
    const late = deps({ timeoutMs: 60_000, deadlineMs: 50 });
    expect((await checkDomain(late, claim, by)).code).toBe("unknown");
    first.faults = {};
    const full = deps({ limits: { ...shares, perUser: 1, waitingPerUser: 0 } });
    const codes = await Promise.all([checkDomain(full, claim, by), checkDomain(full, claim, by)]);
    expect(codes.map(({ code }) => code)).toEqual(["missing", "unknown"]);
    expect((await checkDomain(full, claim, by)).code).toBe("missing");
  });

  test("if only the name of another proof fails; a proof under another name still counts", async () => {
    first.faults = { [`_palisade.${domain}`]: "servfail" };
    first.records = [{ type: "CNAME", name: domain, value: "x.test" }];
    const check = await checkDomain(deps(), claim, by);
    expect(check.code).toBe("unknown");
    expect(check.found).toHaveLength(1);
    first.records = [{ type: "CNAME", name: domain, value: cname }];
    expect((await checkDomain(deps(), claim, by)).code).toBe("verified");
  });
});

describe("resolvers that are asked", () => {
  test("names of the zone the zone's server, others the resolvers", async () => {
    zoneServer.records = [{ type: "A", name: cname, value: "203.0.113.1" }];
    const before = first.asked.length;
    expect(await checkLabel(deps(), cname, by)).toBe("served");
    expect(await checkLabel(deps(), `nothing.${zone}`, by)).toBe("missing");
    zoneServer.faults = { "*": "servfail" };
    expect(await checkLabel(deps(), cname, by)).toBe("unknown");
    expect(first.asked).toHaveLength(before);
    const inZone = zoneServer.asked.length;
    first.records = [{ type: "CNAME", name: domain, value: cname }];
    // The chain ends at the label: a zone server that fails takes no proof away.
    expect((await checkDomain(deps(), claim, by)).code).toBe("verified");
    expect(zoneServer.asked).toHaveLength(inZone);
  });

  test("the resolvers for everything where no zone server is known", async () => {
    first.records = [{ type: "A", name: cname, value: "203.0.113.1" }];
    expect(await checkLabel(deps({ zoneServer: () => undefined }), cname, by)).toBe("served");
  });
});

describe("a look", () => {
  test("is judged for another label without asking again", async () => {
    const other = { domain, cname: `zzzzbbbbcccc.${zone}` };
    first.records = [{ type: "CNAME", name: domain, value: cname }];
    const { views } = await checkDomain(deps(), claim, by);
    const before = first.asked.length;
    expect(judgeFor(deps(), views, claim)).toBe("verified");
    expect(judgeFor(deps(), views, other)).toBe("points_elsewhere");
    expect(first.asked).toHaveLength(before);
  });

  test("verifies only by a matching record, and shows at most 10, whatever answers come", () => {
    const answer = fc.oneof(
      fc.constant({ kind: "none" as const }),
      fc.constant({ kind: "failed" as const }),
      fc.record({
        kind: fc.constant("records" as const),
        values: fc.array(fc.string({ unit: "binary", maxLength: 400 }), {
          minLength: 1,
          maxLength: 20,
        }),
      }),
    );
    const view: fc.Arbitrary<DomainView> = fc.record({
      name: fc.constant(domain),
      chain: fc.array(fc.domain(), { maxLength: 8 }),
      chainFailed: fc.boolean(),
      srv: answer,
      txt: answer,
      a: answer,
      aaaa: answer,
    });
    const proof = proofOf(proofKeys, domain, cname);
    fc.assert(
      fc.property(fc.array(view, { maxLength: 3 }), (views) => {
        const { code, found } = judgeAll(views, proof);
        expect(code).not.toBe("verified");
        expect(found.length).toBeLessThanOrEqual(10);
        for (const { value } of found) expect(value.length).toBeLessThanOrEqual(255);
        if (views.every((each) => judge(each, proof).code === "unknown")) {
          expect(code).toBe("unknown");
        }
        const proven = views.map((each) => ({ ...each, chain: [...each.chain, cname] }));
        if (views.length > 0) expect(judgeAll(proven, proof).code).toBe("verified");
      }),
    );
  });
});
