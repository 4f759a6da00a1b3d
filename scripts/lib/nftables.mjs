import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const programs = { nftables: "/usr/sbin/nft", iproute2: "/usr/sbin/ip" };

/** Installs the tools with which bans in the kernel are tested. Only root can; without them those tests are skipped. */
export async function ensureNftables() {
  if (process.getuid?.() !== 0) return;
  for (const [name, program] of Object.entries(programs)) {
    if (existsSync(program) || existsSync(program.replace("/usr", ""))) continue;
    try {
      await aptInstall(name, {
        alternative: "The tests of bans in the kernel need it.",
      });
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      say(`${error.message}\n  Its tests are skipped.`);
    }
  }
}
