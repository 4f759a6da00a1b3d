import type { Logger } from "#src/ports.ts";
import type { FromWorker, WorkerLine } from "./thread-messages.ts";

/**
 * The log of a worker: the main thread writes its lines, so that a worker waits for no reader of the log
 * and needs no logger of its own.
 */
export function createWorkerLog(send: (message: FromWorker) => void): Logger {
  function at(level: WorkerLine["level"]) {
    return (facts: object | string, text = ""): void => {
      const line = typeof facts === "string" ? { facts: {}, text: facts } : { facts, text };
      send({ kind: "log", line: { level, facts: withPlainErrors(line.facts), text: line.text } });
    };
  }
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A structured clone of an error would lose what a system call has added, such as its code. */
function withPlainErrors(facts: object): object {
  const entries = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Error ? plainError(value) : value,
  ]);
  return Object.fromEntries(entries) as object;
}

/** As the log of the main thread writes errors, with their causes. */
function plainError(error: Error): object {
  const causes: Error[] = [error];
  for (let { cause } = error; cause instanceof Error && causes.length < 5; { cause } = cause) {
    causes.push(cause);
  }
  const own = Object.entries(error).filter(([, value]) => typeof value !== "object");
  return {
    type: error.constructor.name,
    message: causes.map(({ message }) => message).join(": "),
    stack: causes.map(({ stack }) => stack ?? "").join("\ncaused by: "),
    ...Object.fromEntries(own),
  };
}
