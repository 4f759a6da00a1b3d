import { expect, test } from "vitest";
import { createUndoStack } from "./undo-stack.ts";

test("what was started stops in reverse order, and a failing stop does not keep the others", async () => {
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

test("what comes up during a stop is stopped at once", async () => {
  const stopped: string[] = [];
  const stack = createUndoStack(() => undefined);
  await stack.undo();
  await expect(stack.add(async () => void stopped.push("late"))).rejects.toThrow("aborted");
  expect(stopped).toEqual(["late"]);
});
