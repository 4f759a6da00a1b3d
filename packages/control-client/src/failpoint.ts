/** Kills the process, like kill -9, when it is called with an armed name (PALISADE_FAILPOINTS). */
export type Failpoint = (name: string) => void;

export function createFailpoint(names: readonly string[]): Failpoint {
  const armed = new Set(names);
  return (name) => {
    if (armed.has(name)) process.kill(process.pid, "SIGKILL");
  };
}
