import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";

test("lines end in CRLF, and only what needs quotes has them (RFC 4180)", () => {
  expect(
    toCsv(
      ["a", "b"],
      [
        ["plain", 1],
        ['say "hi"', null],
        ["x,y", "two\nlines"],
      ],
    ),
  ).toBe('a,b\r\nplain,1\r\n"say ""hi""",\r\n"x,y","two\nlines"\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("%j is text, no formula", (cell) => {
  expect(toCsv(["a"], [[cell]])).toContain(`'${cell}`);
});
