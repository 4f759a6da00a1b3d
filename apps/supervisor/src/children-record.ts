import { processStartTime } from "./process-time.ts";
import { writeRunFile, type RunFacts } from "./run-files.ts";

/** Keeps on disk which children live, for the start after this process was killed. */
export interface ChildrenRecord {
  track(program: string, pid: number, isAlive: boolean): void;
}

export function createChildrenRecord(home: string): ChildrenRecord {
  const children = new Map<number, RunFacts<"children">[number]>();
  let writing = Promise.resolve();

  async function update(program: string, pid: number, isAlive: boolean): Promise<void> {
    const startTime = isAlive ? await processStartTime(pid) : undefined;
    if (startTime === undefined) children.delete(pid);
    else children.set(pid, { program, pid, startTime });
    await writeRunFile(home, "children", [...children.values()]);
  }

  return {
    track: (program, pid, isAlive) => {
      // In order; a home that cannot be written to must not take the children down.
      writing = writing.then(() => update(program, pid, isAlive)).catch(() => undefined);
    },
  };
}
