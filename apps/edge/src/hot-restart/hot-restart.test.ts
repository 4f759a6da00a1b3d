import { pino } from "pino";
import { expect, test } from "vitest";
import { commandMessage, isSuccessor } from "./command-messages.ts";
import { HotRestart, type HotRestartSteps } from "./hot-restart.ts";

function setUp(changes: Partial<HotRestartSteps> = {}, startsAsSuccessor = false) {
  const steps: string[] = [];
  const machine = new HotRestart(
    {
      isSuccessorSound: () => Promise.resolve(true),
      becomePredecessor: () => Promise.resolve(void steps.push("release")),
      askForSuccessor: () => void steps.push("ask"),
      drain: (hasSuccessor) => void steps.push(hasSuccessor ? "drain" : "drain alone"),
      takeOver: () => Promise.resolve(void steps.push("take over")),
      ...changes,
    },
    startsAsSuccessor,
    pino({ level: "silent" }),
  );
  return { machine, steps };
}

test("a predecessor releases first, asks then, and drains when it is told to", async () => {
  const { machine, steps } = setUp();
  await machine.request();
  expect([machine.state, steps]).toEqual(["predecessor", ["release", "ask"]]);
  await machine.request();
  machine.drain();
  machine.drain();
  expect([machine.state, steps]).toEqual(["draining", ["release", "ask", "drain"]]);
});

test("a successor takes over once, and can be a predecessor afterwards", async () => {
  const { machine, steps } = setUp({}, true);
  machine.drain();
  expect(machine.state).toBe("successor");
  await machine.takeOver();
  await machine.takeOver();
  expect([machine.state, steps]).toEqual(["serving", ["take over"]]);
  await machine.request();
  expect(machine.state).toBe("predecessor");
});

test("an edge whose successor would not start goes on, and tries again when it is asked again", async () => {
  let isSound = false;
  const { machine, steps } = setUp({ isSuccessorSound: () => Promise.resolve(isSound) });
  await machine.request();
  expect([machine.state, steps]).toEqual(["serving", []]);
  isSound = true;
  await machine.request();
  expect(steps).toEqual(["release", "ask"]);
});

test("an edge that stops in between asks for no successor", async () => {
  const sound = Promise.withResolvers<boolean>();
  const { machine, steps } = setUp({ isSuccessorSound: () => sound.promise });
  const request = machine.request();
  machine.stop();
  sound.resolve(true);
  await request;
  expect([machine.state, steps]).toEqual(["draining", []]);
});

test("without a command above it there is no successor: the edge drains alone", async () => {
  const { machine, steps } = setUp({ askForSuccessor: undefined });
  await machine.request();
  expect([machine.state, steps]).toEqual(["draining", ["drain alone"]]);
});

test("a command of the release before is understood, and nothing else of it", () => {
  const words = ["drain", "takeover", "leave", "alone", "constructor", "ready"];
  const understood = words.map((kind) => commandMessage({ kind }));
  expect(understood.slice(0, 4)).toEqual(["drain", "takeover", "drain", "takeover"]);
  expect(understood.slice(5)).toEqual([undefined]);
  expect([commandMessage(null), commandMessage("drain")]).toEqual([undefined, undefined]);
  expect([isSuccessor(["--beside"]), isSuccessor(["--successor"]), isSuccessor([])]).toEqual([
    true,
    true,
    false,
  ]);
});
