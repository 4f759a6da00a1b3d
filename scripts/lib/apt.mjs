import { existsSync } from "node:fs";
import { say, sayWhile, Stop } from "./progress.mjs";
import { capture } from "./run-command.mjs";

/**
 * Installs a Debian package as root.
 *
 * @throws Stop with the command to run when the user is not root
 */
export async function aptInstall(name, { alternative }) {
  const isPossible = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!isPossible) {
    throw new Stop(
      `${name} is not installed. Run:\n  sudo apt-get update && sudo apt-get install -y ${name}\n` +
        alternative,
    );
  }
  say(`installing ${name} with apt`);
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    const run = capture("apt-get", ["-o", "Dpkg::Options::=--force-confold", "-q", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    const { code, output } = await sayWhile(`apt-get ${args[0]}`, run);
    if (code !== 0) {
      throw new Stop(`apt-get ${args.join(" ")} failed:\n${output.slice(-2_000)}\n${alternative}`);
    }
  }
}
