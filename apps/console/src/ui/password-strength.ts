export type Strength = "weak" | "fair" | "strong";

const fairBits = 45;
const strongBits = 80;
const alphabets: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[а-яё]/i, 33],
  [/[^a-zа-яё\d]/i, 32],
];

/**
 * A rough hint while typing: the number of guesses for an attacker who knows the alphabet and counts
 * repeats and runs such as `aaaa` or `1234` as one character. The server refuses leaked passwords.
 */
export function strengthOf(password: string): Strength {
  const size = alphabets
    .filter(([letters]) => letters.test(password))
    .reduce((sum, [, count]) => sum + count, 0);
  const bits = surprises(password) * Math.log2(Math.max(2, size));
  if (bits < fairBits) return "weak";
  return bits < strongBits ? "fair" : "strong";
}

/** Number of characters that do not follow from the one before. */
function surprises(password: string): number {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  return codes.filter((code, index) => Math.abs(code - (codes[index - 1] ?? -9)) > 1).length;
}
