import { existsSync, symlinkSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const serviceMask = "/etc/systemd/system/named.service";

/** The primary zone DNS exports to in tests; for anybody but root those tests are skipped instead. */
export async function ensureBind() {
  if (existsSync("/usr/sbin/named") || process.getuid?.() !== 0) return;
  if (existsSync("/run/systemd/system") && !existsSync(serviceMask)) {
    // The package would start a server of the whole machine; only its program is wanted.
    symlinkSync("/dev/null", serviceMask);
    say(`masked ${serviceMask}, so that no name server is started beside the tests' own`);
  }
  try {
    await aptInstall("bind9", {
      alternative: "It is the real primary that the export of zone DNS is tested with.",
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(`${error.message}\n  Its tests are skipped.`);
  }
}
