import { readFile } from "node:fs/promises";

/**
 * The time a process started, in the kernel's ticks since boot. Pid and start time together identify
 * a process, because pids are reused. Undefined when there is no such process (or it is a zombie).
 *
 * @see proc_pid_stat(5), fields 3 and 22
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // Field 2 is the name in brackets, which may contain spaces and brackets.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined || fields[0] === "Z" ? undefined : fields[19];
}
