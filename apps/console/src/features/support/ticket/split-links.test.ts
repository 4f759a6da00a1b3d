import fc from "fast-check";
import { expect, test } from "vitest";
import { splitLinks } from "./split-links.ts";

const linksOf = (text: string) =>
  splitLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

test.each([
  ["see https://example.com/a?b=1#c.", ["https://example.com/a?b=1#c"]],
  ["(http://example.com) and https://b.example!", ["http://example.com", "https://b.example"]],
  ["javascript:alert(1) data:text/html,x //example.com", []],
  ["https://", []],
])("%s", (text, links) => expect(linksOf(text)).toEqual(links));

test("the parts are the message again, and only web addresses are links", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const parts = splitLinks(`a http://x.example/${text} b`);
      expect(parts.map((part) => part.text).join("")).toBe(`a http://x.example/${text} b`);
      for (const { text: part, isLink } of parts) if (isLink) expect(part).toMatch(/^https?:\/\//);
    }),
  );
});
