import { describe, expect, test } from "vitest";
import { decodeHandshake, encodeHandshake } from "./handshake.ts";
import { KnownHandshakes } from "./known-handshakes.ts";

const frameOf = (host: string, protocol = 767): Buffer =>
  encodeHandshake({ protocol, host, port: 25_565, intent: "login" });
/** The fields behind the frame's length and the packet's id, at another place of a larger buffer. */
const fieldsOf = (frame: Buffer, at: number): Buffer =>
  Buffer.concat([Buffer.alloc(at), frame.subarray(2)]);

describe("a known handshake", () => {
  test("is the one decoded first, wherever it stands in what was received", () => {
    const known = new KnownHandshakes();
    const first = fieldsOf(frameOf("play.example.org"), 2);
    const again = fieldsOf(frameOf("play.example.org"), 9);
    const result = known.decode(first, 2, first.length);
    expect(result).toEqual(decodeHandshake(first, 2, first.length));
    expect(known.decode(again, 9, again.length)).toBe(result);
  });

  test("is kept apart from every other: thousands of names, versions and cut ends decode as they do alone", () => {
    const known = new KnownHandshakes();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 4_000; n++) {
        const whole = fieldsOf(frameOf(`s${n % 1_500}.example.org`, 760 + (n % 7)), n % 5);
        const end = whole.length - (n % 11 === 0 ? 1 : 0);
        expect(known.decode(whole, n % 5, end)).toEqual(decodeHandshake(whole, n % 5, end));
      }
    }
  });

  test("does not change when the bytes it was read from are used again", () => {
    const known = new KnownHandshakes();
    const bytes = fieldsOf(frameOf("one.example.org"), 0);
    const one = known.decode(bytes, 0, bytes.length);
    const other = fieldsOf(frameOf("two.example.org"), 0);
    bytes.set(other);
    expect(known.decode(bytes, 0, bytes.length)).toEqual(decodeHandshake(other, 0, other.length));
    expect(one).toMatchObject({ handshake: { host: "one.example.org" } });
  });

  test("a long one is decoded each time, for it may hold a single player's data", () => {
    const known = new KnownHandshakes();
    const bytes = fieldsOf(frameOf(`play.example.org\0${"9".repeat(100)}`), 0);
    const result = known.decode(bytes, 0, bytes.length);
    expect(result).toEqual(decodeHandshake(bytes, 0, bytes.length));
    expect(known.decode(bytes, 0, bytes.length)).not.toBe(result);
  });
});
