import { describe, expect, test } from "vitest";
import { parseBackendAddress } from "./backend-address.ts";

describe("parseBackendAddress", () => {
  test.each([
    ["203.0.113.5:25570", { host: "203.0.113.5", port: 25_570 }],
    [" play.example.com:25565 ", { host: "play.example.com", port: 25_565 }],
    ["[2001:db8::1]:25565", { host: "2001:db8::1", port: 25_565 }],
  ])("%s has a port to take off", (typed, address) =>
    expect(parseBackendAddress(typed)).toEqual(address),
  );

  test.each(["203.0.113.5", "2001:db8::1", "play.example.com", "host:0", "host:99999", ""])(
    "%s is left as it is",
    (typed) => expect(parseBackendAddress(typed)).toBeNull(),
  );
});
