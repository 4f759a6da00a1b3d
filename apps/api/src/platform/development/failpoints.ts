import { writeSync } from "node:fs";

/** Dies at once, as by kill -9, when reached with a name from PALISADE_FAILPOINTS. */
export type Failpoint = (name: string) => void;

export function createFailpoint(names: readonly string[]): Failpoint {
  const armed = new Set(names);
  return (name) => {
    if (!armed.has(name)) return;
    writeSync(process.stderr.fd, `Killed at ${name}\n`);
    process.kill(process.pid, "SIGKILL");
  };
}
