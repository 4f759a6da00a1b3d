import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import type { CaptchaSource } from "../captcha/captcha-pool.ts";
import { CaptchaStep, hintsMax, reloadsMax, triesMax } from "./captcha.ts";
import type { StepResult } from "./step.ts";

const protocol = 766;
const ids = packetIds.play.toClient;

/** Codes that follow each other, the first is "AAAA". */
const codes = [..."ACEHKMNPRT"].map((letter) => letter.repeat(4));

function sourceOf(ready: readonly string[]): CaptchaSource {
  const left = [...ready];
  return {
    take() {
      const code = left.shift();
      return code === undefined ? undefined : { code, colours: new Uint8Array(mapSide * mapSide) };
    },
  };
}

interface Options {
  readonly allowsText?: boolean;
  readonly captchas?: CaptchaSource;
  readonly language?: "en" | "ru";
  readonly monotonicMs?: () => number;
}

const standsStill = () => 0;

function begun(options: Options = {}) {
  const {
    allowsText = false,
    captchas = sourceOf(codes),
    language = "en",
    monotonicMs = standsStill,
  } = options;
  const step = new CaptchaStep({ protocol, language, captchas, allowsText, monotonicMs });
  return { step, first: seen(step.begin()) };
}

const chat = (message: string): LimboPacket => ({ kind: "chat", message });
const command = (text: string): LimboPacket => ({ kind: "chat-command", command: text });
const slot = (place: number): LimboPacket => ({ kind: "held-item", slot: place });

/** The player's view of packets. */
function seen(bytes: Buffer) {
  const view = { pictures: 0, others: 0, text: "" };
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, 0xffff);
    if (frame.kind !== "packet") throw new Error(frame.kind);
    if (frame.id === ids.map(protocol)) view.pictures++;
    else if (frame.id === ids.chat(protocol)) {
      view.text += bytes.toString("utf8", frame.bodyStart, frame.bodyEnd);
    } else view.others++;
    at = frame.bodyEnd;
  }
  return view;
}

function answer(result: StepResult) {
  if (typeof result === "string") return { outcome: result, pictures: 0, text: "" };
  return { outcome: result.outcome ?? "on", ...seen(result.send) };
}

