import path from "node:path";

const clockVariables = ["FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "LD_PRELOAD"];

/**
 * For the environment of a program that a test starts. If faketime sets the tests' clock
 * (`npm run soak -- clocks`), the program's clock is the same. Its code is compiled once for all
 * tests, in the folder that `npm start` uses.
 */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, "../../../.cache/node-compile"),
  ...(process.env["FAKETIME"] === undefined
    ? {}
    : Object.fromEntries(clockVariables.map((name) => [name, process.env[name] ?? ""]))),
};
