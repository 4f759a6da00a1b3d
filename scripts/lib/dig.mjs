import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

/** The resolver program zone DNS is tested with; for anybody but root its test is skipped instead. */
export async function ensureDig() {
  if (existsSync("/usr/bin/dig") || process.getuid?.() !== 0) return;
  await aptInstall("bind9-dnsutils", {
    alternative: "It brings dig, which zone DNS is tested with.",
  });
}
