import { describe, expect, test } from "vitest";
import { z } from "zod";
import { textFieldsOf, withText } from "./text-fields.ts";

describe("textFieldsOf", () => {
  test("finds text wherever it is: optional, nullable, piped, refined, in objects and lists", () => {
    const schema = z
      .object({
        plain: z.string(),
        piped: z.string().trim().pipe(z.email()),
        none: z.string().nullable().default(null),
        inner: z.object({ deep: z.string().optional() }).partial().optional(),
        list: z.array(z.object({ name: z.string() }).meta({ id: "Named" })),
      })
      .refine(() => true);
    expect(textFieldsOf(schema).map((path) => path.join("."))).toEqual([
      "plain",
      "piped",
      "none",
      "inner.deep",
      "list.0.name",
    ]);
  });

  test("leaves out fields that accept no free text", () => {
    const schema = z.object({ a: z.int(), b: z.boolean(), c: z.enum(["x"]), d: z.literal("y") });
    expect(textFieldsOf(schema)).toEqual([]);
  });
});

test("withText puts the text in its place and leaves the rest", () => {
  const body = { a: 1, inner: { kept: true } };
  expect(withText(body, ["inner", "text"], "x")).toEqual({
    a: 1,
    inner: { kept: true, text: "x" },
  });
  expect(withText(undefined, ["list", "0", "name"], "x")).toEqual({ list: [{ name: "x" }] });
});
