import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HostClaim, HostIndex, labelClaim } from "./host-index.ts";

const host = "play.example.org";
const claim = (proven: boolean, claimedAtMs: number, name = host): HostClaim => ({
  host: name,
  proven,
  claimedAtMs,
});

/** An index whose players go to the shield's own name. */
function createIndex() {
  const index = new HostIndex<string>();
  return {
    find: (name: string) => index.find(name),
    remove: (id: string) => index.remove(id),
    set: (id: string, ...claims: HostClaim[]) =>
      index.set(
        id,
        claims.map((one) => ({ ...one, target: id })),
      ),
  };
}

describe("host index", () => {
  test("a proven claim beats an older unproven one, in either order of arrival", () => {
    for (const order of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const index = createIndex();
      for (const id of order) index.set(id, id === "a" ? claim(false, 1) : claim(true, 2));
      expect(index.find(host)).toBe("b");
    }
  });

  test("the older of equal claims wins, and the next follows when it is removed", () => {
    const index = createIndex();
    index.set("late", claim(true, 2));
    index.set("early", claim(true, 1));
    expect(index.find(host)).toBe("early");
    index.remove("early");
    expect(index.find(host)).toBe("late");
    index.remove("late");
    expect(index.find(host)).toBeUndefined();
  });

  test("a label belongs to its shield, even if another claims it as a domain", () => {
    const index = createIndex();
    index.set("thief", claim(true, Number.MIN_SAFE_INTEGER));
    index.set("owner", labelClaim(host));
    expect(index.find(host)).toBe("owner");
  });

  test("a changed shield keeps only its new hosts", () => {
    const index = createIndex();
    index.set("a", labelClaim("one"), labelClaim("two"));
    index.set("a", labelClaim("two"), labelClaim("three"));
    expect([index.find("one"), index.find("two"), index.find("three")]).toEqual([
      undefined,
      "a",
      "a",
    ]);
  });

  test("the outcome does not depend on the order of arrival", () => {
    const claims = fc.uniqueArray(
      fc.record({ id: fc.nat(9).map(String), proven: fc.boolean(), at: fc.nat(3) }),
      { selector: ({ id }) => id, minLength: 1 },
    );
    fc.assert(
      fc.property(claims, (all) => {
        const winner = (order: typeof all): string | undefined => {
          const index = createIndex();
          for (const { id, proven, at } of order) index.set(id, claim(proven, at));
          return index.find(host);
        };
        expect(winner(all)).toBe(winner(all.toReversed()));
      }),
    );
  });
});

describe("wildcards", () => {
  test("a name beats the wildcards above it, the longest wildcard the others", () => {
    const index = createIndex();
    index.set("short", claim(true, 1, "*.example.org"));
    index.set("long", claim(true, 2, "*.eu.example.org"));
    index.set("exact", claim(true, 3, "lobby.eu.example.org"));
    expect(index.find("lobby.eu.example.org")).toBe("exact");
    expect(index.find("pvp.eu.example.org")).toBe("long");
    expect(index.find("a.b.eu.example.org")).toBe("long");
    expect(index.find("pvp.example.org")).toBe("short");
    expect(index.find("eu.example.org")).toBe("short");
    for (const none of ["example.org", "org", ".example.org", "xexample.org", "", "."]) {
      expect(index.find(none), none).toBeUndefined();
    }
    index.remove("long");
    expect(index.find("pvp.eu.example.org")).toBe("short");
    index.remove("short");
    expect(index.find("pvp.eu.example.org")).toBeUndefined();
  });

  test("an unproven name does not take a host from under another's proven wildcard", () => {
    const index = createIndex();
    index.set("owner", claim(true, 2, "*.example.org"));
    index.set("thief", claim(false, 1));
    expect(index.find(host)).toBe("owner");
    index.set("owner", claim(true, 2, "*.example.org"), claim(false, 3, "own.example.org"));
    expect(index.find("own.example.org")).toBe("owner");
  });

  test("an unproven wildcard does not take a host from under a proven shorter one", () => {
    const index = createIndex();
    index.set("owner", claim(true, 2, "*.example.org"));
    index.set("thief", claim(false, 1, "*.eu.example.org"));
    expect(index.find("pvp.eu.example.org")).toBe("owner");
    index.set("name", claim(false, 1, "pvp.eu.example.org"));
    expect(index.find("pvp.eu.example.org")).toBe("owner");
    index.set("thief", claim(false, 1, "*.eu.example.org"), claim(true, 1, "*.org"));
    index.remove("owner");
    expect(index.find("any.eu.example.org")).toBe("thief");
  });

  test("the proven one of two claims to the same wildcard wins", () => {
    const index = createIndex();
    index.set("a", claim(false, 1, "*.example.org"));
    index.set("b", claim(true, 2, "*.example.org"));
    expect(index.find(host)).toBe("b");
  });

  test("look-ups agree with a search through all claims, whatever claims come and go", () => {
    const label = fc.constantFrom("a", "b", "c");
    const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."));
    const claimed = fc.tuple(fc.boolean(), name).map(([star, text]) => (star ? `*.${text}` : text));
    const shields = fc.array(fc.uniqueArray(claimed, { maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(shields, fc.subarray([0, 1, 2, 3, 4, 5]), name, (all, gone, asked) => {
        const index = createIndex();
        for (const [n, names] of all.entries()) {
          index.set(`${n}`, ...names.map((text) => claim(true, n, text)));
        }
        for (const n of gone) index.remove(`${n}`);
        const left = all.flatMap((names, n) =>
          gone.includes(n) ? [] : names.map((text) => ({ text, n })),
        );
        const matches = left
          .filter(({ text }) =>
            text.startsWith("*") ? asked.endsWith(text.slice(1)) : text === asked,
          )
          .sort((x, y) => rank(y.text) - rank(x.text) || x.n - y.n);
        expect(index.find(asked)).toBe(matches[0] === undefined ? undefined : `${matches[0].n}`);
      }),
      { numRuns: 1_000 },
    );
    function rank(text: string): number {
      return text.startsWith("*") ? text.length : 1_000;
    }
  });
});
