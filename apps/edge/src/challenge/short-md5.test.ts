import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shortBytesMax, shortMd5 } from "./short-md5.ts";

test("a short text has the sum that the crypto library computes, at every length", () => {
  for (let length = 0; length <= shortBytesMax; length++) {
    const text = "OfflinePlayer:Steve_01, and all the letters that follow".slice(0, length);
    expect(shortMd5(text)).toEqual(hash("md5", text, "buffer"));
  }
});

test("so has a text of any characters", () => {
  const text = fc.string({ unit: "binary", maxLength: Math.floor(shortBytesMax / 3) });
  fc.assert(
    fc.property(text, (each) => {
      expect(shortMd5(each)).toEqual(hash("md5", each, "buffer"));
    }),
  );
});