describe("a captcha", () => {
  test("begins with maps in the hotbar, one picture, and what the player has to do", () => {
    const { first } = begun();
    // Nine maps, the selected place, and a look down at it.
    expect(first).toMatchObject({ pictures: 1, others: 11 });
    expect(first.text).toContain("type its code in the chat");
    expect(first.text).toContain("/code");
    expect(first.text).not.toContain("AAAA");
    expect(begun({ language: "ru" }).first.text).toContain("карту");
  });

  test("is passed by the code, in the chat or by command, in small letters too", () => {
    for (const packet of [
      chat("AAAA"),
      chat(" aaaa "),
      chat("/code aaaa"),
      command("code aaaa"),
      command("code AA AA"),
    ]) {
      expect(begun().step.take(packet)).toBe("passed");
    }
  });

  test("is failed by the third wrong code, and each wrong one before brings a new picture", () => {
    const { step } = begun();
    for (let left = triesMax - 1; left > 0; left--) {
      const { outcome, pictures, text } = answer(step.take(chat("XXXX")));
      expect({ outcome, pictures }).toEqual({ outcome: "on", pictures: 1 });
      expect(text).toContain(`Tries left: ${left}`);
    }
    // The codes before are worth nothing any more.
    expect(step.take(chat("AAAA"))).toBe("wrong-code");
  });

  test("with a new picture asks for the new code", () => {
    const { step } = begun();
    step.take(chat("XXXX"));
    expect(step.take(chat("CCCC"))).toBe("passed");
  });

  test("has a new picture for each change of the selected place, up to a limit", () => {
    const { step } = begun();
    // The client repeats the place that was selected for it.
    expect(step.take(slot(4))).toBe("on");
    for (let n = 0; n < reloadsMax; n++) expect(answer(step.take(slot(n % 2))).pictures).toBe(1);
    expect(answer(step.take(slot(7)))).toMatchObject({ outcome: "on", pictures: 0 });
    // The last picture is still good, and no try was lost.
    expect(step.take(chat(codes[reloadsMax] ?? ""))).toBe("passed");
  });

  test("does not count greetings, passwords and other commands as tries", () => {
    const { step } = begun();
    const others = [chat("hello there"), command("login 12345678"), command("code"), chat("")];
    for (const packet of [...others, ...others]) {
      expect(answer(step.take(packet))).toMatchObject({ outcome: "on", pictures: 0 });
    }
    expect(step.take(chat("AAAA"))).toBe("passed");
  });

  test("gives the code as text only if the owner wants that", () => {
    for (const packet of [chat("text"), chat("TEXT"), command("code text")]) {
      const without = begun();
      expect(without.first.text).not.toContain("as text");
      const refused = answer(without.step.take(packet));
      expect(refused.outcome).toBe("on");
      expect(refused.text).not.toContain("A A A A");
      expect(without.step.take(chat("XXXX"))).not.toBe("wrong-code");

      const { step, first } = begun({ allowsText: true });
      expect(first.text).toContain("get the code as text");
      expect(answer(step.take(packet)).text).toContain("A A A A");
      expect(step.take(chat("AAAA"))).toBe("passed");
    }
  });

  test("makes players wait for a picture when none is ready, and takes no answer before", () => {
    let captchas = sourceOf([]);
    let nowMs = 5_000;
    const { step, first } = begun({
      captchas: { take: () => captchas.take() },
      monotonicMs: () => nowMs,
    });
    expect(first.pictures).toBe(0);
    expect(first.text).toContain("is being drawn");
    expect(step.take(chat("AAAA"))).toBe("on");
    captchas = sourceOf(codes);
    nowMs += 1_000;
    expect(answer(step.take({ kind: "other" })).pictures).toBe(1);
    expect(step.take(chat("AAAA"))).toBe("passed");
  });

  test("asks for a missing picture once a second, however many packets the player sends", () => {
    let nowMs = 0;
    const askedAtMs: number[] = [];
    const take = () => void askedAtMs.push(nowMs);
    const { step } = begun({ captchas: { take }, monotonicMs: () => nowMs });
    for (; nowMs < 3_000; nowMs += 50) expect(step.take({ kind: "other" })).toBe("on");
    expect(askedAtMs).toEqual([0, 900, 1_800, 2_700]);
  });

  test("sends a bounded number of bytes whatever the player says", () => {
    const packets = fc.oneof(
      fc.string({ maxLength: 40 }).map(chat),
      fc.stringMatching(/^[A-Za-z0-9]{4,5}$/).map(chat),
      fc.string({ maxLength: 40 }).map(command),
      fc.constantFrom("text", "code text", "code", "/code /code AAAA").map(command),
      fc.integer({ min: -1, max: 0xffff }).map(slot),
      fc.constant<LimboPacket>({ kind: "other" }),
    );
    const colours = new Uint8Array(mapSide * mapSide);
    const picturesMax = 1 + (triesMax - 1) + reloadsMax;
    const bytesMax = picturesMax * (mapSide * mapSide + 400) + (hintsMax + 6) * 400;
    fc.assert(
      fc.property(fc.array(packets, { maxLength: 25 }), fc.boolean(), (said, allowsText) => {
        // No string of the alphabet: it can only be passed by accident of this test.
        const captchas = { take: () => ({ code: "-----", colours }) };
        const step = new CaptchaStep({
          protocol,
          language: "ru",
          captchas,
          allowsText,
          monotonicMs: standsStill,
        });
        let bytes = step.begin().length;
        for (const packet of said) {
          const result = step.take(packet);
          expect(result).not.toBe("passed");
          if (typeof result !== "string") bytes += result.send.length;
          else if (result !== "on") break;
        }
        expect(bytes).toBeLessThanOrEqual(bytesMax);
      }),
      { numRuns: 60 },
    );
  });
});
