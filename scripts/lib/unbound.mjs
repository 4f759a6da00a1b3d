import { existsSync, symlinkSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const serviceMask = "/etc/systemd/system/unbound.service";

/** The resolver zone DNS is tested behind; for anybody but root those tests are skipped instead. */
export async function ensureUnbound() {
  if (existsSync("/usr/sbin/unbound") || process.getuid?.() !== 0) return;
  if (existsSync("/run/systemd/system") && !existsSync(serviceMask)) {
    // The package would start a resolver of the whole machine; only its program is wanted.
    symlinkSync("/dev/null", serviceMask);
    say(`masked ${serviceMask}, so that no resolver is started beside the tests' own`);
  }
  try {
    await aptInstall("unbound", {
      alternative: "It is the real resolver that zone DNS is tested behind.",
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(`${error.message}\n  Its tests are skipped.`);
  }
}
