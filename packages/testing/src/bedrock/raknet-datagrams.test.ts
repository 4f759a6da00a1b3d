import { expect, test } from "vitest";
import { encodeFrameSet, encodeRecords, readDatagram } from "./raknet-datagrams.ts";

/** Written by hand from the protocol's description. */
const goldenSet = {
  bytes: [
    "84 010000",
    // Unreliable, 2 bytes.
    "00 0010 fe01",
    // Reliable, index 2.
    "40 0008 020000 fe",
    // Reliable and ordered, index 3, order 4, channel 0, part 1 of 5 with id 6.
    "70 0008 030000 04000000 00000005 0006 00000001 ff",
  ],
  set: {
    sequence: 1,
    frames: [
      { reliability: 0, body: Buffer.from("fe01", "hex") },
      { reliability: 2, messageIndex: 2, body: Buffer.from("fe", "hex") },
      {
        reliability: 3,
        messageIndex: 3,
        orderIndex: 4,
        channel: 0,
        part: { count: 5, id: 6, index: 1 },
        body: Buffer.from("ff", "hex"),
      },
    ],
  },
};
const goldenRecords = "0002 01 010000 00 030000 050000";
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

test("frames are written and read as the protocol describes them", () => {
  const bytes = hex(goldenSet.bytes.join(""));
  expect(encodeFrameSet(goldenSet.set).toString("hex")).toBe(bytes.toString("hex"));
  expect(readDatagram(bytes)).toEqual({ kind: "frames", set: goldenSet.set });
});

test.each([
  ["ack", "c0"],
  ["nack", "a0"],
] as const)("neighbours share a record of an %s", (kind, id) => {
  const bytes = hex(id + goldenRecords);
  expect(encodeRecords(kind, [4, 1, 3, 5]).toString("hex")).toBe(bytes.toString("hex"));
  expect(readDatagram(bytes)).toEqual({ kind, sequences: [1, 3, 4, 5] });
});

test.each([
  ["a datagram outside of a connection", "05"],
  ["a body that ends behind the datagram", "84 000000 00 0010 fe"],
  ["a body without bytes", "84 000000 00 0000"],
  ["a cut frame", "84 000000 60 0008 00"],
  ["a record that runs backwards", "c0 0001 00 050000 030000"],
  ["a record of millions", "c0 0001 00 000000 ffffff"],
])("%s is an error", (_, text) => {
  expect(() => readDatagram(hex(text))).toThrow(Error);
});
