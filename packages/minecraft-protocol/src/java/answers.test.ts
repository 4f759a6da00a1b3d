import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { componentFromText, stripCodes } from "./chat.ts";
import { encodeLoginDisconnect } from "./login.ts";
import {
  encodePong,
  encodeStatusResponse,
  readStatusResponse,
  statusRequest,
  statusResponseBytesMax,
} from "./status.ts";

describe("status", () => {
  test("request, response, pong and disconnect have the specification's bytes", () => {
    expect(Buffer.from(statusRequest).toString("hex")).toBe("0100");
    expect(encodeStatusResponse("{}").toString("hex")).toBe("0400027b7d");
    expect(encodePong(Buffer.from("0102030405060708", "hex")).toString("hex")).toBe(
      "09010102030405060708",
    );
    expect(encodeLoginDisconnect('""').toString("hex")).toBe("0400022222");
  });

  test("an answer comes back at every split, mods' bytes behind it dropped", () => {
    const json = JSON.stringify({ description: "Игра", version: { name: "1.21", protocol: 767 } });
    const plain = encodeStatusResponse(json);
    expect(readStatusResponse(plain)).toEqual({ kind: "status", json });
    for (let cut = 0; cut < plain.length; cut++) {
      expect(readStatusResponse(plain.subarray(0, cut))).toEqual({ kind: "need-more" });
    }
    const appended = Buffer.concat([plain, Buffer.from("mods")]);
    appended[0] = (appended[0] ?? 0) + 4;
    expect(readStatusResponse(appended)).toEqual({ kind: "status", json });
  });

  test.each(["", "[]", "null", "3", '"x"', "{", `{"a":"${"x".repeat(40_000)}"}`])(
    "an answer that is no JSON object a client takes is refused",
    (json) => {
      expect(readStatusResponse(encodeStatusResponse(json))).toEqual({ kind: "malformed" });
    },
  );

  test("an answer larger than the cap is refused by its length alone", () => {
    const announced = Buffer.alloc(3);
    announced.set([0x80 | (statusResponseBytesMax & 0x7f), 0xff, 0x7f]);
    expect(readStatusResponse(announced)).toEqual({ kind: "malformed" });
  });
});

describe("text components", () => {
  test("codes become colours and styles; a colour ends the styles before it", () => {
    expect(componentFromText("plain")).toEqual({ text: "plain" });
    expect(componentFromText("§c§lNo§r way§aok")).toEqual({
      text: "",
      extra: [
        { text: "No", color: "red", bold: true },
        { text: " way" },
        { text: "ok", color: "green" },
      ],
    });
    expect(componentFromText("§l§cred only")).toEqual({ text: "red only", color: "red" });
    expect(componentFromText("§")).toEqual({ text: "" });
    expect(componentFromText("a\n§zb")).toEqual({
      text: "",
      extra: [{ text: "a\n" }, { text: "b" }],
    });
  });

  test("no text is lost, whatever codes it holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("§", "a", "l", "r", "x", "\n", "é") }),
        (text) => {
          const component = componentFromText(text);
          const parts = Array.isArray(component["extra"]) ? component["extra"] : [component];
          expect(parts.map((part) => part.text).join("")).toBe(stripCodes(text));
        },
      ),
    );
  });
});
