const variables = ["FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "LD_PRELOAD"];

/**
 * For the environment of a program that a test starts: where faketime sets the tests' clock
 * (`npm run soak -- clocks`), the program's clock is the same.
 */
export const fakedClock: Readonly<NodeJS.ProcessEnv> =
  process.env["FAKETIME"] === undefined
    ? {}
    : Object.fromEntries(variables.map((name) => [name, process.env[name]]));
