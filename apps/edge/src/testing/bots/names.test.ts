import { isToolName, looksRandom } from "@palisade/login-rules/suspicion";
import { expect, test } from "vitest";
import { humanName, loopbackAddress } from "./names.ts";

test("names of bots differ, are valid, and no rule about names finds them", () => {
  const count = 20_000;
  // The last ones are those of a run with 400,000 bots.
  const names = Array.from({ length: count }, (_, n) => humanName(n < 10_000 ? n : n + 380_000));
  expect(new Set(names).size).toBe(count);
  const odd = (name: string): boolean =>
    !/^\w{3,16}$/.test(name) || isToolName(name) || looksRandom(name);
  expect(names.filter(odd)).toEqual([]);
});

test("50,000 bots come from as many networks of loopback", () => {
  const addresses = Array.from({ length: 50_000 }, (_, n) => loopbackAddress(n));
  const networks = new Set(addresses.map((address) => address.slice(0, address.lastIndexOf("."))));
  expect(networks.size).toBe(addresses.length);
  expect(loopbackAddress(50_000)).toBe("127.10.0.2");
});
