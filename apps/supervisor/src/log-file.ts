import {
  appendFileSync,
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  truncateSync,
} from "node:fs";
import path from "node:path";

/** One earlier file of this size is kept, so a program's logs take at most twice as much. */
const LOG_BYTES_MAX = 32 * 1024 * 1024;
const ROTATE_EVERY_MS = 60_000;
const TAIL_BYTES = 16 * 1024;

export interface LogFile {
  readonly path: string;
  /** For a child's stdio. The child writes to it directly, so its log survives the supervisor. */
  readonly descriptor: number;
  /** The last lines, in a form for people. */
  tail(lines: number): string;
  readonly write: (line: string) => void;
  close(): void;
}

/** Opens PALISADE_HOME/logs/<program>.log for appending. */
export function openLogFile(home: string, program: string): LogFile {
  const folder = path.join(home, "logs");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${program}.log`);
  const descriptor = openSync(file, "a+", 0o600);
  rotate(file, descriptor);
  let isOpen = true;
  // A full disk costs log lines and never the programs: the lines are written in event handlers,
  // where an error would end the supervisor and everything it runs.
  const whileOpen = (work: () => void): void => {
    try {
      if (isOpen) work();
    } catch {
      // The error cannot be reported anywhere else.
    }
  };
  const timer = setInterval(() => whileOpen(() => rotate(file, descriptor)), ROTATE_EVERY_MS);
  timer.unref();
  return {
    path: file,
    descriptor,
    tail: (lines) => readTail(descriptor).slice(-lines).map(readable).join("\n"),
    write: (line) => whileOpen(() => appendFileSync(descriptor, `${line}\n`)),
    close: () => {
      isOpen = false;
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}

/** Copies the file and empties it, because the children keep it open. Lines written in between are lost. */
function rotate(file: string, descriptor: number): void {
  if (fstatSync(descriptor).size < LOG_BYTES_MAX) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

function readTail(descriptor: number): string[] {
  const { size } = fstatSync(descriptor);
  const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString("utf8").trimEnd().split("\n");
}

/** The message of a JSON line with its error; any other line unchanged. */
function readable(line: string): string {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== "object" || entry === null) return line;
    const parts = [field(entry, "msg"), field(field(entry, "err"), "message")];
    return parts.filter((part) => typeof part === "string").join(": ") || line;
  } catch {
    return line;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
