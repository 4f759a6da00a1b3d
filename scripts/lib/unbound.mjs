import { existsSync, symlinkSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const serviceMask = "/etc/systemd/system/unbound.service";

/** Installs unbound, the resolver with which zone DNS is tested. Only root can; without it those tests are skipped. */
export async function ensureUnbound() {
  if (existsSync("/usr/sbin/unbound") || process.getuid?.() !== 0) return;
  if (existsSync("/run/systemd/system") && !existsSync(serviceMask)) {
    // The package would start a resolver for the whole machine; the tests need only its program.
    symlinkSync("/dev/null", serviceMask);
    say(`masked ${serviceMask}, so that only the tests start a resolver`);
  }
  try {
    await aptInstall("unbound", {
      alternative: "The tests of zone DNS need it as the real resolver.",
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(`${error.message}\n  Its tests are skipped.`);
  }
}
