import type { ChildProcess } from "node:child_process";

/** Collects what a program prints, and waits for a line of it. */
export interface ChildOutput {
  text(): string;
  /** @throws when the program ends first, with everything it printed */
  match(pattern: RegExp, capMs: number): Promise<RegExpExecArray>;
}

export function collectOutput(child: ChildProcess, name: string): ChildOutput {
  let text = "";
  const watchers = new Set<() => void>();
  const notify = (): void => watchers.forEach((watcher) => watcher());
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      notify();
    });
  }
  child.once("close", notify);
  return {
    text: () => text,
    match: (pattern, capMs) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          const found = pattern.exec(text);
          const hasEnded = child.exitCode !== null || child.signalCode !== null;
          if (found === null && !hasEnded) return;
          watchers.delete(settle);
          clearTimeout(cap);
          if (found !== null) resolve(found);
          else reject(new Error(`${name} ended before ${String(pattern)}:\n${text}`));
        };
        const cap = setTimeout(() => {
          watchers.delete(settle);
          reject(new Error(`${name} did not print ${String(pattern)} in ${capMs} ms:\n${text}`));
        }, capMs);
        watchers.add(settle);
        settle();
      }),
  };
}
