import { expect, test } from "vitest";
import type { Bot } from "./bot.ts";
import { EagerBot, RecordedBot, Replayer } from "./recording.ts";

let nowMs = 0;
const clock = (): number => nowMs;
const said = Buffer.from("ab");

/** Says the first half at once and the second in its first tick. */
const speaker: Bot = { hear: () => said.subarray(0, 1), tick: () => said.subarray(1) };

function recorded() {
  nowMs = 100;
  const bot = new RecordedBot(speaker, clock);
  bot.hear(Buffer.alloc(0));
  nowMs = 150;
  bot.tick();
  return bot.recording;
}

test("a replayer says what was recorded, each part at its time and once", () => {
  const recording = recorded();
  nowMs = 1_000;
  const replayer = new Replayer(recording, clock);
  const heard = [0, 49, 50, 51].map((afterMs) => {
    nowMs = 1_000 + afterMs;
    return replayer.tick().toString();
  });
  expect(heard).toEqual(["a", "", "b", ""]);
});

test("an eager bot says all of it at once", () => {
  const bot = new EagerBot(recorded());
  expect(bot.hear().toString()).toBe("ab");
  expect(bot.tick().toString()).toBe("");
});
