import { expect, test } from "vitest";
import { createUndoStack } from "./undo-stack.ts";

test("stop functions run in reverse order, and a failing one does not skip the others", async () => {
  const stopped: string[] = [];
  const errors: unknown[] = [];
  const stack = createUndoStack((error) => errors.push(error));
  await stack.add(async () => void stopped.push("database"));
  await stack.add(async () => {
    throw new Error("stuck");
  });
  await stack.add(async () => void stopped.push("edge"));
  await Promise.all([stack.undo(), stack.undo()]);
  expect(stopped).toEqual(["edge", "database"]);
  expect(errors).toEqual([new Error("stuck")]);
});

test("a program that starts during a stop is stopped at once", async () => {
  const stopped: string[] = [];
  const stack = createUndoStack(() => undefined);
  await stack.undo();
  await expect(stack.add(async () => void stopped.push("late"))).rejects.toThrow("aborted");
  expect(stopped).toEqual(["late"]);
});
