let output = process.stdout;

/** For scripts whose standard output is read by another program. */
export function sayOnStandardError() {
  output = process.stderr;
}

/** Prints one line for the operator. */
export function say(line) {
  output.write(`· ${line}\n`);
}

/** The script cannot continue for a reason that the operator can fix: shown without a stack. */
export class Stop extends Error {
  name = "Stop";
}

/** Prints a line regularly while slow work runs, so that it does not look like a hang. */
export async function sayWhile(what, work, everyMs = 10_000) {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    say(`${what} (${Math.round((Date.now() - startedAt) / 1_000)} s so far)`);
  }, everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Runs a script's main function. A Stop prints only its message; a returned number is the exit code. */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(error instanceof Stop ? `${error.message}\n` : `${error.stack}\n`);
    process.exitCode = 1;
  }
}
