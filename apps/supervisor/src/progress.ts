export interface Progress {
  /** Prints one line for the operator. */
  say(line: string): void;
}

/** Prints lines with the time since the start. They never look like the ready line. */
export function createProgress(write: (text: string) => void): Progress {
  const startedAt = performance.now();
  return {
    say: (line) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      write(`· ${line} (${seconds} s)\n`);
    },
  };
}

/** A start that cannot succeed for a reason that the operator can fix: shown without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}
