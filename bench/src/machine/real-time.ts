import { spawnSync } from "node:child_process";

const wrapper = ["chrt", "--rr", "1"] as const;

/** Wraps a command so that it goes before all others, as relay processes do; empty if not permitted. */
export const realTime: readonly string[] =
  spawnSync(wrapper[0], [...wrapper.slice(1), "true"]).status === 0 ? wrapper : [];
