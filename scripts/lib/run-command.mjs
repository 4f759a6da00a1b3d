import { spawn } from "node:child_process";
import { constants } from "node:os";

/** SIGUSR2 starts a hot restart of an edge. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"];

/**
 * Runs a program in the foreground to its end: it uses our terminal and gets our signals. The result is
 * its exit code, or 128 + n for signal n as in shells.
 */
export function runInFront(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const forward = (signal) => child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    options.onStart?.(child);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Runs a program to its end and resolves with its exit code and its output. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
