import { describe, expect, test } from "vitest";
import { dialable, parseEdgeReady, portOf } from "./ready-messages.ts";

describe("the address of a program", () => {
  test("has its port read from an address or a URL", () => {
    expect(portOf("0.0.0.0:25565")).toBe(25_565);
    expect(portOf("[::1]:5353")).toBe(5353);
    expect(portOf("http://127.0.0.1:8080")).toBe(8080);
    expect(portOf("http://console.example/")).toBe(80);
  });

  test("is shown as an address that can be dialled", () => {
    expect(dialable("0.0.0.0:25565")).toBe("127.0.0.1:25565");
    expect(dialable("[::]:25565")).toBe("127.0.0.1:25565");
    expect(dialable("192.0.2.7:25565")).toBe("192.0.2.7:25565");
  });

  test("is not taken from other messages", () => {
    expect(parseEdgeReady({ kind: "log", java: "127.0.0.1:1", metrics: "x" })).toBeUndefined();
    expect(parseEdgeReady("ready")).toBeUndefined();
  });
});
