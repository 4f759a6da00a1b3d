import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOfPlayer, type HandedPlayer, readPlayers, writePlayer } from "./player-message.ts";

const text = fc.string({ maxLength: 60, unit: "binary" });
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));
const ids = fc.record({ shield: text, backend: text, source: text, isUnparsed: fc.boolean() });
const players: fc.Arbitrary<HandedPlayer[]> = fc.array(
  fc.record(
    { id: fc.maxSafeNat(), ids, header: bytes, head: bytes, rate: fc.nat() },
    { requiredKeys: ["id", "ids", "header", "head"] },
  ),
  { maxLength: 5 },
);

function messageOf(handed: readonly HandedPlayer[]): Buffer {
  const room = Buffer.alloc(handed.reduce((sum, player) => sum + bytesOfPlayer(player), 0));
  return room.subarray(
    0,
    handed.reduce((end, player) => writePlayer(room, end, player), 0),
  );
}

test("players arrive as they were sent, however many, with any bytes", () => {
  fc.assert(
    fc.property(players, (handed) => {
      expect(readPlayers(messageOf(handed))).toEqual(handed);
    }),
  );
});

test("a message that is cut off or damaged brings whole players or a RangeError, nothing else", () => {
  fc.assert(
    fc.property(players, fc.nat(), fc.nat(255), (handed, place, value) => {
      const message = messageOf(handed);
      for (const damaged of [message.subarray(0, place % (message.length + 1)), message]) {
        if (damaged.length > 0) damaged[place % damaged.length] = value;
        try {
          expect(readPlayers(damaged).length).toBeLessThanOrEqual(damaged.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
    }),
  );
});
