import { describe, expect, test } from "vitest";
import { beginningOf, stemOf } from "./login-memory.ts";
import { isToolName, looksRandom } from "./suspicion.ts";

/** As people choose them. */
const people = [
  "Notch",
  "jeb_",
  "Dinnerbone",
  "Herobrine99",
  "xX_Dragon_Xx",
  "Grzegorz",
  "Szczepan2007",
  "l33tgam3r",
  "Technoblade",
  "Robot_Andi",
  "Botanik",
  "Abbott12",
  "mcKnight",
  "Schtschukin",
  "12345",
  "Player",
];

describe("names", () => {
  test.each(people)("%s is a person's", (name) => {
    expect(isToolName(name)).toBe(false);
    expect(looksRandom(name)).toBe(false);
  });

  test.each(["Bot_1", "bot17", "MCBOT_2", "SpamBot99", "MCSTORM_IO", "stress_bot_5"])(
    "%s is a tool's",
    (name) => expect(isToolName(name)).toBe(true),
  );

  test.each(["xkqzjvbw", "QWRTPSDF12", "a1b2c3d4", "x9k3j2m8q1"])("%s looks random", (name) => {
    expect(looksRandom(name)).toBe(true);
  });

  test.each([
    ["Max_1", "Max"],
    ["Max__22", "Max"],
    ["2Max2", "Max"],
    ["Max", undefined],
    ["ab1", undefined],
    ["1234", undefined],
  ])("the stem of %s is %s", (name, stem) => {
    expect(stemOf(name)).toBe(stem);
  });

  test("beginnings are alike only with the length", () => {
    expect(beginningOf("Alexxab")).toBe(beginningOf("Alexxcd"));
    expect(beginningOf("Alexxab")).not.toBe(beginningOf("Alexxabc"));
    expect(beginningOf("Alexx")).toBeUndefined();
  });
});
