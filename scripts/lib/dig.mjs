import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

/** Installs dig, with which zone DNS is tested. Only root can; without it that test is skipped. */
export async function ensureDig() {
  if (existsSync("/usr/bin/dig") || process.getuid?.() !== 0) return;
  await aptInstall("bind9-dnsutils", {
    alternative: "It contains dig, with which zone DNS is tested.",
  });
}
