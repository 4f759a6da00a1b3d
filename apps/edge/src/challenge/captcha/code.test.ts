import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { alphabet, codeIn, isSameCode, randomCode, textWord } from "./code.ts";

test("codes have 4 or 5 letters of an alphabet without lookalikes, and are never the word for text", () => {
  const lengths = new Set<number>();
  for (let n = 0; n < 500; n++) {
    const code = randomCode(randomInt);
    lengths.add(code.length);
    for (const letter of code) expect(alphabet).toContain(letter);
  }
  expect(lengths).toEqual(new Set([4, 5]));
  for (const letter of "0ODQ1ILJ5S2Z8BGV4F") expect(alphabet).not.toContain(letter);
  const wanted = [...textWord, ..."ACHK"].map((letter) => alphabet.indexOf(letter));
  // A length of 4, then the letters.
  const numbers = [4, ...wanted.slice(0, 4), 4, ...wanted.slice(4)];
  expect(randomCode(() => numbers.shift() ?? 0)).toBe("ACHK");
});

test("small letters, blanks and Cyrillic letters of the same shape are accepted", () => {
  for (const message of ["ACK9", "ack9", " a c k 9 ", "a-c-k-9", "асk9", "АСК9", "ack9."]) {
    expect(codeIn(message)).toBe("ACK9");
    expect(isSameCode(codeIn(message) ?? "", "ACK9")).toBe(true);
  }
});

test("other messages are no try", () => {
  for (const message of ["", "hi", "hello there", "/login secret", "ACK9X7", "AC!9", "пятьдесят"]) {
    expect(codeIn(message), message).toBeUndefined();
  }
});

test("no message but the code is the code, and hostile text never throws", () => {
  const letters = [..."aW3X9YЯхз -.,/\0\ud83dßﬁ"];
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...letters), maxLength: 20 }),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (message) => {
      const answer = codeIn(message);
      if (answer === undefined) return;
      expect(answer.length).toBeLessThanOrEqual(5);
      expect(isSameCode(answer, "W3X9Y")).toBe(answer === "W3X9Y");
    }),
    { numRuns: 300 },
  );
});

test("a code is not the same as its beginning or another one", () => {
  for (const [answer, code] of [
    ["ACE3", "ACE39"],
    ["ACE39", "ACE3"],
    ["ACE36", "ACE39"],
    ["", "ACE3"],
  ] as const) {
    expect(isSameCode(answer, code)).toBe(false);
  }
});
