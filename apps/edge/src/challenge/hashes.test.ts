import { formatUuid } from "@palisade/minecraft-protocol/java/uuid";
import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offlineUuid, serverHash } from "./hashes.ts";
import { shortMd5 } from "./md5.ts";

describe("names for a player and for a join", () => {
  test("the UUID of offline mode is that of real servers", () => {
    expect(formatUuid(offlineUuid("Notch"))).toBe("b50ad385-829d-3141-a216-7e7d7539ba7f");
    expect(formatUuid(offlineUuid("Steve_01"))).toBe("e4270dab-5764-390b-8cc6-0cf94d9aeee9");
  });

  test("the UUID of a name that is not of ASCII is the same", () => {
    const md5 = hash("md5", "OfflinePlayer:Стив", "buffer");
    expect(offlineUuid("Стив").subarray(9)).toEqual(md5.subarray(9));
  });

  test("the MD5 of short texts is that of node:crypto, and longer ones have none", () => {
    const ascii = fc.string({ unit: "binary-ascii", maxLength: 55 });
    fc.assert(
      fc.property(ascii, fc.nat(55), (text, at) => {
        const md5 = shortMd5(text.slice(0, at), text.slice(at)) ?? [];
        expect(Buffer.from(md5)).toEqual(hash("md5", text, "buffer"));
      }),
    );
    for (const text of ["x".repeat(56), "é", "😀"]) expect(shortMd5(text)).toBeUndefined();
  });

  test("the hash of a join is a signed number: the wiki's three names", () => {
    const none = new Uint8Array(0);
    expect(serverHash("Notch", none, none)).toBe("4ed1f46bbe04bc756bcb17c0c7ce3e4632f06a48");
    expect(serverHash("jeb_", none, none)).toBe("-7c9d5b0044c130109a5d7b5fb5c317c02b4e28c1");
    expect(serverHash("simon", none, none)).toBe("88e16a1019277b15d58faf0541e11910eb756f6");
  });
});
