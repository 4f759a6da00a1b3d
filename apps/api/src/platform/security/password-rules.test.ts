import { expect, test } from "vitest";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { commonPasswords } from "./common-passwords.ts";
import { refuseWeakPassword } from "./password-rules.ts";

const ownNames = ["Steve.Miller+shop@blockworld.example.com", "Herobrine_77"];

function refusal(password: string): unknown {
  try {
    refuseWeakPassword(password, ownNames);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [issue] = error.issues ?? [];
    expect(issue?.path).toBe("password");
    return issue?.code;
  }
}

test.each([
  ["password.common", ["qwertyuiop", "Qwertyuiop123", "1234567890", "aaaaaaaaaa", "ababababab"]],
  [
    "password.common_word",
    [
      "Dragon2024",
      "2024dragon",
      "!!Summer1999",
      "P@ssw0rd!2026",
      "palisade-2026",
      "minecraft#1",
      // "password" in Russian, and the first keys of a Russian keyboard.
      "Пароль2024",
      "йцукенг12",
    ],
  ],
  [
    "password.own_name",
    [
      "stevemiller",
      "Steve.Miller2026",
      "miller-steve!",
      "blockworld2026",
      "herobrine_77!",
      "Herobrine1999",
      "stevedragon12",
      "steve.miller+shop",
    ],
  ],
  [
    undefined,
    [
      "correct horse battery",
      "steve owns a parrot",
      "k7!xQ9#2021",
      "dragon riders at noon",
      "herobrine is not real",
      "ромашка в поле 1999",
    ],
  ],
])("%s: %s", (expected, passwords) => {
  for (const password of passwords) expect(refusal(password), password).toBe(expected);
});

test("the list has at least 100,000 passwords, each once", () => {
  const lines = commonPasswords().split("\n").filter(Boolean);
  expect(lines.length).toBeGreaterThan(100_000);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.filter((line) => line !== line.toLowerCase())).toEqual([]);
});
