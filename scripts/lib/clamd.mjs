import { existsSync, symlinkSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

const serviceMasks = [
  "clamav-daemon.service",
  "clamav-daemon.socket",
  "clamav-freshclam.service",
].map((name) => `/etc/systemd/system/${name}`);

/** Installs clamd, with which the scan of files is tested. Only root can; without it that test is skipped. */
export async function ensureClamd() {
  if (existsSync("/usr/sbin/clamd") || process.getuid?.() !== 0) return;
  if (existsSync("/run/systemd/system")) {
    for (const mask of serviceMasks.filter((file) => !existsSync(file))) {
      // The package would start a scanner and its updates; the tests need only its program.
      symlinkSync("/dev/null", mask);
      say(`masked ${mask}, so that only the tests start a scanner`);
    }
  }
  try {
    await aptInstall("clamav-daemon", {
      alternative: "The test of the virus scanner needs it as the real one.",
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(`${error.message}\n  Its test is skipped.`);
  }
}
