import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorStatus } from "../errors/codes.ts";
import { en } from "./en.ts";
import { isTextKey, pickLocale, renderText } from "./render.ts";
import { ru } from "./ru.ts";

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe("texts", () => {
  test.each(Object.keys(en).filter(isTextKey))(
    "%s has the same placeholders in both languages and is translated",
    (key) => {
      expect(placeholders(ru[key])).toEqual(placeholders(en[key]));
      expect(ru[key]).not.toBe(en[key]);
    },
  );

  test("every error code has a text", () => {
    for (const code of Object.keys(errorStatus))
      expect(isTextKey(`error.${code}`), code).toBe(true);
  });

  test("every key a schema names exists", () => {
    const folder = new URL("../http/", import.meta.url);
    const named = readdirSync(folder)
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .flatMap(
        (file) =>
          readFileSync(new URL(file, folder), "utf8").match(
            /"[a-z_]+\.(?:required|invalid|min|max|range|integer|characters|mismatch|private|common)"/g,
          ) ?? [],
      )
      .map((quoted) => quoted.slice(1, -1));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((key) => !isTextKey(key))).toEqual([]);
  });
});

describe("renderText", () => {
  test("fills placeholders and leaves unknown ones as they are", () => {
    expect(renderText("en", "error.rate_limited", { seconds: 7 })).toBe(
      "Too many requests. Try again in 7 s",
    );
    expect(renderText("en", "error.rate_limited")).toContain("{seconds}");
  });

  test("never shows a key the contract does not know", () => {
    expect(renderText("en", "Invalid input: expected string")).toBe("Invalid value");
    expect(renderText("ru", "__proto__")).toBe("Недопустимое значение");
  });
});

describe("pickLocale", () => {
  test.each([
    [undefined, "en"],
    ["", "en"],
    ["ru", "ru"],
    ["ru-RU,ru;q=0.9,en;q=0.8", "ru"],
    ["de, ru;q=0.4, en;q=0.5", "en"],
    ["fr", "en"],
    ["ru;q=0, en", "en"],
    [";;;,,,q=", "en"],
  ])("%s is %s", (header, locale) => {
    expect(pickLocale(header)).toBe(locale);
  });
});
