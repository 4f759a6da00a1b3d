import fc from "fast-check";
import { expect, test } from "vitest";
import { rakNetAddressBytes, readRakNetAddress, writeRakNetAddress } from "./raknet-address.ts";

const ip = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
);
const endpoint = fc.record({ ip, port: fc.nat(65_535) });

test("an address is read back as it was written, wherever it stands, and never from a part of it", () => {
  fc.assert(
    fc.property(endpoint, fc.nat(8), fc.nat(40), (address, at, cut) => {
      const bytes = Buffer.alloc(at + rakNetAddressBytes(address));
      expect(writeRakNetAddress(bytes, at, address)).toBe(bytes.length);
      const read = readRakNetAddress(bytes, at);
      expect(read && { ip: [...read.ip], port: read.port }).toEqual({
        ip: [...address.ip],
        port: address.port,
      });
      const part = bytes.subarray(0, at + (cut % rakNetAddressBytes(address)));
      expect(readRakNetAddress(part, at)).toBeUndefined();
    }),
  );
});

test("no bytes make the reader throw, and none behind their end are read", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(60), (bytes, at) => {
      const read = readRakNetAddress(Buffer.from(bytes), at);
      if (read !== undefined) {
        expect(at + rakNetAddressBytes(read)).toBeLessThanOrEqual(bytes.length);
      }
    }),
  );
});
