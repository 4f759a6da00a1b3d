import { isToolName, looksRandom } from "@palisade/login-rules/name-rules";
import { expect, test } from "vitest";
import { humanName, loopbackAddress, namesMax } from "./names.ts";

test("names of bots differ, are valid, and no rule about names finds them", () => {
  const names = Array.from({ length: namesMax }, (_, n) => humanName(n));
  expect(new Set(names).size).toBe(namesMax);
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
