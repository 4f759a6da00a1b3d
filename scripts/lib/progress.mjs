let output = process.stdout;

/** For scripts whose standard output is somebody's input. */
export function sayOnStandardError() {
  output = process.stderr;
}

/** One line for the person watching. */
export function say(line) {
  output.write(`· ${line}\n`);
}

/** The script cannot go on, for a reason a person can act on: shown without a stack. */
export class Stop extends Error {
  name = "Stop";
}

/** Says a line again and again while slow work runs, so that silence never looks like a hang. */
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

/** Runs a script's main function: a Stop ends it with its text, an exit code is passed on. */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(error instanceof Stop ? `${error.message}\n` : `${error.stack}\n`);
    process.exitCode = 1;
  }
}
