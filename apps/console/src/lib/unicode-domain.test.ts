import { normalizeClaim } from "@palisade/contract/http/servers";
import { describe, expect, test } from "vitest";
import { unicodeDomain } from "./unicode-domain.ts";

describe("a domain is shown as people write it", () => {
  test.each([
    "играть.рф",
    "*.mc.пример.испытание",
    "bücher.example",
    "例え.テスト",
    "παράδειγμα.δοκιμή",
    "play-игра1.example.com",
  ])("%s", (written) => {
    expect(unicodeDomain(normalizeClaim(written) ?? "")).toBe(written);
  });

  test("an ASCII domain stays", () => {
    expect(unicodeDomain("play.example.com")).toBe("play.example.com");
  });

  test.each(["xn--.com", "xn--99999999.com", "xn--a_b.com", "xn--zzzzzzzzzzzz.com"])(
    "%s never throws",
    (ascii) => {
      expect(unicodeDomain(ascii)).toEqual(expect.any(String));
    },
  );
});
