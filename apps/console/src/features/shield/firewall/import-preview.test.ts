import { expect, test } from "vitest";
import { previewImport } from "./import-preview.ts";

test("counts what can be read and lists what cannot, by its line", () => {
  expect(previewImport("192.0.2.1\nnobody\n2001:db8::/32, 300.1.1.1")).toEqual({
    valid: 2,
    invalid: [
      { line: 2, text: "nobody" },
      { line: 3, text: "300.1.1.1" },
    ],
  });
});
