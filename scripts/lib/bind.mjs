import { existsSync, symlinkSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const serviceMask = "/etc/systemd/system/named.service";

/** Installs BIND, the primary to which zone DNS exports in tests. Only root can; without it those tests are skipped. */
export async function ensureBind() {
  if (existsSync("/usr/sbin/named") || process.getuid?.() !== 0) return;
  if (existsSync("/run/systemd/system") && !existsSync(serviceMask)) {
    // The package would start a server for the whole machine; the tests need only its program.
    symlinkSync("/dev/null", serviceMask);
    say(`masked ${serviceMask}, so that only the tests start a name server`);
  }
  try {
    await aptInstall("bind9", {
      alternative: "The tests of the DNS export need it as the real primary.",
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(`${error.message}\n  Its tests are skipped.`);
  }
}
