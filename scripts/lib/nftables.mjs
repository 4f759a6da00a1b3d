import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const programs = { nftables: "/usr/sbin/nft", iproute2: "/usr/sbin/ip" };

/** What the edge's help from the kernel is tested with; for anybody but root those tests are skipped. */
export async function ensureNftables() {
  if (process.getuid?.() !== 0) return;
  for (const [name, program] of Object.entries(programs)) {
    if (existsSync(program) || existsSync(program.replace("/usr", ""))) continue;
    try {
      await aptInstall(name, {
        alternative: "It is what the edge's help from the kernel is tested with.",
      });
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      say(`${error.message}\n  Its tests are skipped.`);
    }
  }
}
