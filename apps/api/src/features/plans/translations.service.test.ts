import { describe, expect, test } from "vitest";
import type { Translations } from "#src/schema/plans.ts";
import { translated } from "./translations.service.ts";

interface Texts {
  name: string;
  features: string[];
}

const translations: Translations<Texts> = { ru: { features: ["20 доменов"] } };
const plan = { name: "Pro", features: ["20 domains"], translations };

describe("a translated text", () => {
  test("is in the requested language", () => {
    expect(translated(plan, "features", "ru")).toEqual(["20 доменов"]);
  });

  test("is English for English", () => {
    expect(translated(plan, "features", "en")).toEqual(["20 domains"]);
  });

  test("is in English if this text, or the whole row, is not translated", () => {
    expect(translated(plan, "name", "ru")).toBe("Pro");
    const none: Translations<Texts> = {};
    expect(translated({ ...plan, translations: none }, "features", "ru")).toEqual(["20 domains"]);
  });
});
