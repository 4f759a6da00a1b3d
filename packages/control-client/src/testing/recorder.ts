import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../log.ts";

export interface LogRecorder extends Log {
  readonly lines: { level: string; message: string }[];
}

/** A log whose lines a test can read. */
export function createLogRecorder(): LogRecorder {
  const lines: { level: string; message: string }[] = [];
  const at = (level: string) => (_fields: object, message: string) => {
    lines.push({ level, message });
  };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder that is removed with the test. */
export async function createTestFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "palisade-control-"));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
    },
  };
}
