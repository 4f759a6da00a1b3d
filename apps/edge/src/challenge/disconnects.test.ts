import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileKick } from "#src/shields/kick-template.ts";
import type { ClientState } from "./rules/client-packets.ts";
import { disconnectOf, disconnectWith, shortDisconnectOf } from "./disconnects.ts";

const protocols = [...new Set(knownReleases.map(({ protocol }) => protocol))];
const states = ["login", "configuration", "play"] as const satisfies ClientState[];
const steve = { player: "Steve_01", trace: "ABCD1234" };
const alex = { player: "Alex", trace: "WXYZ5678" };

test.each([
  "§eNot passed.\n§8{trace}",
  "{trace} and {trace}",
  "No code",
  "§cGo, {player}! {trace}",
  "",
])(
  "every player reads the text %j with their own name and code, in every state and version",
  (text) => {
    const kick = compileKick(text);
    for (const protocol of protocols) {
      for (const state of states) {
        for (const values of [steve, alex, steve]) {
          const packet = disconnectWith(kick, state, protocol, values);
          expect(packet).toEqual(disconnectOf(state, protocol, kick.text(values)));
          // It is the caller's own.
          packet?.fill(0);
        }
      }
    }
  },
);

test("a text that is too long is cut, and keeps the code of the trace in its last line", () => {
  const text = `${"§cПроверка §eне пройдена\n".repeat(80)}§8ABCD1234`;
  for (const protocol of protocols) {
    const packet = shortDisconnectOf("login", protocol, text, 400);
    expect(packet.length).toBeLessThanOrEqual(400);
    const read = packet.toString("utf8");
    expect(read).toContain("Проверка не пройдена");
    expect(read).toContain("…\\nABCD1234");
  }
});

test("a cut packet is never longer than allowed, whatever the text is", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  const state = fc.constantFrom(...states);
  fc.assert(
    fc.property(text, state, fc.constantFrom(...protocols), fc.nat(900), (...input) => {
      const [words, where, protocol, bytesMax] = input;
      const packet = shortDisconnectOf(where, protocol, words, bytesMax);
      expect(packet.length).toBeLessThanOrEqual(bytesMax);
    }),
  );
});
