import { expect, test } from "vitest";
import { parseSrvRecord } from "./srv-record.ts";

test("an SRV record is split into the fields that DNS providers ask for", () => {
  const record = {
    name: "_minecraft._tcp.play.example.com",
    value: "0 5 25565 k7f3q2m9xw4t.gs.localhost",
  };
  expect(parseSrvRecord(record)?.map(({ name: part, value }) => `${part} ${value}`)).toEqual([
    "service _minecraft",
    "protocol _tcp",
    "name play.example.com",
    "priority 0",
    "weight 5",
    "port 25565",
    "target k7f3q2m9xw4t.gs.localhost",
  ]);
});

test.each([
  { name: "play.example.com", value: "0 5 25565 a.b" },
  { name: "_minecraft._tcp.play.example.com", value: "a.b" },
])("$name $value has no parts", (record) => expect(parseSrvRecord(record)).toBeNull());
